import { isFinal } from "#api/job-status.ts";
import type { TrackedJob } from "#storage/tracked-jobs.ts";

/** Jobs that were running when last seen and are final now. A job that was final when first seen is no news. */
export function newlyFinished(before: ReadonlyMap<string, string>, now: readonly TrackedJob[]): TrackedJob[] {
  return now.filter(({ requestId, status }) => {
    const was = before.get(requestId);
    return was !== undefined && !isFinal(was) && isFinal(status);
  });
}

/** The sum of what finished, for a title: "2 done", "1 failed", "1 done, 1 failed". */
export function finishedText(finished: readonly TrackedJob[]): string {
  const done = finished.filter(({ status }) => status === "success").length;
  const rest = finished.length - done;
  return [done > 0 && `${done} done`, rest > 0 && `${rest} failed`].filter(Boolean).join(", ");
}
