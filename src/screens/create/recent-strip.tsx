import { lazy, Suspense } from "react";
import { LateQueueList } from "#jobs/late-queue-list.tsx";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { useIsPhone } from "#ui/use-media-query.ts";

// Loaded with the first job: a form without past jobs does not wait for it.
const RecentList = lazy(() => import("./recent-list.tsx").then((module) => ({ default: module.RecentList })));

const SHOWN = 24;

export interface RecentProps {
  selected: string | undefined;
  onSelect: (requestId: string) => void;
}

/**
 * The jobs of this browser, newest first, as small pictures to go back to. A phone has no rail, so what waits in the
 * queue or is lined up stands here.
 */
export function RecentStrip(props: RecentProps) {
  const isPhone = useIsPhone();
  return (
    <>
      {isPhone && (
        <div className="px-2">
          <LateQueueList />
        </div>
      )}
      <RecentPictures {...props} />
    </>
  );
}

function RecentPictures(props: RecentProps) {
  const jobs = useTrackedJobs().slice(0, SHOWN);
  if (jobs.length === 0) {
    return <p className="m-0 p-3 text-center text-[12.5px] text-ink-3">Your runs appear here.</p>;
  }
  return (
    <Suspense>
      <RecentList jobs={jobs} {...props} />
    </Suspense>
  );
}
