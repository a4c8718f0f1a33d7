import { Link } from "@tanstack/react-router";
import { Columns2, Download, Repeat2 } from "lucide-react";
import { useRef } from "react";
import type { Job } from "#api/types.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { JobStatus } from "#jobs/job-status.tsx";
import { type TrackedJob, useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { formatElapsed } from "#lib/time.ts";
import { useDeletedMedia, useIsMediaDeleted } from "#media/deleted-media.ts";
import { DownloadButton } from "#media/download/download-button.tsx";
import { buttonClass } from "#ui/button.tsx";
import { type Command, useCommands } from "#ui/command-store.ts";
import { Kbd } from "#ui/shortcuts.tsx";

const SHORTEST_MS = 100;

/** What the job is and what can be done with it. */
export function ResultHeader({ job, tracked }: { job: Job | undefined; tracked: TrackedJob | undefined }) {
  const status = job?.status ?? tracked?.status ?? "queued";
  const took = tracked?.finishedAtMs === undefined ? undefined : tracked.finishedAtMs - tracked.submittedAtMs;
  return (
    <header className="flex min-h-[52px] items-center gap-2.5 border-line border-b px-[18px] py-2 max-sm:flex-wrap">
      <span className="flex shrink-0 items-center gap-1.5 tabular-nums">
        <JobStatus status={status} />
        {/* An answer within the submit has no time that is worth showing. */}
        {status === "success" && took !== undefined && took >= SHORTEST_MS && (
          <span className="text-ink-3">{formatElapsed(took)}</span>
        )}
      </span>
      <p className="m-0 min-w-0 flex-1 truncate text-ink-2 max-sm:basis-[60%]">
        {jobPrompt(job?.payload ?? tracked?.payload)}
      </p>
      {job && <ResultActions job={job} />}
    </header>
  );
}

/** What can be done with the job; each act has its key and is listed in the command palette. */
function ResultActions({ job }: { job: Job }) {
  const bar = useRef<HTMLDivElement>(null);
  const press = (keys: string) => bar.current?.querySelector<HTMLElement>(`[aria-keyshortcuts=${keys}]`)?.click();
  const isDeleted = useIsMediaDeleted(job.requestId);
  const hasFiles = job.media.length > 0 && !isDeleted;
  const other = useOtherResult(job.requestId);
  const canCompare = hasFiles && other !== undefined;
  const canRemix = job.model !== undefined;
  useCommands([
    ...(canCompare ? [command("Compare with another run", "m", Columns2, press)] : []),
    ...(canRemix ? [command("Remix: same settings, new seed", "r", Repeat2, press)] : []),
    ...(hasFiles ? [command("Download", "d", Download, press)] : []),
  ]);
  return (
    <div ref={bar} className="flex shrink-0 items-center gap-2">
      {canCompare && (
        <Link
          to="/history"
          search={{ compare: `${job.requestId},${other}` }}
          preload={false}
          aria-keyshortcuts="m"
          className={buttonClass({ size: "sm" })}
        >
          Compare
          <Kbd keys="m" />
        </Link>
      )}
      {canRemix && (
        <Link
          to="/create/$modelId"
          params={{ modelId: job.model ?? "" }}
          search={{ job: job.requestId, from: job.requestId, keep: "noseed" }}
          preload={false}
          aria-keyshortcuts="r"
          className={buttonClass({ size: "sm" })}
        >
          Remix
          <Kbd keys="r" />
        </Link>
      )}
      {hasFiles && <DownloadButton job={job} size="sm" shortcut="d" />}
    </div>
  );
}

function command(label: string, keys: string, icon: Command["icon"], press: (keys: string) => void): Command {
  return { id: `result-${keys}`, label, group: "On the stage", keys, icon, run: () => press(keys) };
}

/** The result to compare with: the run before this one, else the run after it. */
function useOtherResult(requestId: string): string | undefined {
  const deleted = useDeletedMedia().jobs;
  const results = useTrackedJobs().filter(
    (job) => (job.job?.media.length && !deleted.has(job.requestId)) || job.requestId === requestId,
  );
  const at = results.findIndex((job) => job.requestId === requestId);
  return at < 0 ? undefined : (results[at + 1] ?? results[at - 1])?.requestId;
}
