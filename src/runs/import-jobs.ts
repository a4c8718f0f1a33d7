import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/jobs.ts";
import type { Job } from "#api/types.ts";
import { ledgerChange, ledgerId, trackedChanges } from "#runs/ledger/ledger.ts";
import { openRows } from "#storage/database.ts";
import { newRecord, type TrackedJob, trackedKey, withReported } from "#storage/job-records.ts";
import type { RowChange } from "#storage/rows.ts";

/** How many jobs one transaction writes. After every write all screens read their jobs anew, so jobs are not written singly. */
const JOBS_PER_WRITE = 100;

function importedJob(job: Job, nowMs: number): TrackedJob {
  const createdAtMs = job.createdAtSeconds === undefined ? nowMs : job.createdAtSeconds * 1000;
  const tracked = newRecord({ requestId: job.requestId, submittedAtMs: createdAtMs, origin: "imported" });
  const endedAtMs = job.updatedAtSeconds === undefined ? nowMs : job.updatedAtSeconds * 1000;
  const reported = { ...job, reportedAtMs: nowMs };
  return withReported(tracked, reported, isFinal(job.status) ? endedAtMs : nowMs);
}

/** What importing a job writes: its row, from which it is watched, and a ledger line without a price. */
function importChanges(accountId: string, job: Job, nowMs: number, hasLine: boolean): RowChange[] {
  const tracked = importedJob(job, nowMs);
  const line = ledgerChange(accountId, {
    id: ledgerId.charge(accountId, job.requestId),
    atMs: tracked.submittedAtMs,
    kind: "charged",
    evidence: "imported",
    amountMicroUsd: undefined,
    model: job.model,
    requestId: job.requestId,
    intentId: undefined,
  });
  // A failed job was refunded exactly (spec 3), so no line of an unknown amount is needed for it.
  const changes = trackedChanges(accountId, tracked);
  // A line that exists already has the price: only the job's row was lost.
  return tracked.status === "failed" || hasLine ? changes : [...changes, line];
}

interface ImportOptions {
  nowMs?: number;
  /** Called after each write: how many jobs of the list are done, and how many of them were new. */
  onPart?: (done: number, added: number) => Promise<void>;
}

/**
 * Makes jobs that other clients submitted known to this browser. A job that is known already stays as it is. Resolves to
 * the number of new ones. Rejects with `StorageError` where a write failed; what was written before stays.
 */
export async function importJobs(
  accountId: string,
  jobs: readonly Job[],
  { nowMs = Date.now(), onPart }: ImportOptions = {},
): Promise<number> {
  const rows = await openRows();
  let added = 0;
  for (let from = 0; from < jobs.length; from += JOBS_PER_WRITE) {
    const part = jobs.slice(from, from + JOBS_PER_WRITE);
    const keys = part.map(({ requestId }) => ({ store: "jobs" as const, key: trackedKey(accountId, requestId) }));
    const lines = part.map(({ requestId }) => ({
      store: "ledger" as const,
      key: ledgerId.charge(accountId, requestId),
    }));
    const [first, ...reads] = [...keys, ...lines];
    if (!first) break;
    added += await rows.edit<number>({ ...first, also: ["ledger"], reads }, (row, others) => {
      const stored = [row, ...others];
      let newCount = 0;
      const changes = part.flatMap((job, index) => {
        if (stored[index] !== undefined) return [];
        newCount += 1;
        return importChanges(accountId, job, nowMs, stored[part.length + index] !== undefined);
      });
      return { changes, result: newCount };
    });
    await onPart?.(from + part.length, added);
  }
  return added;
}

/**
 * Imports one job by its id. Resolves to 1 where it was new, else to 0. Rejects with `UnusableIdError` before anything is
 * sent, with an `ApiError` where the service does not show the job to this key, or with `StorageError`.
 */
export async function importOneJob(api: Api, accountId: string, requestId: string): Promise<number> {
  return importJobs(accountId, [await api.getJob(requestId)]);
}
