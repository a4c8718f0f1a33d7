import { isFinal } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { statusWords } from "#jobs/job-status.tsx";
import { ResultBody } from "#jobs/result/result-body.tsx";
import { ResultFooter } from "#jobs/result/result-footer.tsx";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";
import { WaitingTime } from "#jobs/waiting/waiting-time.tsx";
import { Spinner } from "#ui/indicators.tsx";

interface JobResultProps {
  job: Job;
  tracked: TrackedJob | undefined;
}

/** The files of a job, or what is shown in their place; below them what was used and what can be done next. */
export function JobResult({ job, tracked }: JobResultProps) {
  const isShown = isFinal(job.status) || job.media.length > 0;
  return (
    <section
      aria-label="Result"
      className="flex min-w-0 flex-1 flex-col lg:not-short:min-h-0 lg:not-short:overflow-y-auto"
    >
      <div className="flex flex-1 flex-col gap-3.5 px-5 pt-4 pb-3.5 max-sm:px-3 md:max-lg:min-h-[70dvh] md:short:min-h-[420px]">
        {isShown ? (
          <ResultBody job={job} tracked={tracked} />
        ) : (
          <Running job={job} submittedAtMs={tracked?.submittedAtMs} />
        )}
      </div>
      {isShown && (
        <div className="sticky bottom-0 bg-canvas max-lg:static short:static">
          <ResultFooter job={job} tracked={tracked} />
        </div>
      )}
    </section>
  );
}

function Running({ job, submittedAtMs }: { job: Job; submittedAtMs: number | undefined }) {
  const createdAtMs = job.createdAtSeconds === undefined ? undefined : job.createdAtSeconds * 1000;
  const since = submittedAtMs ?? createdAtMs;
  return (
    <div className="grid aspect-video w-full place-items-center rounded-md bg-well">
      <div className="flex flex-col items-center gap-2 text-ink-2">
        <Spinner />
        <p role="status" className="m-0">
          The job is running{job.status === "unknown" ? "" : `: ${statusWords(job.status).word.toLowerCase()}`}.
        </p>
        <WaitingTime requestId={job.requestId} model={job.model} sinceMs={since} />
      </div>
    </div>
  );
}
