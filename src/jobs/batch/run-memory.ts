import { jobMarkRows } from "#storage/job-marks.ts";
import { type TrackedJob, trackedKey, trackedRows } from "#storage/job-records.ts";
import type { RowStore } from "#storage/rows.ts";
import { readAll, readOne } from "#storage/typed-rows.ts";
import { type Batch, type BatchItem, batchKey, batchRows } from "../stored-batches.ts";
import { outboxRows } from "../submit/outbox-rows.ts";
import type { OutboxRow } from "../submit/submit-state.ts";
import type { Sent, SentJob, SentRow } from "./item-states.ts";

interface KnownRow extends SentRow {
  settledAtMs: number | undefined;
}

/** What is known of one batch while it is run. Everything is read once, and then only what is open. */
export interface RunMemory extends Sent {
  row(intentId: string): KnownRow | undefined;
  /** As it was last read; undefined where there is none. */
  batch(): Batch | undefined;
  /** Reads the batch again, and what was sent of the runs that are new in it. Rejects where the database cannot be read. */
  readBatch(): Promise<void>;
  /** Reads what became of one intent. Rejects where the database cannot be read. */
  readIntent(intentId: string): Promise<void>;
  /** Reads the jobs again that are not final. Rejects where the database cannot be read. */
  readJobs(requestIds: readonly string[]): Promise<void>;
  /** The jobs with a star, in this account. Rejects where the database cannot be read. */
  readStars(): Promise<ReadonlySet<string>>;
}

/** Every intent of a run, the newest last. Never throws. */
export const intentsOf = ({ intentId, earlierIntentIds = [] }: BatchItem) => [...earlierIntentIds, intentId];

/** Reads a batch and all that was sent of it. Rejects where the database cannot be read. */
export async function openMemory(rows: RowStore, accountId: string, id: string): Promise<RunMemory> {
  let batch: Batch | undefined;
  const sent = new Map<string, KnownRow>();
  const jobs = new Map<string, SentJob>();
  /** Whose rows were looked for. */
  const asked = new Set<string>();

  // The list of jobs that were there before an attempt is long, and of no use here.
  const noteRow = ({ intentId, state, priceMicroUsd, requestIds, refusal, settledAtMs }: OutboxRow) =>
    sent.set(intentId, { intentId, state, priceMicroUsd, requestIds, refusal, settledAtMs });
  const noteJob = ({ requestId, status, priceMicroUsd, finishedAtMs }: TrackedJob) =>
    jobs.set(requestId, { requestId, status, priceMicroUsd, finishedAtMs });

  const memory: RunMemory = {
    row: (intentId) => sent.get(intentId),
    job: (requestId) => jobs.get(requestId),
    batch: () => batch,
    async readBatch() {
      const now = await readOne(rows, batchRows, batchKey(accountId, id));
      const added = (now?.items ?? []).flatMap(intentsOf).filter((intentId) => !asked.has(intentId));
      await Promise.all(added.map(memory.readIntent));
      batch = now;
    },
    async readIntent(intentId) {
      const row = await readOne(rows, outboxRows, intentId);
      asked.add(intentId);
      if (!row) return void sent.delete(intentId);
      noteRow(row);
      await memory.readJobs(row.requestIds);
    },
    async readJobs(requestIds) {
      const read = requestIds.map((requestId) => readOne(rows, trackedRows, trackedKey(accountId, requestId)));
      for (const job of await Promise.all(read)) if (job) noteJob(job);
    },
    async readStars() {
      const marks = await readAll(rows, jobMarkRows, accountId);
      return new Set(marks.flatMap(({ requestId, isStarred }) => (isStarred ? [requestId] : [])));
    },
  };

  const first = await readOne(rows, batchRows, batchKey(accountId, id));
  const own = new Set((first?.items ?? []).flatMap(intentsOf));
  if (own.size > 0) {
    for (const row of await readAll(rows, outboxRows, accountId)) if (own.has(row.intentId)) noteRow(row);
    const ownJobs = new Set([...sent.values()].flatMap(({ requestIds }) => requestIds));
    for (const job of await readAll(rows, trackedRows, accountId)) if (ownJobs.has(job.requestId)) noteJob(job);
  }
  for (const intentId of own) asked.add(intentId);
  batch = first;
  return memory;
}
