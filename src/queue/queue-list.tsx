import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ListVideo } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { isFinal } from "#api/jobs.ts";
import { type Batches, useBatches, useStoredBatches } from "#batch/runner/use-batches.ts";
import { formatNumber } from "#lib/numbers.ts";
import { isUnderWay, useUploadStore } from "#media/upload/upload-store.ts";
import { useUsualTimes } from "#results/waiting/usual-time.ts";
import { usePollPause } from "#runs/poll/poll-control.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { type Run, useSubmissions } from "#runs/submit/submissions.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { BatchRow } from "./batch-row.tsx";
import { queueCommands } from "./commands.ts";
import {
  markSeen,
  OPENED_AT_MS,
  queueEntries,
  type ShownPlace,
  useSeenResults,
  useShownPlace,
} from "./queue-entries.ts";
import { JobRow, type QueueSize, SubmitRow, UploadRow } from "./queue-rows.tsx";

export interface Queue extends ReturnType<typeof queueEntries> {
  /** A file is being uploaded. That ends with the page. */
  isUploading: boolean;
  batches: Batches | undefined;
  shown: ShownPlace;
}

interface WithQueueProps {
  children: (queue: Queue) => ReactNode;
}

/** Calls its child with the queue whenever the queue changes. It does not change with the seconds that pass. */
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
    // Runs of batches are left out: each changes three times, and is shown inside its batch.
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

/** The number of entries that are under way. */
export function QueueBadge() {
  return (
    <WithQueue>
      {({ unfinished }) =>
        unfinished > 0 && (
          <span className="block rounded-full bg-queued/25 px-1.5 text-center font-semibold text-xs text-queued leading-relaxed tabular-nums">
            {formatNumber(unfinished)}
          </span>
        )
      }
    </WithQueue>
  );
}

interface QueueListProps {
  size: QueueSize;
  /** The rail is folded and shows tiles alone. */
  isFolded?: boolean | undefined;
  /** Called when something was pressed that leads elsewhere. */
  onOpen?: (() => void) | undefined;
}

const DO_NOTHING = () => {};

/** The queue, in the rail or in the sheet of a phone: what uploads, waits or runs, and what has just finished. */
export function QueueList(props: QueueListProps) {
  return <WithQueue>{(queue) => <QueueBody {...props} queue={queue} />}</WithQueue>;
}

function QueueBody({ queue, size, isFolded = false, onOpen = DO_NOTHING }: QueueListProps & { queue: Queue }) {
  const { entries, more, unfinished, batches, shown } = queue;
  const times = useUsualTimes();
  const isRail = size === "rail";
  useCommands(isRail && entries.length > 0 ? [{ ...queueCommands.open, icon: ListVideo, run: focusQueue }] : []);
  if (entries.length === 0) {
    return isRail ? null : <EmptyState title="The queue is empty">Uploads and running jobs appear here.</EmptyState>;
  }
  return (
    <section aria-label="Queue" id={isRail ? "queue" : undefined}>
      {isRail && (
        <h2 className="m-0 flex items-center px-2 pt-3 pb-1.5 font-normal text-sm text-ink-3 folded:min-h-9.25 folded:justify-center">
          <span className="folded:sr-only">Queue</span>
          {unfinished > 0 && <span className="ms-auto tabular-nums folded:ms-0">{formatNumber(unfinished)}</span>}
        </h2>
      )}
      <RefusedKey className={isRail ? "mx-2 mb-2 folded:hidden" : "mb-2"} />
      <ul className={clsx("m-0 list-none p-0", isRail ? "flex flex-col gap-0.5" : "divide-y divide-line")}>
        {entries.map((entry) => (
          <li key={entry.key} className={clsx("min-w-0", isRail && "[contain-intrinsic-size:auto_52px]")}>
            {entry.kind === "job" ? (
              <JobRow job={entry.job} isDone={entry.isDone} size={size} shown={shown} times={times} onOpen={onOpen} />
            ) : entry.kind === "upload" ? (
              <UploadRow upload={entry.upload} size={size} onOpen={onOpen} />
            ) : entry.kind === "submit" ? (
              <SubmitRow request={entry.request} state={entry.state} size={size} onOpen={onOpen} />
            ) : (
              batches && (
                <BatchRow view={entry.view} batches={batches} size={size} isFolded={isFolded} onOpen={onOpen} />
              )
            )}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Link
          to="/history"
          search={{ status: "queued" }}
          onClick={onOpen}
          className="flex min-h-8 items-center px-2 text-sm text-ink-2 underline decoration-line-strong underline-offset-2 hover:text-ink pointer-coarse:min-h-11"
        >
          {formatNumber(more)} more
        </Link>
      )}
    </section>
  );
}

/** Moves the focus to the first entry in the rail, so that Tab continues from there. */
function focusQueue(): void {
  document.querySelector<HTMLElement>("#queue :is(a, button)")?.focus();
}

/** A warning that the service rejects the key, so that nothing is updated. */
function RefusedKey({ className }: { className: string }) {
  const { isPaused, resume } = usePollPause();
  if (!isPaused) return null;
  return (
    <div
      role="alert"
      className={clsx("rounded-sm border border-unconfirmed/35 bg-unconfirmed-soft p-2.5 text-xs", className)}
    >
      <p className="m-0 font-medium text-ink">API key rejected</p>
      <p className="m-0 mt-0.5 mb-2 text-ink-2">Your jobs keep running. Connect again, or try again with this key.</p>
      <Button size="sm" onClick={resume}>
        Try again
      </Button>
    </div>
  );
}
