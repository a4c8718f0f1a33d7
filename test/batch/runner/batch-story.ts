import type { JobRequest } from "#api/types.ts";
import type { BatchStorage } from "#batch/runner/batch-edits.ts";
import { type BatchEffects, type BatchRunner, createBatchRunner } from "#batch/runner/batch-runner.ts";
import { batchSums, type ItemView, indexSent, viewItem } from "#batch/runner/batch-views.ts";
import type { LedgerLine } from "#runs/ledger/ledger.ts";
import { trackedChanges } from "#runs/ledger/ledger.ts";
import { jobMarkRows } from "#storage/job-marks.ts";
import { type TrackedJob, trackedKey, trackedRows, withReported } from "#storage/job-records.ts";
import type { StoreName } from "#storage/keys.ts";
import type { RowStore } from "#storage/rows.ts";
import { type Batch, type BatchRules, batchKey, batchRows } from "#storage/stored-batches.ts";
import { readAll, readOne } from "#storage/typed-rows.ts";
import { MODEL, openStory, type Story } from "../../runs/submit/sim-story.ts";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { PRICE, type SimSettings } from "../../simulation/sim-settings.ts";
import { ACCOUNT_ID, type SimTab } from "../../simulation/sim-tab.ts";
import { settled } from "../../simulation/sim-world.ts";

export const BATCH_ID = "batch-1";

/** Runs of one model, told apart by their prompts. */
export const requestsOf = (count: number, model = MODEL): JobRequest[] =>
  Array.from({ length: count }, (_, index) => ({ model, payload: { prompt: `${model} number ${index}` } }));

/** A batch that was agreed to. */
export function batchOf(requests: readonly JobRequest[], rules: Partial<BatchRules> = {}): Batch {
  const batch = agreedBatch(BATCH_ID, requests, PRICE);
  const { stopAfterFailures: _, ...usual } = batch.rules;
  return { ...batch, createdAtMs: 0, rules: { ...usual, parallel: 8, ...rules } };
}

/** A batch in the virtual world, with pages that run it and a service that ends its jobs. */
export interface BatchStory extends Story {
  where: BatchStorage;
  /** The runner of a page: it dies with it. */
  getBatchRunner(tab: SimTab, more?: Partial<BatchEffects>): BatchRunner;
  batch(): Promise<Batch>;
  views(): Promise<ItemView[]>;
  kinds(): Promise<string[]>;
  tracked(): Promise<TrackedJob[]>;
  /** The service reports how jobs ended, by their places among all that were made. */
  end(status: string, isEnded?: (job: TrackedJob) => boolean): Promise<void>;
  /** Prompts of the jobs that the service made, in order. */
  made(): unknown[];
  /** Lets virtual time pass, also where nothing of the submit machine is open any more. */
  wait(seconds: number): Promise<void>;
  /** Calls back after rows of a store changed. */
  onChange: BatchEffects["onChange"];
}

/** Tells of every write, as the browser's database does. */
function announce(rows: RowStore): BatchEffects["onChange"] {
  const listeners = new Map<StoreName, Set<() => void>>();
  const edit = rows.edit.bind(rows);
  rows.edit = async (target, decide) => {
    const stores = new Set<StoreName>();
    const result = await edit(target, (current, reads) => {
      const decision = decide(current, reads);
      for (const { store } of decision.changes) stores.add(store);
      return decision;
    });
    for (const store of stores) for (const listener of listeners.get(store) ?? []) listener();
    return result;
  };
  return (store, listener) => {
    const all = listeners.get(store) ?? new Set();
    listeners.set(store, all.add(listener));
    return () => void all.delete(listener);
  };
}

export function openBatchStory(changes: Partial<SimSettings> = {}): BatchStory {
  const story = openStory(changes);
  const { time, rows } = story.world.browser;
  const onChange = announce(rows);
  const where = { rows, accountId: ACCOUNT_ID };
  const held = new Map<string, SimTab>();

  /** Of a page that is dead nothing goes on. */
  const living = <T>(tab: SimTab, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (tab.isAlive())
        work().then(
          (value) => tab.isAlive() && resolve(value),
          (error: unknown) => tab.isAlive() && reject(error),
        );
    });

  const tracked = () => readAll(rows, trackedRows, ACCOUNT_ID);
  const starred = async () => {
    const marks = await readAll(rows, jobMarkRows, ACCOUNT_ID);
    return new Set(marks.flatMap(({ requestId, isStarred }) => (isStarred ? [requestId] : [])));
  };
  const batch = async () => (await readOne(rows, batchRows, batchKey(ACCOUNT_ID, BATCH_ID))) ?? batchOf([]);
  const read = async () => ({
    batch: await readOne(rows, batchRows, batchKey(ACCOUNT_ID, BATCH_ID)),
    sent: indexSent(await story.outbox(), await tracked()),
    starred: await starred(),
  });
  const views = async () => {
    const sent = indexSent(await story.outbox(), await tracked());
    return (await batch()).items.map((item) => viewItem(item, sent));
  };
  return {
    ...story,
    where,
    onChange,
    getBatchRunner: (tab, more = {}) =>
      createBatchRunner({
        accountId: ACCOUNT_ID,
        read: () => living(tab, read),
        readAnew: () => living(tab, read),
        rows: {
          get: (store, key) => living(tab, () => rows.get(store, key)),
          all: (store, accountId) => living(tab, () => rows.all(store, accountId)),
          edit: (target, decide) => living(tab, () => rows.edit(target, decide)),
        },
        sleep: (ms, signal) =>
          new Promise((resolve) => {
            const wake = () => tab.isAlive() && resolve();
            if (signal?.aborted) return wake();
            time.after(ms, wake);
            signal?.addEventListener("abort", wake);
          }),
        nowMs: () => time.nowMs(),
        send: (order) => {
          story.world.witness.noteGesture(tab);
          return living(tab, () => tab.submissions.send(order));
        },
        onChange,
        locks: {
          tryHold: async (name, work) => {
            if (held.get(name)?.isAlive()) return { isAcquired: false };
            held.set(name, tab);
            try {
              return { isAcquired: true, result: await work() };
            } finally {
              held.delete(name);
            }
          },
        },
        ...more,
      }),
    batch,
    views,
    kinds: async () => (await views()).map(({ state }) => state.kind),
    tracked,
    end: async (status, isEnded = () => true) => {
      for (const known of await tracked()) {
        if (known.status !== "queued" || !isEnded(known)) continue;
        const served = story.world.service.jobs.find(({ job }) => job.requestId === known.requestId);
        if (!served) continue;
        // The list shows it from now on, and an end is never another one.
        if (served.job.status === "queued") served.job = { ...served.job, status };
        const ended = withReported(known, served.job, time.nowMs());
        const key = trackedKey(ACCOUNT_ID, known.requestId);
        await rows.edit({ store: "jobs", key, also: ["ledger"] }, () => ({
          changes: trackedChanges(ACCOUNT_ID, ended),
          result: undefined,
        }));
      }
    },
    made: () => story.world.service.jobs.map(({ job }) => job.payload?.prompt),
    wait: async (seconds) => {
      const untilMs = time.nowMs() + seconds * 1000;
      time.after(seconds * 1000, () => {});
      do await settled();
      while (time.step(untilMs));
      await settled();
    },
  };
}

/** The amounts of the ledger for the runs of a batch, in micro-USD. */
export async function ledgerOf(story: BatchStory) {
  const { items } = await story.batch();
  const intents = new Set(items.flatMap(({ intentId, earlierIntentIds = [] }) => [intentId, ...earlierIntentIds]));
  const lines = await story.ledger();
  const own = lines.filter(({ intentId }) => intentId !== undefined && intents.has(intentId));
  const jobs = new Set(own.flatMap(({ requestId }) => requestId ?? []));
  const sum = (some: readonly LedgerLine[], kind: LedgerLine["kind"]) =>
    some.filter((line) => line.kind === kind).reduce((total, { amountMicroUsd = 0 }) => total + amountMicroUsd, 0);
  return {
    chargedMicroUsd: sum(own, "charged"),
    refundedMicroUsd: sum(
      lines.filter(({ requestId }) => requestId !== undefined && jobs.has(requestId)),
      "refunded",
    ),
    unconfirmedMicroUsd: sum(own, "unconfirmed"),
    duplicateMicroUsd: sum(own, "possible-duplicate"),
  };
}

/** The same amounts, as the batch tells them. */
export async function sumsOf(story: BatchStory) {
  const { chargedMicroUsd, refundedMicroUsd, unconfirmedMicroUsd, duplicateMicroUsd } = batchSums(await story.views());
  return { chargedMicroUsd, refundedMicroUsd, unconfirmedMicroUsd, duplicateMicroUsd };
}
