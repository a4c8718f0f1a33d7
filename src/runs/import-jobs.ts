import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/jobs.ts";
import type { Job } from "#api/types.ts";
import { ledgerChange, ledgerId, trackedChanges } from "#runs/ledger/ledger.ts";
import { openRows } from "#storage/database.ts";
import { newRecord, type TrackedJob, trackedKey, withReported } from "#storage/job-records.ts";
import type { RowChange } from "#storage/rows.ts";

const AT_ONCE = 100;

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
  // A line that is there knows more: the job's row may have been lost, and what it cost was not.
  return tracked.status === "failed" || hasLine ? changes : [...changes, line];
}

interface ImportOptions {
  nowMs?: number;
  /** After each part that was written: how many jobs of the list are through, and how many of them were new. */
  onPart?: (through: number, added: number) => Promise<void>;
}

/**
 * Makes jobs that other clients submitted known to this browser. A job that is known already stays as it is. Resolves to
 * the number of new ones. Rejects with `StorageError` where a write failed; the hundreds written before stay.
 */
export async function importJobs(
  accountId: string,
  jobs: readonly Job[],
  { nowMs = Date.now(), onPart }: ImportOptions = {},
): Promise<number> {
  const rows = await openRows();
  let added = 0;
  // Many at a time, because after every write all who show jobs read them anew.
  for (let from = 0; from < jobs.length; from += AT_ONCE) {
    const part = jobs.slice(from, from + AT_ONCE);
    const keys = part.map(({ requestId }) => ({ store: "jobs" as const, key: trackedKey(accountId, requestId) }));
    const lines = part.map(({ requestId }) => ({
      store: "ledger" as const,
      key: ledgerId.charge(accountId, requestId),
    }));
    const [first, ...reads] = [...keys, ...lines];
    if (!first) break;
    added += await rows.edit<number>({ ...first, also: ["ledger"], reads }, (row, others) => {
      const known = [row, ...others];
      let fresh = 0;
      const changes = part.flatMap((job, index) => {
        if (known[index] !== undefined) return [];
        fresh += 1;
        return importChanges(accountId, job, nowMs, known[part.length + index] !== undefined);
      });
      return { changes, result: fresh };
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
