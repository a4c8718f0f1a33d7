import "../../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { expect, test, vi } from "vitest";
import { createQueryClient } from "#connection/query-client.ts";
import { addBatch } from "#jobs/batch/batch-edits.ts";
import { createBatchRunner } from "#jobs/batch/batch-runner.ts";
import { readAnew, readStored } from "#jobs/batch/use-batches.ts";
import { intentChange } from "#jobs/submit/outbox.ts";
import { openRows } from "#storage/database.ts";
import { newRecord, trackedKey, trackedRows } from "#storage/job-records.ts";
import { DATABASE_NAME, DATABASE_VERSION, type StoreName } from "#storage/keys.ts";
import type { StoredRow } from "#storage/rows.ts";
import { putChange } from "#storage/typed-rows.ts";
import { isLongSuite } from "../../setup/cases.ts";
import { makeIntent } from "../../setup/make-intent.ts";
import { BATCH_ID, batchOf, requestsOf } from "./batch-story.ts";

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
    readAnew: (id) => readStored(client, accountId, id),
    nowMs: () => 0,
    sleep: () => new Promise(() => {}),
    onChange: () => () => {},
    locks: { tryHold: async (_name, work) => ({ held: true, result: await work() }) },
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
    // Batches, intents, jobs and stars.
    expect(whole).toBe(4);
    expect(single).toBeLessThanOrEqual(3 * count);
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

test("Resume reads anew: a run that a tab sent which died before it told of it is not sent again", async () => {
  const rows = await openRows();
  const client = createQueryClient();
  const batch = batchOf(requestsOf(2));
  await addBatch({ rows, accountId: "account" }, batch);
  const before = await readStored(client, "account", BATCH_ID);
  const [first, second] = batch.items.map(({ intentId }) => intentId);
  const sent = intentChange("account", makeIntent({ intentId: first ?? "", state: "accepted", requestIds: ["job"] }));
  if (sent.kind === "put") await writeUnheard("outbox", sent.row);
  expect((await readStored(client, "account", BATCH_ID)).sent).toBe(before.sent);
  const asked: string[] = [];
  const runner = createBatchRunner({
    accountId: "account",
    rows,
    read: (id) => readStored(client, "account", id),
    readAnew: (id) => readAnew(client, "account", id),
    nowMs: () => 0,
    sleep: () => new Promise(() => {}),
    onChange: () => () => {},
    locks: { tryHold: async (_name, work) => ({ held: true, result: await work() }) },
    send: async ({ intentId }) => {
      asked.push(intentId);
      return { phase: "not-sent", reason: "over-cap" };
    },
  });
  await runner.start(BATCH_ID);
  expect(asked).toEqual([second]);
});
