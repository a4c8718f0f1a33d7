import { isFinal } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { ledgerChange, ledgerId } from "#ledger/ledger.ts";
import type { RowChange } from "#storage/rows.ts";
import { type TrackedJob, trackedKey, trackedRows } from "#storage/tracked-jobs.ts";
import { putChange } from "#storage/typed-rows.ts";

/** Status of a job that the service did not know any more, three times over a minute. It is polled no more. */
export const GONE = "gone";
const OUTCOME_MAY_FOLLOW_MS = 60_000;

/** Whether a tracked job is still polled. A success without any file is, for a minute. Never throws. */
export function isActive(tracked: TrackedJob, nowMs: number): boolean {
  if (tracked.status === GONE) return false;
  if (!isFinal(tracked.status)) return true;
  const isEmpty = tracked.status === "success" && (tracked.job?.media.length ?? 0) === 0;
  return isEmpty && nowMs - (tracked.finishedAtMs ?? 0) < OUTCOME_MAY_FOLLOW_MS;
}

// Outcomes may hold whole files inline. What can be read again from the service stays out of the database.
const MOST_RAW_CHARACTERS = 32_000;

function withoutBulk(job: Job): Job {
  const small = JSON.stringify(job.raw).length <= MOST_RAW_CHARACTERS;
  const media = job.media.filter((item) => !item.url.startsWith("data:") && !item.url.startsWith("blob:"));
  return small && media.length === job.media.length ? job : { ...job, media, raw: {} };
}

/** The newer report of a job, except that a final status never goes back. Never throws. */
export function laterOf(known: Job | undefined, reported: Job): Job {
  return known && isFinal(known.status) && !isFinal(reported.status) ? known : reported;
}

/** The tracked job with what the service reports now. A final status never goes back. Never throws. */
export function withReported(tracked: TrackedJob, reported: Job, nowMs: number): TrackedJob {
  const job = laterOf(tracked.job, reported);
  if (isFinal(tracked.status) && !isFinal(job.status)) return tracked;
  const finished = isFinal(job.status);
  return {
    ...tracked,
    model: tracked.model ?? job.model,
    payload: Object.keys(tracked.payload).length > 0 ? tracked.payload : (job.payload ?? {}),
    status: job.status,
    ...(finished ? { finishedAtMs: tracked.finishedAtMs ?? nowMs } : {}),
    job: withoutBulk(job),
  };
}

/**
 * What to write when a tracked job stands as it does: its row, and the refund once it failed (spec 3: a failed job is
 * refunded automatically and exactly; the specification promises no refund for a cancelled one). Writes nothing by
 * itself. Never throws.
 */
export function trackedChanges(accountId: string, tracked: TrackedJob): RowChange[] {
  const changes = [putChange(trackedRows, accountId, trackedKey(accountId, tracked.requestId), tracked)];
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
