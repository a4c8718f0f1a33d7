import type { Job } from "#api/types.ts";
import { isRecord } from "#lib/json.ts";

type WithPayload = Pick<Job, "requestId" | "payload">;

/** Every web address in a payload, however deep. */
export function addressesIn(payload: unknown, depth = 0): string[] {
  if (typeof payload === "string") return /^https?:\/\/\S+$/i.test(payload) ? [payload] : [];
  if (depth > 8) return [];
  if (Array.isArray(payload)) return payload.flatMap((entry) => addressesIn(entry, depth + 1));
  return isRecord(payload) ? Object.values(payload).flatMap((entry) => addressesIn(entry, depth + 1)) : [];
}

/** How many of the known jobs, other than these, were given one of the same inputs. */
export function othersWithSameInput(jobs: readonly WithPayload[], known: readonly WithPayload[]): number {
  const own = new Set(jobs.map((job) => job.requestId));
  const inputs = new Set(jobs.flatMap((job) => addressesIn(job.payload)));
  if (inputs.size === 0) return 0;
  const others = known.filter((job) => !own.has(job.requestId));
  return others.filter((job) => addressesIn(job.payload).some((address) => inputs.has(address))).length;
}
