import { addressesIn } from "#jobs/shared-inputs.ts";
import type { TrackedJob } from "#jobs/use-tracked-jobs.ts";

// The service names no code for it (spec 4.1 rule 4), so the words of the reason decide.
const REFUSED = /\b(host|fetch|download|retrieve|url|link|forbidden|403|unreachable|inaccessible)\w*/i;

/** Addresses of inputs that jobs failed on because their host refused the service. */
export function refusedAddresses(jobs: readonly TrackedJob[]): ReadonlySet<string> {
  const found = jobs.flatMap(({ job, payload, status }) => {
    const reason = job?.failureReason;
    if (status !== "failed" || !reason || !REFUSED.test(reason)) return [];
    const addresses = addressesIn(payload);
    const named = addresses.filter((address) => reason.includes(address));
    return named.length > 0 ? named : addresses;
  });
  return new Set(found);
}
