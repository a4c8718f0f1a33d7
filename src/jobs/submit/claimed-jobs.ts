import { trackedRows } from "#storage/tracked-jobs.ts";
import { readAll } from "#storage/typed-rows.ts";
import type { SubmitEffects } from "./submit-effects.ts";

/**
 * Ids that belong to an intent. Jobs that were brought in, or flagged beside another job, belong to none yet: they may
 * turn out to be the one that an open attempt is looking for.
 */
export async function claimedJobs({ rows, accountId }: Pick<SubmitEffects, "rows" | "accountId">): Promise<Set<string>> {
  const tracked = await readAll(rows, trackedRows, accountId);
  const belongs = tracked.filter(({ origin }) => origin !== "adopted" && origin !== "duplicate");
  return new Set(belongs.map(({ requestId }) => requestId));
}
