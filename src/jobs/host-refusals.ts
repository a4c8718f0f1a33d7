import type { JsonRecord } from "#lib/json.ts";
import { addressesIn } from "./shared-inputs.ts";
import type { TrackedJob } from "./use-tracked-jobs.ts";

// The service names no code for it (spec 4.1 rule 4), so the words of the reason decide.
const REFUSED = /\b(host|fetch|download|retrieve|url|link|forbidden|403|unreachable|inaccessible)\w*/i;

interface FailedJob {
  status: string;
  failureReason: string | undefined;
  payload: JsonRecord | undefined;
}

/** Addresses of inputs that a job failed on because their host refused the service; those the reason names, if any. */
export function refusedInputs({ status, failureReason: reason, payload }: FailedJob): string[] {
  if (status !== "failed" || !reason || !REFUSED.test(reason)) return [];
  const addresses = addressesIn(payload);
  const named = addresses.filter((address) => reason.includes(address));
  return named.length > 0 ? named : addresses;
}

/** The same of several jobs. */
export function refusedAddresses(jobs: readonly TrackedJob[]): ReadonlySet<string> {
  return new Set(
    jobs.flatMap(({ job, payload, status }) => refusedInputs({ status, failureReason: job?.failureReason, payload })),
  );
}
