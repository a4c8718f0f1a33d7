import { isFinal, isJobRunning } from "#api/final-status.ts";
import { ledgerChange, ledgerId } from "#runs/ledger/ledger.ts";
import {
  type JobRecord,
  mergeRecords,
  type TrackedJob,
  trackedKey,
  trackedRows,
  withoutBulk,
} from "#storage/job-records.ts";
import type { RowChange } from "#storage/rows.ts";
import { putChange } from "#storage/typed-rows.ts";

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
