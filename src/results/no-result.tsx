import { Link } from "@tanstack/react-router";
import { endCharge } from "#api/charge-words.ts";
import { GONE } from "#api/jobs.ts";
import { endReason } from "#runs/job-facts.ts";
import type { JobRecord } from "#storage/job-records.ts";

/** Says why a job ended without a result, and what is known of its charge. Nothing for any other job. */
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
              <RawResponseLink requestId={job.requestId} />
            </>
          )}
        </p>
      )}
      {charge !== undefined && <p className="m-0 mt-1">{charge}</p>}
    </>
  );
}

/** Leads to the record of a job as the service sent it. */
export function RawResponseLink({ requestId }: { requestId: string }) {
  return (
    <Link to="/jobs/$requestId" params={{ requestId }} hash="record" className="text-ink underline underline-offset-2">
      View raw response
    </Link>
  );
}
