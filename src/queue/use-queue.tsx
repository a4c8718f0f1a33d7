import { type ReactNode, useEffect } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { isFinal } from "#api/final-status.ts";
import { type Batches, useBatches, useStoredBatches } from "#batch/runner/use-batches.ts";
import { isUnderWay, useUploadStore } from "#media/upload/upload-store.ts";
import { type Run, useSubmissions } from "#runs/submit/submissions.ts";
import { useTrackedJobs } from "#runs/use-jobs.ts";
import { queueEntries } from "./queue-entries.ts";
import { markSeen, OPENED_AT_MS, type ShownPlace, useSeenResults, useShownPlace } from "./seen-results.ts";

export interface Queue extends ReturnType<typeof queueEntries> {
  /** A file is on its way: that ends with the page. */
  isUploading: boolean;
  batches: Batches | undefined;
  shown: ShownPlace;
}

interface WithQueueProps {
  children: (queue: Queue) => ReactNode;
}

/** Gives the queue to its child, whenever it changes. It does not change with the seconds that pass. */
export function WithQueue({ children }: WithQueueProps) {
  const hasBatches = useStoredBatches().length > 0;
  // Without a batch the outbox is not read.
  return hasBatches ? <WithBatches>{children}</WithBatches> : <WithoutBatches>{children}</WithoutBatches>;
}

function WithBatches({ children }: WithQueueProps) {
  return children(useQueue(useBatches()));
}

function WithoutBatches({ children }: WithQueueProps) {
  return children(useQueue(undefined));
}

const shownRuns = (runs: readonly Run[]) => runs.filter(({ isShown }) => isShown);

function useQueue(batches: Batches | undefined): Queue {
  const shown = useShownPlace();
  const tracked = useTrackedJobs();
  const sources = {
    tracked,
    // Those of a batch change three times each, inside their batch.
    runs: useStore(useSubmissions().runs, useShallow(shownRuns)),
    batches: batches?.views ?? [],
    uploads: useUploadStore((state) => state.uploads),
    seen: useSeenResults((state) => state.seen),
    shownId: shown.requestId,
    sinceMs: OPENED_AT_MS,
  };
  const isSeen = tracked.some(({ requestId, status }) => requestId === shown.requestId && isFinal(status));
  useEffect(() => {
    if (isSeen && shown.requestId !== undefined) markSeen(shown.requestId);
  }, [isSeen, shown.requestId]);
  return { ...queueEntries(sources), isUploading: sources.uploads.some(isUnderWay), batches, shown };
}

/** How many are under way. */
export function QueueBadge() {
  return (
    <WithQueue>
      {({ unfinished }) =>
        unfinished > 0 && (
          <span className="block rounded-full bg-queued/25 px-1.5 text-center font-semibold text-[12px] text-queued leading-5 tabular-nums">
            {unfinished}
          </span>
        )
      }
    </WithQueue>
  );
}
