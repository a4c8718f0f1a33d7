import type { Job } from "#api/types.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import type { TrackedJob } from "./use-tracked-jobs.ts";

type WithPayload = Pick<Job, "requestId" | "payload">;

/** Every web address in a payload, down to the eighth level. Never throws. */
export function addressesIn(payload: unknown, depth = 0): string[] {
  if (typeof payload === "string") return /^https?:\/\/\S+$/i.test(payload) ? [payload] : [];
  if (depth > 8) return [];
  if (Array.isArray(payload)) return payload.flatMap((entry) => addressesIn(entry, depth + 1));
  return isRecord(payload) ? Object.values(payload).flatMap((entry) => addressesIn(entry, depth + 1)) : [];
}

/** How many of the known jobs, other than these, were given one of the same inputs. Never throws. */
export function othersWithSameInput(jobs: readonly WithPayload[], known: readonly WithPayload[]): number {
  const own = new Set(jobs.map((job) => job.requestId));
  const inputs = new Set(jobs.flatMap((job) => addressesIn(job.payload)));
  if (inputs.size === 0) return 0;
  const others = known.filter((job) => !own.has(job.requestId));
  return others.filter((job) => addressesIn(job.payload).some((address) => inputs.has(address))).length;
}

// The service names no code for it (spec 4.1 rule 4), so the words of the reason decide.
const REFUSED = /\b(host|fetch|download|retrieve|url|link|forbidden|403|unreachable|inaccessible)\w*/i;

interface FailedJob {
  status: string;
  failureReason: string | undefined;
  payload: JsonRecord | undefined;
}

/**
 * Addresses of inputs that a job failed on because their host refused the service: those that the reason names, else all.
 * Never throws.
 */
export function refusedInputs({ status, failureReason: reason, payload }: FailedJob): string[] {
  if (status !== "failed" || !reason || !REFUSED.test(reason)) return [];
  const addresses = addressesIn(payload);
  const named = addresses.filter((address) => reason.includes(address));
  return named.length > 0 ? named : addresses;
}

/** The refused addresses of several jobs. Never throws. */
export function refusedAddresses(jobs: readonly TrackedJob[]): ReadonlySet<string> {
  return new Set(
    jobs.flatMap(({ job, payload, status }) => refusedInputs({ status, failureReason: job?.failureReason, payload })),
  );
}
