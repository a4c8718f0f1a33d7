import { type ReactNode, useMemo } from "react";
import { isFinal } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { useDeletion } from "#media/deleted-media.ts";
import type { TrackedJob } from "#storage/tracked-jobs.ts";
import { EndNotice } from "./end-notice.tsx";
import { useFileRecords } from "./file-records.ts";
import { useJobSchema } from "./job-schema.ts";
import { ResultFiles } from "./result-files.tsx";
import { payloadOf } from "./used-facts.ts";
import { UsedSettings } from "./used-settings.tsx";

interface ResultBodyProps {
  job: Job;
  tracked: TrackedJob | undefined;
  /** Quiet buttons at the end of what was used. */
  links?: ReactNode;
}

/**
 * A job that is over, or has files already: its files, or why there are none and what can be done about it, and what was
 * used for it.
 */
export function ResultBody({ job, tracked, links }: ResultBodyProps) {
  const deletion = useDeletion(job.requestId);
  const { defaults } = useJobSchema(job.model);
  const files = useFileRecords(job, tracked, defaults);
  const hasFiles = job.media.length > 0 && !deletion;
  return (
    <>
      {hasFiles ? (
        <ResultFiles job={job} payload={payloadOf(job, tracked)} files={files} />
      ) : (
        <div className="grid min-h-[200px] flex-1 place-items-center">
          <EndNotice job={job} tracked={tracked} />
        </div>
      )}
      {hasFiles && !isFinal(job.status) && (
        <p role="status" className="m-0 text-[12.5px] text-ink-3">
          More files may follow. The job is still running.
        </p>
      )}
      <UsedSettings job={job} tracked={tracked} files={files}>
        {links}
      </UsedSettings>
    </>
  );
}

/** The job as the service last reported it; where nothing was read yet, as far as this browser's own row tells it. */
export function useKnownJob(job: Job | undefined, tracked: TrackedJob | undefined): Job | undefined {
  return useMemo(() => {
    if (job || !tracked) return job;
    return {
      requestId: tracked.requestId,
      model: tracked.model,
      status: tracked.status,
      media: [],
      payload: tracked.payload,
      createdAtSeconds: undefined,
      updatedAtSeconds: undefined,
      failureReason: undefined,
      raw: {},
    };
  }, [job, tracked]);
}
