import type { QueryClient } from "@tanstack/react-query";
import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { GONE, isFinal, isJobRunning } from "#api/final-status.ts";
import { ledgerChange, ledgerId } from "#runs/ledger/ledger.ts";
import { readReservations, reservationsChange, reservationsKey } from "#runs/ledger/spend-limits.ts";
import { withoutJob } from "#runs/rules/limits.ts";
import { openRows } from "#storage/database.ts";
import {
  isNews,
  type JobRecord,
  mergeRecords,
  type TrackedJob,
  trackedKey,
  trackedRows,
  withoutBulk,
} from "#storage/job-records.ts";
import type { RowChange } from "#storage/rows.ts";
import { isNewer, putChange } from "#storage/typed-rows.ts";
import { getPollControl } from "./poll-control.ts";

const OUTCOME_MAY_FOLLOW_MS = 60_000;

/** Whether a tracked job is still polled. A success without any file is, for a minute. */
export function isActive(tracked: TrackedJob, nowMs: number): boolean {
  if (isJobRunning(tracked)) return true;
  const isEmpty = tracked.status === "success" && tracked.media.length === 0;
  return isEmpty && nowMs - (tracked.finishedAtMs ?? 0) < OUTCOME_MAY_FOLLOW_MS;
}

/** A followed job with what the service reports now. `nowMs`: when it did, where the report does not say. */
export function withReported(tracked: TrackedJob, reported: JobRecord, nowMs: number): TrackedJob {
  // Another tab has read its files since this answer left the service.
  const isOlder = reported.reportedAtMs !== undefined && (tracked.reportedAtMs ?? 0) > reported.reportedAtMs;
  if (isOlder && tracked.status === reported.status && tracked.media.length > 0 && reported.media.length === 0)
    return tracked;
  const next = mergeRecords(tracked, reported);
  if (next === tracked) return tracked;
  const isOver = isFinal(next.status);
  const reportedAtMs = reported.reportedAtMs ?? nowMs;
  return { ...next, reportedAtMs, ...(isOver ? { finishedAtMs: tracked.finishedAtMs ?? nowMs } : {}) };
}

/**
 * What to write when a tracked job stands as it does: its row, and the refund once it failed (spec 3: a failed job is
 * refunded automatically and exactly; the specification promises no refund for a cancelled one). Writes nothing by
 * itself.
 */
export function trackedChanges(accountId: string, tracked: TrackedJob): RowChange[] {
  const key = trackedKey(accountId, tracked.requestId);
  const changes = [putChange(trackedRows, accountId, key, withoutBulk(tracked))];
  if (tracked.status === "failed" && tracked.priceMicroUsd !== undefined) {
    const line = {
      id: ledgerId.refund(accountId, tracked.requestId),
      atMs: tracked.finishedAtMs ?? tracked.submittedAtMs,
      kind: "refunded",
      evidence: "status-failed",
      amountMicroUsd: tracked.priceMicroUsd,
      model: tracked.model,
      requestId: tracked.requestId,
      intentId: undefined,
    } as const;
    changes.push(ledgerChange(accountId, line));
  }
  return changes;
}

/**
 * Changes tracked jobs, all in one transaction: rows, the refunds of failed ones, and their reservations under the limit of the day.
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
  await (await openRows()).edit({ ...first, also: ["ledger"], reads }, (row, [reservations, ...more]) => {
    const before = readReservations(reservations);
    let remaining = before;
    const changes: RowChange[] = [];
    for (const stored of [row, ...more]) {
      const tracked = isNewer(trackedRows, stored) ? undefined : stored && trackedRows.read(stored.body, stored);
      const after = tracked && next(tracked);
      // After a write every tab makes its lists anew.
      if (!tracked || !after || !isNews(tracked, withoutBulk(after))) continue;
      changes.push(...trackedChanges(accountId, after));
      if (after.status === "failed") remaining = withoutJob(remaining, after.requestId);
    }
    if (remaining.length !== before.length) changes.push(reservationsChange(accountId, remaining));
    return { changes, result: undefined };
  });
}

/** Stores what the service reported of tracked jobs, where it is news, with the refunds of failed ones. Never rejects. */
export async function recordReported(accountId: string, jobs: readonly JobRecord[], nowMs = Date.now()): Promise<void> {
  const reported = new Map(jobs.map((job) => [job.requestId, job]));
  await change(accountId, [...reported.keys()], (tracked) => {
    const job = reported.get(tracked.requestId);
    const known = tracked.status === GONE ? { ...tracked, status: "queued" } : tracked;
    return job ? withReported(known, job, nowMs) : tracked;
  }).catch(() => {});
}

/** Marks a job that the service does not know any more. Its row stays, and so does the end that it had. Never rejects. */
async function recordGone(accountId: string, requestId: string): Promise<void> {
  await change(accountId, [requestId], (tracked) =>
    isFinal(tracked.status) ? tracked : { ...tracked, status: GONE, reportedAtMs: Date.now() },
  ).catch(() => {});
}

/** The job id of a detail query's key, or undefined for any other key. */
function detailId(queryKey: readonly unknown[]): string | undefined {
  const [family, kind, id] = queryKey;
  return family === "jobs" && kind === "detail" && typeof id === "string" ? id : undefined;
}

/**
 * Stores whatever is reported to any screen of this tab of a tracked job, as it arrives in the cache: from its row the other
 * tabs read it. Returns the way to stop. Never throws: what could not be stored is reported again.
 */
export function recordFromCache({
  api,
  accountId,
  queryClient,
}: {
  api: Api;
  accountId: string;
  queryClient: QueryClient;
}): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const requestId = detailId(event.query.queryKey);
    if (requestId === undefined) return;
    // Set by hand: it came from a list call that records it itself.
    if (event.action.type === "success" && !event.action.manual) {
      void recordReported(accountId, [event.query.state.data as JobRecord]);
    }
    const { error } = event.query.state;
    const isGone = error instanceof RefusedError && error.status === 404 && getPollControl(api).isGone(requestId);
    if (event.action.type === "error" && isGone) void recordGone(accountId, requestId);
  });
}
