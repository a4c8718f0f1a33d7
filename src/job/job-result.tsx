import { isJobRunning } from "#api/final-status.ts";
import { ResultBody } from "#results/result-body.tsx";
import { ResultFooter } from "#results/result-footer.tsx";
import { ResultWaiting } from "#results/result-waiting.tsx";
import type { JobRecord } from "#storage/job-records.ts";

interface JobResultProps {
  job: JobRecord;
  isAwaitingFiles: boolean;
}

// Why it could not be read stands above, for the whole page.
const ON_ITS_WAY = { error: null, retry: () => {} };

/** The files of a job, or what is shown in their place; below them what was used and what can be done next. */
export function JobResult({ job, isAwaitingFiles }: JobResultProps) {
  const isShown = !isJobRunning(job) || job.media.length > 0;
  return (
    <section
      aria-label="Result"
      className="flex min-w-0 flex-1 flex-col lg:not-short:min-h-0 lg:not-short:overflow-y-auto"
    >
      {isShown ? (
        <div className="@container flex flex-1 flex-col gap-3.5 px-5 pt-4 pb-3.5 max-sm:px-3 md:max-lg:min-h-[70dvh] md:short:min-h-[450px]">
          <ResultBody job={job} awaited={isAwaitingFiles ? ON_ITS_WAY : undefined} />
        </div>
      ) : (
        <ResultWaiting job={job} isJobPage />
      )}
      {isShown && (
        <div className="sticky bottom-0 bg-canvas max-lg:static short:static">
          <ResultFooter job={job} />
        </div>
      )}
    </section>
  );
}
