import "../../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { describe, expect, test, vi } from "vitest";
import { addBatch } from "#batch/runner/batch-edits.ts";
import { type BatchEffects, createBatchRunner } from "#batch/runner/batch-runner.ts";
import { readAnew, readStored } from "#batch/runner/use-batches.ts";
import { createQueryClient } from "#connection/client.ts";
import { shownState } from "#runs/rules/intent.ts";
import { intentChange } from "#runs/submit/outbox.ts";
import { openRows } from "#storage/database.ts";
import { newRecord, trackedKey, trackedRows } from "#storage/job-records.ts";
import { DATABASE_NAME, DATABASE_VERSION, type StoreName } from "#storage/keys.ts";
import type { RowChange, RowStore, StoredRow } from "#storage/rows.ts";
import { putChange } from "#storage/typed-rows.ts";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { isLongSuite } from "../../setup/cases.ts";
import { makeIntent } from "../../setup/make-intent.ts";
import { BATCH_ID, batchOf, requestsOf } from "./batch-story.ts";

/** No time passes: a wait ends when something changes. */
const untilWoken: BatchEffects["sleep"] = (_ms, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    signal?.addEventListener("abort", () => resolve());
  });

/** Runs a batch on rows of this page, with a service that takes every run at once. Resolves to how often rows were read. */
async function readsOf(count: number): Promise<{ single: number; whole: number; sent: number }> {
  const accountId = `account-${count}`;
  const rows = await openRows();
  const client = createQueryClient();
  const single = vi.spyOn(rows, "get");
  const whole = vi.spyOn(rows, "all");
  let sent = 0;
  const where = { rows, accountId };
  const models = [1, 2, 3, 4].flatMap((model) => requestsOf(count / 4, `model-${model}`));
  await addBatch(where, batchOf(models));
  const runner = createBatchRunner({
    accountId,
    rows,
    read: (id) => readStored(client, accountId, id),
    readAnew: (id, intentIds) => readAnew(client, accountId, id, intentIds),
    nowMs: () => 0,
    sleep: untilWoken,
    onChange: () => () => {},
    locks: { tryHold: async (_name, work) => ({ isAcquired: true, result: await work() }) },
    send: async ({ intentId, request }) => {
      sent += 1;
      const requestId = `job-${intentId}`;
      const row = makeIntent({ intentId, request, state: "accepted", how: "answered", requestIds: [requestId] });
      const job = { requestId, model: request.model, status: "success", priceMicroUsd: 1, submittedAtMs: 0 };
      const record = newRecord({ ...job, origin: "answered" });
      const tracked = putChange(trackedRows, accountId, trackedKey(accountId, requestId), record);
      await rows.edit({ store: "outbox", key: intentId, also: ["jobs"] }, () => ({
        changes: [intentChange(accountId, row), tracked],
        result: undefined,
      }));
      return {
        phase: "accepted",
        intentId,
        requestId,
        job: undefined,
        how: "answered",
        alsoFound: [],
        priceMicroUsd: 1,
      };
    },
  });
  await runner.start(BATCH_ID);
  expect(runner.states.getState()[BATCH_ID]).toEqual({ phase: "paused", reason: undefined });
  const counts = { single: single.mock.calls.length, whole: whole.mock.calls.length, sent };
  single.mockRestore();
  whole.mockRestore();
  return counts;
}

test("the rows that a batch follows from are read once as a whole, and those of each run a few times, however many there are", async () => {
  for (const count of isLongSuite ? [100, 400, 1000] : [40, 400]) {
    const { single, whole, sent } = await readsOf(count);
    expect(sent).toBe(count);
    // Batches, intents, jobs and stars, and at Resume the intents of more than 200 runs once more.
    expect(whole).toBe(count > 200 ? 5 : 4);
    // At Resume, when it was sent, and when it has a job; and once the batch.
    expect(single).toBeLessThanOrEqual(3 * count + 1);
  }
});

/** Another tab writes a row and dies before it tells of it. */
function writeUnheard(store: StoreName, row: StoredRow): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, DATABASE_VERSION);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const transaction = request.result.transaction(store, "readwrite");
      transaction.objectStore(store).put(row);
      transaction.oncomplete = () => {
        request.result.close();
        resolve();
      };
    };
  });
}

describe("what a tab wrote which died before it told of it", () => {
  const accepted = (intentId = "", requestId = `job-${intentId}`) =>
    intentChange("account", makeIntent({ intentId, state: "accepted", requestIds: [requestId] }));
  const jobOf = (requestId: string, status: string) => {
    const record = newRecord({ requestId, status, priceMicroUsd: 1, submittedAtMs: 0, origin: "answered" });
    return putChange(trackedRows, "account", trackedKey("account", requestId), record);
  };
  async function unheard(change: RowChange): Promise<void> {
    if (change.kind === "put") await writeUnheard(change.store, change.row);
  }

  async function openBatch(id: string, more: Partial<BatchEffects>, count = 2) {
    const rows = await openRows();
    const client = createQueryClient();
    const batch = agreedBatch(id, requestsOf(count), 1);
    await addBatch({ rows, accountId: "account" }, { ...batch, rules: { ...batch.rules, parallel: 1 } });
    const before = await readStored(client, "account", id);
    const runner = createBatchRunner({
      accountId: "account",
      rows,
      read: (of) => readStored(client, "account", of),
      readAnew: (of, intentIds) => readAnew(client, "account", of, intentIds),
      nowMs: () => 0,
      sleep: untilWoken,
      onChange: () => () => {},
      locks: { tryHold: async (_name, work) => ({ isAcquired: true, result: await work() }) },
      send: async () => ({ phase: "not-sent", reason: "over-cap" }),
      ...more,
    });
    const intents = batch.items.map(({ intentId }) => intentId);
    return { rows, client, runner, intents, before };
  }
  /** As the submit machine writes it, and tells of it. */
  const tell = (rows: RowStore, changes: RowChange[]) =>
    rows.edit({ store: "outbox", key: "", also: ["jobs"] }, () => ({ changes, result: undefined }));

  test("is read at Resume: a run that it sent is not sent again", async () => {
    const asked: string[] = [];
    const send: BatchEffects["send"] = async ({ intentId }) => {
      asked.push(intentId);
      return { phase: "not-sent", reason: "over-cap" };
    };
    const { runner, intents, client, before } = await openBatch("resumed", { send });
    await unheard(accepted(intents[0]));
    await unheard(jobOf(`job-${intents[0]}`, "success"));
    expect((await readStored(client, "account", "resumed")).sent).toBe(before.sent);
    await runner.start("resumed");
    expect(asked).toEqual([intents[1]]);
  });

  test("is read where the outbox has a run of which this tab knows nothing: the batch goes on", async () => {
    const asked: string[] = [];
    const send: BatchEffects["send"] = async ({ intentId }) => {
      asked.push(intentId);
      await unheard(accepted(intentId));
      await unheard(jobOf(`job-${intentId}`, "success"));
      return { phase: "not-sent", reason: "already-sent" };
    };
    const { runner, intents } = await openBatch("met", { send });
    await runner.start("met");
    expect(asked).toEqual(intents);
    expect(runner.states.getState().met).toEqual({ phase: "paused", reason: undefined });
  });

  test("is looked for every 30 s: the end of a job makes room for the next run", async () => {
    let nowMs = 0;
    let endedAtMs: number | undefined;
    const sentAtMs: number[] = [];
    const send: BatchEffects["send"] = async ({ intentId }) => {
      sentAtMs.push(nowMs);
      const requestId = `job-${intentId}`;
      const status = sentAtMs.length === 1 ? "queued" : "success";
      await tell(await openRows(), [accepted(intentId), jobOf(requestId, status)]);
      return shownState(makeIntent({ intentId, state: "accepted", requestIds: [requestId] }));
    };
    const sleep = async (ms: number) => {
      const { sent } = await readStored(opened.client, "account", "waiting");
      const requestId = `job-${opened.intents[0]}`;
      await new Promise((resolve) => setImmediate(resolve));
      // The first run is known to be at the service.
      if (sent.job(requestId)?.status !== "queued") return;
      nowMs += ms;
      if (nowMs > 100_000) throw new Error("It never looks");
      if (nowMs < 10_000 || endedAtMs !== undefined) return;
      endedAtMs = nowMs;
      await unheard(jobOf(requestId, "success"));
    };
    const opened = await openBatch("waiting", { send, sleep, nowMs: () => nowMs });
    await opened.runner.start("waiting");
    expect(sentAtMs).toHaveLength(2);
    expect(endedAtMs).toBeLessThan(30_000);
    expect(sentAtMs[1]).toBeGreaterThanOrEqual(30_000);
  });

  test("a run that never left, and of which only a newer version knows more, pauses the batch after three more tries", async () => {
    const asked: string[] = [];
    const waits: number[] = [];
    let nowMs = 0;
    const send: BatchEffects["send"] = async ({ intentId }) => {
      asked.push(intentId);
      return { phase: "not-sent", reason: "already-sent" };
    };
    const sleep = async (ms: number) => {
      nowMs += ms;
      waits.push(ms);
    };
    const { rows, runner, intents } = await openBatch("never left", { send, sleep, nowMs: () => nowMs }, 1);
    await tell(rows, [intentChange("account", makeIntent({ intentId: intents[0] ?? "", state: "not-sent" }))]);
    await runner.start("never left");
    expect(asked).toHaveLength(4);
    expect(nowMs).toBeGreaterThanOrEqual(21_500);
    expect(runner.states.getState()["never left"]).toMatchObject({ reason: { reason: "already-sent" } });
  });
});
