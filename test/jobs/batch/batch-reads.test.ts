import { expect, test } from "vitest";
import { addBatch } from "#jobs/batch/batch-edits.ts";
import { createBatchRunner } from "#jobs/batch/batch-runner.ts";
import { outboxChange } from "#jobs/submit/outbox.ts";
import { newRecord, trackedKey, trackedRows } from "#storage/job-records.ts";
import { createMemoryRows, type RowStore } from "#storage/rows.ts";
import { putChange } from "#storage/typed-rows.ts";
import { isLongSuite } from "../../setup/cases.ts";
import { outboxRow } from "../../setup/outbox-row.ts";
import { BATCH_ID, batchOf, requestsOf } from "./batch-story.ts";

/** Runs a batch on rows in memory, with a service that takes every run at once. Resolves to how often rows were read. */
async function readsOf(count: number): Promise<{ single: number; whole: number; sent: number }> {
  const rows = createMemoryRows();
  const reads = { single: 0, whole: 0, sent: 0 };
  const counted: RowStore = {
    get: (store, key) => {
      reads.single += 1;
      return rows.get(store, key);
    },
    all: (store, accountId) => {
      reads.whole += 1;
      return rows.all(store, accountId);
    },
    edit: (target, decide) => rows.edit(target, decide),
  };
  const where = { rows, accountId: "key" };
  const models = [1, 2, 3, 4].flatMap((model) => requestsOf(count / 4, `model-${model}`));
  await addBatch(where, batchOf(models));
  const runner = createBatchRunner({
    accountId: "key",
    rows: counted,
    nowMs: () => 0,
    sleep: () => new Promise(() => {}),
    onChange: () => () => {},
    locks: { tryHold: async (_name, work) => ({ held: true, result: await work() }) },
    send: async ({ intentId, request }) => {
      reads.sent += 1;
      const requestId = `job-${intentId}`;
      const row = outboxRow({ intentId, request, state: "accepted", how: "answered", requestIds: [requestId] });
      const job = { requestId, model: request.model, status: "success", priceMicroUsd: 1, submittedAtMs: 0 };
      const record = newRecord({ ...job, origin: "answered" });
      const tracked = putChange(trackedRows, "key", trackedKey("key", requestId), record);
      await rows.edit({ store: "outbox", key: intentId, also: ["jobs"] }, () => ({
        changes: [outboxChange("key", row), tracked],
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
  return reads;
}

test("a batch is read once as a whole, and each of its runs a few times, however many there are", async () => {
  for (const count of isLongSuite ? [100, 400, 1000] : [40, 400]) {
    const { single, whole, sent } = await readsOf(count);
    expect(sent).toBe(count);
    expect(whole).toBeLessThanOrEqual(2);
    expect(single).toBeLessThanOrEqual(3 * count);
  }
});
