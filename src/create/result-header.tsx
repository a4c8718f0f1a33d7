import { Link } from "@tanstack/react-router";
import { Columns2 } from "lucide-react";
import { useMemo, useRef } from "react";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useDeletedMedia, useIsMediaDeleted } from "#media/deleted-media.ts";
import { resultCommands } from "#results/commands.ts";
import { JobDownload } from "#results/job-download.tsx";
import { otherModels } from "#results/viewer/compare/same-prompt.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { type JobRecord, tookMs } from "#storage/job-records.ts";
import { buttonClass } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";

/** What the job is and what can be done with it. */
export function ResultHeader({ job }: { job: JobRecord | undefined }) {
  const status = job?.status ?? "queued";
  const took = job && status === "success" ? tookMs(job) : undefined;
  return (
    <header className="@container flex min-h-[52px] shrink-0 items-center gap-2.5 border-line border-b px-5 py-2 max-sm:px-3">
      <span className="flex shrink-0 items-center font-medium tabular-nums">
        <JobStatus status={status} />
        {took !== undefined && <span className="whitespace-pre"> in {formatElapsed(took)}</span>}
      </span>
      <p dir="auto" className="m-0 min-w-0 flex-1 truncate text-left text-ink-2">
        {visibleLine(jobPrompt(job?.payload) ?? "")}
      </p>
      {job && <ResultActions job={job} />}
    </header>
  );
}

/** What can be done with the job; each act has its key and is listed in the command palette. */
function ResultActions({ job }: { job: JobRecord }) {
  const compareLink = useRef<HTMLAnchorElement>(null);
  const isDeleted = useIsMediaDeleted(job.requestId);
  const hasFiles = job.media.length > 0 && !isDeleted;
  const others = useOtherResults(job);
  const canCompare = hasFiles && others.length > 0;
  const compare = { ...resultCommands.compare, label: "Compare with another run", icon: Columns2 };
  useCommands(canCompare ? [{ ...compare, run: () => compareLink.current?.click() }] : []);
  const compareProps = useCommandProps(compare);
  if (!hasFiles) return null;
  return (
    <div className="flex shrink-0 items-center gap-2">
      {canCompare && (
        <Link
          {...compareProps}
          ref={compareLink}
          to="/history"
          search={{ compare: [job.requestId, ...others].join(",") }}
          preload={false}
          title={compare.label}
          className={buttonClass({ className: "max-sm:hidden" })}
        >
          <Columns2 aria-hidden="true" className="size-4" />
          {/* In a narrow pane its icon alone, so that the prompt can be read. */}
          <span className="@max-[560px]:sr-only">{resultCommands.compare.label}</span>
          <Kbd command={compare} className="@max-[560px]:hidden" />
        </Link>
      )}
      <JobDownload job={job} />
    </div>
  );
}

/** The results to compare with: those of other models from the same prompt, else the run before this one, or after it. */
function useOtherResults(job: JobRecord): string[] {
  const tracked = useTrackedJobs();
  const deleted = useDeletedMedia().jobs;
  return useMemo(() => {
    const { requestId } = job;
    const results = tracked.filter(
      (one) => one.requestId === requestId || (one.media.length > 0 && !deleted.has(one.requestId)),
    );
    const at = results.findIndex((one) => one.requestId === requestId);
    const [, ...models] = otherModels({ ...job, payload: job.payload ?? results[at]?.payload }, results, deleted);
    if (models.length > 0) return models.map((one) => one.requestId);
    const near = at < 0 ? undefined : (results[at + 1] ?? results[at - 1]);
    return near ? [near.requestId] : [];
  }, [job, tracked, deleted]);
}
