import type { ReactNode } from "react";
import { isJobRunning } from "#api/final-status.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { useDeletion } from "#media/deleted-media.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Skeleton } from "#ui/indicators.tsx";
import { EndNotice } from "./end-notice.tsx";
import { useFileRecords } from "./file-records.ts";
import { ResultFiles } from "./result-files.tsx";
import { useJobSchema } from "./settings/job-schema.ts";
import { UsedSettings } from "./settings/used-settings.tsx";

interface ResultBodyProps {
  job: JobRecord;
  /** Its own record is still to be read, and has the files. `error`: why it was not read. */
  awaited: { error: Error | null; retry: () => void } | undefined;
  /** Quiet buttons at the end of what was used. */
  links?: ReactNode;
}

/**
 * A job that is over, or has files already: its files, or why there are none and what can be done about it, and what was
 * used for it.
 */
export function ResultBody({ job, awaited, links }: ResultBodyProps) {
  const deletion = useDeletion(job.requestId);
  const { defaults } = useJobSchema(job.model);
  const files = useFileRecords(job, defaults);
  const hasFiles = job.media.length > 0 && !deletion;
  return (
    <>
      {hasFiles ? (
        <ResultFiles job={job} payload={job.payload ?? {}} files={files} />
      ) : awaited && !deletion ? (
        awaited.error ? (
          <ErrorNotice error={awaited.error} operation="read" onRetry={awaited.retry} />
        ) : (
          <Skeleton className="min-h-[200px] flex-1 rounded-md" />
        )
      ) : (
        <div className="grid min-h-[200px] flex-1 place-items-center">
          <EndNotice job={job} />
        </div>
      )}
      {hasFiles && isJobRunning(job) && (
        <p role="status" className="m-0 text-[12.5px] text-ink-3">
          More files may follow. The job is still running.
        </p>
      )}
      <UsedSettings job={job} files={files}>
        {links}
      </UsedSettings>
    </>
  );
}
