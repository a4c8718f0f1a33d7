import { Link } from "@tanstack/react-router";
import { endCharge } from "#api/charge-words.ts";
import { GONE, hasNoResult } from "#api/final-status.ts";
import type { JobRecord } from "#storage/job-records.ts";

/** Why a job ended without a result, in the service's words or ours. Undefined where there is nothing to say. */
export function endReason({ status, failureReason }: Pick<JobRecord, "status" | "failureReason">): string | undefined {
  if (status === GONE) return "The service no longer has this job.";
  if (failureReason !== undefined || status === "cancelled") return failureReason;
  return hasNoResult(status) ? "The service gave no reason." : undefined;
}

/** In the place of a result: why a job ended without one, and what is known of its charge. Nothing for any other job. */
export function NoResult({ job }: { job: JobRecord }) {
  const reason = endReason(job);
  const charge = endCharge(job);
  return (
    <>
      {reason !== undefined && (
        <p className="wrap-anywhere m-0 whitespace-pre-line">
          {reason}
          {job.failureReason === undefined && job.status !== GONE && (
            <>
              {" "}
              <Link
                to="/jobs/$requestId"
                params={{ requestId: job.requestId }}
                hash="record"
                className="text-ink underline underline-offset-2"
              >
                See the whole answer
              </Link>
            </>
          )}
        </p>
      )}
      {charge !== undefined && <p className="m-0 mt-1">{charge}</p>}
    </>
  );
}
