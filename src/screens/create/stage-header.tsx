import type { Job } from "#api/types.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { JobStatus } from "#jobs/job-status.tsx";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { formatElapsed } from "#lib/time.ts";
import { StageActions } from "./stage-actions.tsx";

const SHORTEST_MS = 100;

/** What the job is and what can be done with it. */
export function StageHeader({ job, tracked }: { job: Job | undefined; tracked: TrackedJob | undefined }) {
  const status = job?.status ?? tracked?.status ?? "queued";
  const took = tracked?.finishedAtMs === undefined ? undefined : tracked.finishedAtMs - tracked.submittedAtMs;
  return (
    <header className="flex min-h-[52px] items-center gap-2.5 border-line border-b px-[18px] py-2 max-sm:flex-wrap">
      <span className="flex shrink-0 items-center gap-1.5 tabular-nums">
        <JobStatus status={status} />
        {/* An answer within the submit has no time of its own to tell. */}
        {status === "success" && took !== undefined && took >= SHORTEST_MS && (
          <span className="text-ink-3">{formatElapsed(took)}</span>
        )}
      </span>
      <p className="m-0 min-w-0 flex-1 truncate text-ink-2 max-sm:basis-[60%]">
        {jobPrompt(job?.payload ?? tracked?.payload)}
      </p>
      {job && <StageActions job={job} />}
    </header>
  );
}
