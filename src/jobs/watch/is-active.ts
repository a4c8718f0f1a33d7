import { isFinal } from "#api/job-status.ts";
import type { TrackedJob } from "#storage/tracked-jobs.ts";

/** A job that the service did not know any more, three times over a minute. Kept, and asked after only by hand. */
export const GONE = "gone";
const OUTCOME_MAY_FOLLOW_MS = 60_000;

/** Whether a tracked job is still asked after. A success without any file is looked at again for a minute. */
export function isActive(tracked: TrackedJob, nowMs: number): boolean {
  if (tracked.status === GONE) return false;
  if (!isFinal(tracked.status)) return true;
  const isEmpty = tracked.status === "success" && (tracked.job?.media.length ?? 0) === 0;
  return isEmpty && nowMs - (tracked.finishedAtMs ?? 0) < OUTCOME_MAY_FOLLOW_MS;
}
