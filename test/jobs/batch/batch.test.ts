import { describe, expect, test } from "vitest";
import { addBatch, cancelWaiting, editBatch, removeItem } from "#jobs/batch/batch-edits.ts";
import { type BatchRunner, createBatchRunner, viewItems } from "#jobs/batch/batch-runner.ts";
import { onePerLine, repeated } from "#jobs/batch/new-batch-runs.ts";
import { type Batch, batchKey, batchRows } from "#jobs/stored-batches.ts";
import { trackedKey, trackedRows } from "#storage/tracked-jobs.ts";
import { putChange, readAll, readOne } from "#storage/typed-rows.ts";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { PRICE } from "../../simulation/sim-settings.ts";
import { ACCOUNT_ID, type SimTab } from "../../simulation/sim-tab.ts";
import { MODEL, openStory, type Story } from "../submit/sim-story.ts";

function batchOf(count: number, parallel = 8): Batch {
  const requests = Array.from({ length: count }, (_, index) => ({
    model: MODEL,
    payload: { prompt: `number ${index}` },
  }));
  const batch = agreedBatch("batch-1", requests, PRICE);
  return { ...batch, rules: { ...batch.rules, parallel } };
}

function runnerOf(story: Story, tab: SimTab): BatchRunner {
  const { time, rows } = story.world.browser;
  const held = new Set<string>();
  return createBatchRunner({
    accountId: ACCOUNT_ID,
    rows,
    nowMs: () => time.nowMs(),
    onChange: () => () => {},
    sleep: (ms) => new Promise((resolve) => time.after(ms, () => tab.isAlive() && resolve())),
    send: (order) => {
      story.world.witness.noteGesture(tab);
      return tab.submissions.send(order);
    },
    locks: {
      tryHold: async (name, work) => {
        if (held.has(name)) return { held: false };
        held.add(name);
        const result = await work();
        held.delete(name);
        return { held: true, result };
      },
    },
  });
}

async function states(story: Story): Promise<string[]> {
  const { rows } = story.world.browser;
  const batch = await readOne(rows, batchRows, batchKey(ACCOUNT_ID, "batch-1"));
  const tracked = await readAll(rows, trackedRows, ACCOUNT_ID);
  return batch ? viewItems(batch, await story.outbox(), tracked).map(({ state }) => state.kind) : [];
}

/** The service finishes every job that is known so far. */
async function finishAll(story: Story): Promise<void> {
  const { rows } = story.world.browser;
  for (const tracked of await readAll(rows, trackedRows, ACCOUNT_ID)) {
    const key = trackedKey(ACCOUNT_ID, tracked.requestId);
    await rows.edit({ store: "jobs", key }, () => ({
      changes: [putChange(trackedRows, ACCOUNT_ID, key, { ...tracked, status: "success" })],
      result: undefined,
    }));
  }
}

describe("a batch", () => {
  test("runs are sent once each, in order, each with its own intent", async () => {
    const story = openStory();
    await addBatch({ rows: story.world.browser.rows, accountId: ACCOUNT_ID }, batchOf(5));
    void runnerOf(story, story.tab).start("batch-1");
    await story.pass(60);
    expect(await states(story)).toEqual(Array.from({ length: 5 }, () => "sent"));
    const prompts = story.world.service.jobs.map(({ job }) => job.payload?.prompt);
    expect(prompts).toEqual(["number 0", "number 1", "number 2", "number 3", "number 4"]);
    expect(story.world.findings()).toEqual([]);
  });

  test("no more jobs run at once than the limit", async () => {
    const story = openStory();
    await addBatch({ rows: story.world.browser.rows, accountId: ACCOUNT_ID }, batchOf(5, 2));
    void runnerOf(story, story.tab).start("batch-1");
    await story.pass(60);
    expect(story.world.service.jobs).toHaveLength(2);
    await finishAll(story);
    await story.pass(60);
    expect(story.world.service.jobs).toHaveLength(4);
  });

  // M23
  test("after a crash nothing continues by itself, and nothing is sent twice", async () => {
    const story = openStory();
    await addBatch({ rows: story.world.browser.rows, accountId: ACCOUNT_ID }, batchOf(6));
    void runnerOf(story, story.tab).start("batch-1");
    for (let tenth = 0; tenth < 600 && story.world.service.jobs.length < 3; tenth += 1) await story.pass(0.1);
    story.tab.crash();
    const next = story.open();
    await story.pass(300);
    const sent = (await states(story)).filter((state) => state === "sent").length;
    expect(sent).toBe(story.world.service.jobs.length);
    expect(sent).toBeLessThan(6);

    void runnerOf(story, next).start("batch-1");
    await story.pass(120);
    expect(await states(story)).toEqual(Array.from({ length: 6 }, () => "sent"));
    expect(story.world.service.jobs).toHaveLength(6);
    expect(story.world.findings()).toEqual([]);
  });

  test("a lost reply pauses the batch until recovery; a refusal does not", async () => {
    const story = openStory({ fates: ["lost-reply", "400"], body: "stream" });
    await addBatch({ rows: story.world.browser.rows, accountId: ACCOUNT_ID }, batchOf(3));
    void runnerOf(story, story.tab).start("batch-1");
    await story.pass(60);
    expect(await states(story)).toEqual(["sent", "refused", "sent"]);
    expect(story.world.findings()).toEqual([]);
  });

  test("runs are paused, reordered and removed before they are sent", async () => {
    const story = openStory();
    const where = { rows: story.world.browser.rows, accountId: ACCOUNT_ID };
    await addBatch(where, batchOf(3));
    await editBatch(where, "batch-1", (batch) => ({ ...batch, items: batch.items.toReversed() }));
    await removeItem(where, "batch-1", "batch-1-row-0");
    const runner = runnerOf(story, story.tab);
    void runner.start("batch-1");
    runner.pause("batch-1");
    await story.pass(30);
    expect(story.world.service.jobs.length).toBeLessThanOrEqual(1);
    void runner.start("batch-1");
    await story.pass(60);
    expect(story.world.service.jobs.map(({ job }) => job.payload?.prompt)).toEqual(["number 2", "number 1"]);
    await removeItem(where, "batch-1", "batch-1-row-2");
    expect(await states(story)).toEqual(["sent", "sent"]);
  });

  test("a list of prompts makes one run per line, otherwise equal", () => {
    const request = { model: MODEL, payload: { prompt: "x", size: "2K" } };
    expect(onePerLine(request, "prompt", " a \n\nb\n")).toEqual([
      { model: MODEL, payload: { prompt: "a", size: "2K" } },
      { model: MODEL, payload: { prompt: "b", size: "2K" } },
    ]);
    expect(repeated(request, 3)).toHaveLength(3);
  });
});

test("cancelling what remains keeps what was sent, and a run that is on its way", async () => {
  const story = openStory();
  const where = { rows: story.world.browser.rows, accountId: ACCOUNT_ID };
  await addBatch(where, batchOf(5, 2));
  const runner = runnerOf(story, story.tab);
  void runner.start("batch-1");
  await story.pass(60);
  runner.pause("batch-1");
  await cancelWaiting(where, "batch-1", runner.sendingNow("batch-1"));
  expect(await states(story)).toEqual(["sent", "sent", "draft", "draft", "draft"]);
  await finishAll(story);
  await story.pass(60);
  expect(story.world.service.jobs).toHaveLength(2);
});
