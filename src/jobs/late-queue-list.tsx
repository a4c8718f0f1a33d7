import { lazy, Suspense } from "react";
import { useStore } from "zustand";
import { isFinal } from "#api/job-status.ts";
import { LateBatchList } from "./batch/late-batch-list.tsx";
import { useDesk } from "./use-desk.ts";
import { useTrackedJobs } from "./use-tracked-jobs.ts";

const QueueList = lazy(() =>
  import("./queue-list.tsx").then(
    (module) => ({ default: module.QueueList }),
    () => ({
      default: () => <p className="px-[9px] text-[12px] text-ink-3">The queue did not load. Reload to see it.</p>,
    }),
  ),
);

/** `QueueList`, loaded with the first job that waits. */
export function LateQueueList() {
  const isUnsettled = useStore(useDesk().states, (states) =>
    Object.values(states).some(({ phase }) => phase === "unconfirmed"),
  );
  const isWaiting = useTrackedJobs().some(({ status }) => !isFinal(status));
  if (!isUnsettled && !isWaiting) return <LateBatchList />;
  return (
    <Suspense>
      <QueueList />
    </Suspense>
  );
}
