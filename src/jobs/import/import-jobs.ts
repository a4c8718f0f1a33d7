import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/job-status.ts";
import type { Job } from "#api/types.ts";
import { openRows } from "#storage/database.ts";
import type { RowChange } from "#storage/row.ts";
import { type TrackedJob, trackedKey } from "#storage/tracked-jobs.ts";
import { ledgerChange, ledgerId } from "../ledger/ledger-line.ts";
import { trackedChanges, withTold } from "../track-job.ts";

const MOST_JOBS = 1000;
const AT_ONCE = 100;

function adopted(job: Job, nowMs: number): TrackedJob {
  const createdAtMs = job.createdAtSeconds === undefined ? nowMs : job.createdAtSeconds * 1000;
  const tracked: TrackedJob = {
    requestId: job.requestId,
    model: job.model,
    payload: job.payload ?? {},
    priceMicroUsd: undefined,
    submittedAtMs: createdAtMs,
    status: job.status,
    origin: "adopted",
  };
  const endedAtMs = job.updatedAtSeconds === undefined ? nowMs : job.updatedAtSeconds * 1000;
  return withTold(tracked, job, isFinal(job.status) ? endedAtMs : nowMs);
}

/** What adopting a job writes: it is watched to its end, and a line says that its price is not known. */
function adoptChanges(accountId: string, job: Job, nowMs: number): RowChange[] {
  const tracked = adopted(job, nowMs);
  const line = ledgerChange(accountId, {
    id: ledgerId.charge(accountId, job.requestId),
    atMs: tracked.submittedAtMs,
    kind: "charged",
    evidence: "brought-in",
    amountMicroUsd: undefined,
    model: job.model,
    requestId: job.requestId,
    intentId: undefined,
  });
  // A failed job was refunded exactly (spec 3), so no line of an unknown amount is needed for it.
  const changes = trackedChanges(accountId, tracked);
  return tracked.status === "failed" ? changes : [...changes, line];
}

/**
 * Makes jobs of other clients ours. A job that is known already stays as it is. Tells how many were new. Many at a time,
 * because every write wakes all who show the jobs.
 */
export async function adoptJobs(accountId: string, jobs: readonly Job[], nowMs = Date.now()): Promise<number> {
  const rows = await openRows();
  let added = 0;
  for (let from = 0; from < jobs.length; from += AT_ONCE) {
    const part = jobs.slice(from, from + AT_ONCE);
    const keys = part.map(({ requestId }) => ({ store: "jobs" as const, key: trackedKey(accountId, requestId) }));
    const [first, ...reads] = keys;
    if (!first) break;
    added += await rows.edit<number>({ ...first, also: ["ledger"], reads }, (row, others) => {
      const known = [row, ...others];
      const fresh = part.filter((_job, index) => known[index] === undefined);
      return { changes: fresh.flatMap((job) => adoptChanges(accountId, job, nowMs)), result: fresh.length };
    });
  }
  return added;
}

/** Brings in the newest jobs of the key, sent by whichever client: at most 1,000 with one list call (spec 4.1). */
export async function bringInJobs(api: Api, accountId: string): Promise<{ found: number; added: number }> {
  const { jobs } = await api.listJobs({ limit: MOST_JOBS });
  return { found: jobs.length, added: await adoptJobs(accountId, jobs) };
}

/** Brings in one job by its id. Tells whether it was new: 1 or 0. Throws where the service does not show it to this key. */
export async function bringInJob(api: Api, accountId: string, requestId: string): Promise<number> {
  return adoptJobs(accountId, [await api.getJob(requestId)]);
}
