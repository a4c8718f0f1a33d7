import { isFinal } from "#api/job-status.ts";
import type { Job } from "#api/types.ts";
import type { RowChange } from "#storage/row.ts";
import { type TrackedJob, trackedKey, trackedRows } from "#storage/tracked-jobs.ts";
import { putChange } from "#storage/typed-rows.ts";
import { ledgerChange, ledgerId } from "./ledger/ledger-line.ts";

/** Outcomes may hold whole files inline; the record keeps what can be read again from the service out of the database. */
const MOST_RAW_CHARACTERS = 32_000;

export function withoutBulk(job: Job): Job {
  const small = JSON.stringify(job.raw).length <= MOST_RAW_CHARACTERS;
  const media = job.media.filter((item) => !item.url.startsWith("data:") && !item.url.startsWith("blob:"));
  return small && media.length === job.media.length ? job : { ...job, media, raw: {} };
}

/** A final status never goes back; whatever else the service tells later is taken over. */
export function laterOf(known: Job | undefined, told: Job): Job {
  return known && isFinal(known.status) && !isFinal(told.status) ? known : told;
}

/** The tracked job with what the service tells now. */
export function withTold(tracked: TrackedJob, told: Job, nowMs: number): TrackedJob {
  const job = laterOf(tracked.job, told);
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
 * refunded automatically and exactly; of a cancelled one the specification does not say so).
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
