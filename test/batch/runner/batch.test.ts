import { describe, expect, test } from "vitest";
import { addBatch, cancelWaiting, editBatch, removeItem } from "#batch/runner/batch-edits.ts";
import type { SubmitOrder } from "#runs/submit/run.ts";
import { MODEL } from "../../runs/submit/sim-story.ts";
import { BATCH_ID, batchOf, ledgerOf, openBatchStory, requestsOf, sumsOf } from "./batch-story.ts";

const all = (count: number, kind: string) => Array.from({ length: count }, () => kind);
const prompt = (index: number, model = MODEL) => `${model} number ${index}`;

describe("a batch", () => {
  test("runs are sent once each, in order, each with its own intent", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(5)));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(60);
    expect(await story.kinds()).toEqual(all(5, "sent"));
    expect(story.made()).toEqual([0, 1, 2, 3, 4].map((index) => prompt(index)));
    expect(story.world.findings()).toEqual([]);
  });

  test("no more jobs of a model run at once than its limit, and models do not wait for each other", async () => {
    const story = openBatchStory();
    const requests = [...requestsOf(5), ...requestsOf(5, "model-1"), ...requestsOf(2, "model-2")];
    await addBatch(story.where, batchOf(requests, { parallel: 2, parallelOf: { "model-1": 3 } }));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(60);
    const madeOf = (model: string) => story.world.service.jobs.filter(({ job }) => job.model === model).length;
    expect([madeOf(MODEL), madeOf("model-1"), madeOf("model-2")]).toEqual([2, 3, 2]);
    // The second model did not wait until the first one had sent what it may.
    expect(story.made().slice(0, 3).sort()).toEqual([prompt(0), prompt(0, "model-1"), prompt(0, "model-2")]);
    await story.end("success", ({ model }) => model === "model-1");
    await story.wait(60);
    expect([madeOf(MODEL), madeOf("model-1"), madeOf("model-2")]).toEqual([2, 5, 2]);
    await story.end("success");
    await story.wait(60);
    await story.end("success");
    await story.wait(60);
    expect(await story.kinds()).toEqual(all(12, "sent"));
    expect(story.world.findings()).toEqual([]);
  });

  // M23
  test("after a crash nothing continues by itself, and nothing is sent twice", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf([...requestsOf(6), ...requestsOf(6, "model-1")]));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    for (let tenth = 0; tenth < 600 && story.world.service.jobs.length < 5; tenth += 1) await story.wait(0.1);
    story.tab.crash();
    const next = story.open();
    await story.wait(300);
    const sent = (await story.kinds()).filter((kind) => kind === "sent").length;
    expect(sent).toBe(story.world.service.jobs.length);
    expect(sent).toBeLessThan(12);

    void story.getBatchRunner(next).start(BATCH_ID);
    await story.wait(120);
    expect(await story.kinds()).toEqual(all(12, "sent"));
    expect(story.world.service.jobs).toHaveLength(12);
    expect(story.world.findings()).toEqual([]);
  });

  test("a lost reply holds up its model until it is settled, and no other one", async () => {
    const story = openBatchStory({ fates: ["lost-reply"], body: "stream", mostLagMs: 60_000 });
    await addBatch(story.where, batchOf([...requestsOf(3), ...requestsOf(3, "model-1")]));
    let tries = 0;
    const send = (order: SubmitOrder) => {
      tries += 1;
      story.world.witness.noteGesture(story.tab);
      return story.tab.submissions.send(order);
    };
    void story.getBatchRunner(story.tab, { send }).start(BATCH_ID);
    const isOpen = async () => (await story.kinds()).includes("unconfirmed");
    for (let tenth = 0; tenth < 600 && !(await isOpen()); tenth += 1) await story.wait(0.1);
    const held = (await story.views()).find(({ state }) => state.kind === "unconfirmed")?.item.request.model;
    const before = story.world.service.jobs.filter(({ job }) => job.model === held).length;
    for (let second = 0; second < 300 && (await isOpen()); second += 1) {
      await story.wait(1);
      if (!(await isOpen())) break;
      expect(story.world.service.jobs.filter(({ job }) => job.model === held)).toHaveLength(before);
      expect(await sumsOf(story)).toEqual(await ledgerOf(story));
    }
    expect(story.world.service.jobs.filter(({ job }) => job.model !== held)).toHaveLength(3);
    await story.wait(300);
    expect(await story.kinds()).toEqual(all(6, "sent"));
    // No price was asked for in vain meanwhile.
    expect(tries).toBe(6);
    expect(story.world.findings()).toEqual([]);
  });

  test("a run that is refused does not pause the batch", async () => {
    const story = openBatchStory({ fates: ["none", "400"], body: "stream" });
    await addBatch(story.where, batchOf(requestsOf(3)));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(60);
    expect(await story.kinds()).toEqual(["sent", "refused", "sent"]);
    expect(await sumsOf(story)).toEqual(await ledgerOf(story));
  });

  test("a refusal that every run would get pauses it", async () => {
    const story = openBatchStory({ fates: ["none", "401"], body: "stream" });
    await addBatch(story.where, batchOf(requestsOf(4)));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    await story.wait(60);
    expect(await story.kinds()).toEqual(["sent", "refused", "waiting", "waiting"]);
    expect(runner.states.getState()[BATCH_ID]).toMatchObject({
      phase: "paused",
      reason: { phase: "rejected", refusal: { status: 401 } },
    });
  });

  test("a price that rose pauses it, and nothing is sent at that price", async () => {
    const story = openBatchStory({ quotedMicroUsd: 150_000 });
    await addBatch(story.where, batchOf(requestsOf(2)));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    await story.wait(60);
    expect(story.made()).toEqual([]);
    expect(runner.states.getState()[BATCH_ID]).toMatchObject({
      phase: "paused",
      reason: { phase: "not-sent", reason: "price-rose", priceMicroUsd: 150_000 },
    });
  });

  test("a price that cannot be loaded is tried again before the batch pauses", async () => {
    const story = openBatchStory({ priceFault: 0.4, seed: 6 });
    await addBatch(story.where, batchOf(requestsOf(10), { parallel: 16 }));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(240);
    expect(story.world.faults.get("price-failed")).toBeGreaterThan(0);
    expect(await story.kinds()).toEqual(all(10, "sent"));
  });

  test("rows that are added, moved and agreed to while it runs are seen", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(4), { parallel: 1 }));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(30);
    expect(story.made()).toEqual([prompt(0)]);
    await editBatch(story.where, BATCH_ID, (batch) => ({ ...batch, items: batch.items.toReversed() }));
    for (let round = 0; round < 4; round += 1) {
      await story.end("success");
      await story.wait(30);
    }
    expect(story.made()).toEqual([0, 3, 2, 1].map((index) => prompt(index)));
  });

  test("runs are paused and removed before they are sent", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(3)));
    await removeItem(story.where, BATCH_ID, `${BATCH_ID}-row-0`);
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    runner.pause(BATCH_ID);
    await story.wait(30);
    expect(story.made().length).toBeLessThanOrEqual(1);
    void runner.start(BATCH_ID);
    await story.wait(60);
    expect(story.made()).toEqual([prompt(1), prompt(2)]);
    await removeItem(story.where, BATCH_ID, `${BATCH_ID}-row-2`);
    expect(await story.kinds()).toEqual(["sent", "sent"]);
  });

  test("paused and started again in one moment, it goes on", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(6)));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    for (const wait of [0, 0.05, 0.3, 1]) {
      await story.wait(wait);
      runner.pause(BATCH_ID);
      void runner.start(BATCH_ID);
    }
    await story.wait(60);
    expect(await story.kinds()).toEqual(all(6, "sent"));
    expect(runner.states.getState()[BATCH_ID]).toEqual({ phase: "paused", reason: undefined });
    expect(runner.isActive(BATCH_ID)).toBe(false);
  });

  test("a second tab leaves a batch alone that another one runs, and takes it over when that is gone", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(6), { parallel: 2 }));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(10);
    const other = story.open();
    const runner = story.getBatchRunner(other);
    void runner.start(BATCH_ID);
    await story.wait(10);
    expect(runner.states.getState()[BATCH_ID]).toEqual({
      phase: "paused",
      reason: undefined,
    });
    story.tab.crash();
    await story.end("success");
    void runner.start(BATCH_ID);
    await story.wait(30);
    await story.end("success");
    await story.wait(30);
    expect(await story.kinds()).toEqual(all(6, "sent"));
    expect(story.world.service.jobs).toHaveLength(6);
    expect(story.world.findings()).toEqual([]);
  });

  test("cancelling what remains keeps what was sent, and makes drafts of the rest", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(5), { parallel: 2 }));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    await story.wait(60);
    runner.pause(BATCH_ID);
    await cancelWaiting(story.where, BATCH_ID, runner.sendingNow(BATCH_ID));
    expect(await story.kinds()).toEqual(["sent", "sent", "draft", "draft", "draft"]);
    await story.end("success");
    void runner.start(BATCH_ID);
    await story.wait(60);
    expect(story.world.service.jobs).toHaveLength(2);
  });

  test("a run that is on its way when the rest is cancelled is kept, and told", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf([...requestsOf(3), ...requestsOf(3, "model-1")]));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    await story.wait(0.02);
    expect(runner.sendingNow(BATCH_ID).size).toBe(2);
    runner.pause(BATCH_ID);
    await cancelWaiting(story.where, BATCH_ID, runner.sendingNow(BATCH_ID));
    await story.wait(60);
    expect(await story.kinds()).toEqual(["sent", "draft", "draft", "sent", "draft", "draft"]);
    expect(story.world.service.jobs).toHaveLength(2);
    expect(await sumsOf(story)).toEqual(await ledgerOf(story));
  });

  test("a run that another tab takes out while it is on its way comes back with its job", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(3)));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(0.02);
    // The other tab does not know that it is on its way.
    await removeItem(story.where, BATCH_ID, `${BATCH_ID}-row-0`);
    await cancelWaiting(story.where, BATCH_ID, new Set());
    await story.wait(60);
    const views = await story.views();
    expect(views.flatMap(({ item, state }) => (state.kind === "sent" ? [item.id] : []))).toEqual([`${BATCH_ID}-row-0`]);
    expect(story.world.service.jobs).toHaveLength(1);
    expect(await sumsOf(story)).toEqual(await ledgerOf(story));
  });
});
