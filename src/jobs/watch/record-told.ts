import type { Job } from "#api/types.ts";
import { openRows } from "#storage/database.ts";
import type { RowChange } from "#storage/row.ts";
import { type TrackedJob, trackedKey, trackedRows } from "#storage/tracked-jobs.ts";
import { readReservations, reservationsChange, reservationsKey, withoutJob } from "../ledger/reservations.ts";
import { trackedChanges, withTold } from "../track-job.ts";
import { GONE } from "./is-active.ts";

/** Whether the record would say something else: anything less is not worth waking every tab for. */
export function isNews(before: TrackedJob, after: TrackedJob): boolean {
  return before.status !== after.status || before.job?.media.length !== after.job?.media.length;
}

/**
 * Changes tracked jobs, all in one transaction: rows, the refunds of failed ones, and what they held of the day's budget.
 * A failed job is refunded exactly (spec 3), so it no longer counts.
 */
async function change(
  accountId: string,
  requestIds: readonly string[],
  next: (tracked: TrackedJob) => TrackedJob,
): Promise<void> {
  const [first, ...others] = requestIds.map((id) => ({ store: "jobs" as const, key: trackedKey(accountId, id) }));
  if (!first) return;
  const reads = [{ store: "settings" as const, key: reservationsKey(accountId) }, ...others];
  await (await openRows()).edit({ ...first, also: ["ledger"], reads }, (row, [held, ...more]) => {
    const before = readReservations(held);
    let kept = before;
    const changes: RowChange[] = [];
    for (const stored of [row, ...more]) {
      const tracked = stored && trackedRows.read(stored.body, stored);
      const after = tracked && next(tracked);
      if (!tracked || !after || !isNews(tracked, after)) continue;
      changes.push(...trackedChanges(accountId, after));
      if (after.status === "failed") kept = withoutJob(kept, after.requestId);
    }
    if (kept.length !== before.length) changes.push(reservationsChange(accountId, kept));
    return { changes, result: undefined };
  });
}

/** Writes what the service told of tracked jobs, where it is news, with the refunds of failed ones. */
export async function recordTold(accountId: string, jobs: readonly Job[], nowMs = Date.now()): Promise<void> {
  const told = new Map(jobs.map((job) => [job.requestId, job]));
  await change(accountId, [...told.keys()], (tracked) => {
    const job = told.get(tracked.requestId);
    const known = tracked.status === GONE ? { ...tracked, status: "queued" } : tracked;
    return job ? withTold(known, job, nowMs) : tracked;
  }).catch(() => {});
}

/** Keeps a job that the service does not know any more, and says so. */
export async function recordGone(accountId: string, requestId: string): Promise<void> {
  await change(accountId, [requestId], (tracked) => ({ ...tracked, status: GONE })).catch(() => {});
}
