import { describe, expect, test } from "vitest";
import { addBatch, editBatch, retryFailed, retryItem } from "#batch/runner/batch-edits.ts";
import type { BatchRunner, PauseReason } from "#batch/runner/batch-runner.ts";
import { batchSums, indexSent } from "#batch/runner/batch-views.ts";
import { chargedWords, pauseReason, waitReason } from "#batch/runner/batch-words.ts";
import { formatMicroUsd } from "#lib/money.ts";
import type { NotSentReason } from "#runs/rules/intent.ts";
import { jobMarkKey, jobMarkRows } from "#storage/job-marks.ts";
import { type Batch, DEFAULT_RULES } from "#storage/stored-batches.ts";
import { putChange } from "#storage/typed-rows.ts";
import { MODEL } from "../../runs/submit/sim-story.ts";
import { PRICE } from "../../simulation/sim-settings.ts";
import { ACCOUNT_ID } from "../../simulation/sim-tab.ts";
import { BATCH_ID, type BatchStory, batchOf, ledgerOf, openBatchStory, requestsOf, sumsOf } from "./batch-story.ts";

const RETRIED = { ...DEFAULT_RULES, retries: 3 };

/** The batch with these agreed prices, in the order of its rows. */
const pricedAt = (batch: Batch, prices: readonly number[]): Batch => ({
  ...batch,
  items: batch.items.map((item, index) => ({ ...item, priceMicroUsd: prices[index] ?? PRICE })),
});

const prompts = (...places: number[]) => places.map((place) => `${MODEL} number ${place}`);

/** The words that the batch has for why it does not go on. */
async function pauseOf(story: BatchStory, runner: BatchRunner): Promise<string | undefined> {
  const run = runner.states.getState()[BATCH_ID] ?? { phase: "paused", reason: undefined };
  return pauseReason({ run, sums: batchSums(await story.views(), (await story.batch()).rules) });
}

async function star(story: BatchStory, requestId: string): Promise<void> {
  const key = jobMarkKey(ACCOUNT_ID, requestId);
  const marks = { requestId, isStarred: true, tags: [], note: "" };
  await story.where.rows.edit({ store: "marks", key }, () => ({
    changes: [putChange(jobMarkRows, ACCOUNT_ID, key, marks)],
    result: undefined,
  }));
}

describe("the order of a batch", () => {
  const PRICES = [300_000, 200_000, 400_000, 200_000];
  test.each([
    ["rows", [0, 1, 2, 3]],
    ["cheapest", [1, 3, 0, 2]],
    ["most-expensive", [2, 0, 1, 3]],
  ] as const)("%s", async (order, places) => {
    const story = openBatchStory();
    await addBatch(story.where, pricedAt(batchOf(requestsOf(4), { order }), PRICES));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(60);
    expect(story.made()).toEqual(prompts(...places));
  });
});

describe("the limit of a batch", () => {
  test("no run is sent that would take it above, and it says so", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(5), { stopAtMicroUsd: 3 * PRICE }));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    await story.wait(60);
    expect(story.made()).toHaveLength(3);
    expect(await pauseOf(story, runner)).toBe("Paused: the next run would exceed this batch’s limit of $0.42.");
    // What failed was refunded, and there is room for another one.
    await story.end("failed", ({ requestId }) => requestId === story.world.service.jobs[0]?.job.requestId);
    void runner.start(BATCH_ID);
    await story.wait(60);
    expect(story.made()).toHaveLength(4);
    expect(await sumsOf(story)).toEqual(await ledgerOf(story));
  });

  test("it counts what is on its way in every lane, and a run without a reply", async () => {
    const story = openBatchStory({ fates: ["lost-request"], body: "stream" });
    const requests = [0, 1, 2, 3].flatMap((model) => requestsOf(2, `model-${model}`));
    await addBatch(story.where, batchOf(requests, { stopAtMicroUsd: 3 * PRICE }));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    await story.wait(60);
    // One of three that may be charged was lost on its way, and nobody knows that yet.
    expect(story.made()).toHaveLength(2);
    expect(await story.kinds()).toContain("unconfirmed");
    expect(await pauseOf(story, runner)).toContain("would exceed this batch’s limit");
    expect(await sumsOf(story)).toMatchObject({ unconfirmedMicroUsd: PRICE });
    expect(await sumsOf(story)).toEqual(await ledgerOf(story));
    await story.wait(240);
    expect(await story.kinds()).toContain("absent");
    void runner.start(BATCH_ID);
    await story.wait(60);
    expect(story.made()).toHaveLength(3);
    expect(story.world.findings()).toEqual([]);
  });

  test("a dear model does not keep a cheap one from going on below it", async () => {
    const story = openBatchStory();
    const batch = batchOf([...requestsOf(2), ...requestsOf(3, "model-1")], { stopAtMicroUsd: 5 * PRICE });
    await addBatch(story.where, pricedAt(batch, [4 * PRICE, 5 * PRICE, PRICE, PRICE, PRICE]));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    await story.wait(60);
    // Each was charged at today's price, which is below the one that was agreed to.
    expect(story.made().filter((prompt) => String(prompt).startsWith("model-1"))).toHaveLength(3);
    expect(story.made()).toHaveLength(4);
    expect(await pauseOf(story, runner)).toContain("would exceed this batch’s limit");
  });
});

describe("failures in a row", () => {
  test("refused and failed ones count, and a success ends the row", async () => {
    const story = openBatchStory({ fates: ["none", "none", "400", "none", "400"], body: "stream" });
    await addBatch(story.where, batchOf(requestsOf(8), { parallel: 1, stopAfterFailures: 2 }));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    const next = async (status: string) => {
      await story.wait(20);
      await story.end(status);
    };
    await next("failed");
    await next("success");
    // The third is refused, the fourth succeeds: no row.
    await next("success");
    await story.wait(20);
    expect(runner.states.getState()[BATCH_ID]?.phase).toBe("running");
    // The fifth was refused, the sixth fails.
    await next("failed");
    await story.wait(20);
    expect(await pauseOf(story, runner)).toBe("Paused after 2 failures in a row.");
    expect((await story.kinds()).filter((kind) => kind === "waiting")).toHaveLength(2);
    // They are not counted again.
    void runner.start(BATCH_ID);
    await next("success");
    await next("success");
    await story.wait(20);
    expect((await story.kinds()).filter((kind) => kind === "waiting")).toHaveLength(0);
    expect(await sumsOf(story)).toEqual(await ledgerOf(story));
  });
});

describe("a star", () => {
  test("on one of its results pauses the batch once", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(5), { parallel: 1, stopAtStar: true }));
    const runner = story.getBatchRunner(story.tab);
    await star(story, "a job of another batch");
    void runner.start(BATCH_ID);
    await story.wait(20);
    await star(story, "another job of another batch");
    await story.wait(5);
    expect(runner.states.getState()[BATCH_ID]?.phase).toBe("running");
    await story.end("success");
    await star(story, story.world.service.jobs[0]?.job.requestId ?? "");
    await story.wait(20);
    expect(await pauseOf(story, runner)).toBe("Paused: a result was starred.");
    const before = story.made().length;
    await story.end("success");
    await story.wait(20);
    expect(story.made()).toHaveLength(before);
    void runner.start(BATCH_ID);
    await story.wait(20);
    expect(story.made()).toHaveLength(before + 1);
  });
});

describe("retries", () => {
  const FAILED = "failed";

  test("a run whose job failed is submitted anew as another intent, at most so many times", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(1), { retries: 2 }));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await story.wait(30);
      await story.end(FAILED);
    }
    await story.wait(30);
    expect(story.made()).toHaveLength(3);
    expect(new Set(story.world.service.jobs.map(({ intentId }) => intentId)).size).toBe(3);
    const [view] = await story.views();
    expect(view?.item.earlierIntentIds).toHaveLength(2);
    expect(view?.state).toMatchObject({ kind: "sent", status: FAILED });
    const sums = batchSums(await story.views());
    expect(sums).toMatchObject({ chargedMicroUsd: 3 * PRICE, refundedMicroUsd: 3 * PRICE, failed: 1, isOver: true });
    expect(await sumsOf(story)).toEqual(await ledgerOf(story));
    expect(chargedWords({ items: await story.views(), sums })).toBe(
      `1 run, ${formatMicroUsd(3 * PRICE)} charged, ${formatMicroUsd(3 * PRICE)} refunded`,
    );
    expect(runner.states.getState()[BATCH_ID]).toEqual({ phase: "paused", reason: undefined });
    expect(story.world.findings()).toEqual([]);
  });

  test.each(["success", "cancelled", "timed_out", "gone"])("a job that ended as %s is not", async (status) => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(1), { retries: 3 }));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(30);
    await story.end(status);
    await story.wait(60);
    expect(story.made()).toHaveLength(1);
    expect(await retryFailed(story.where, BATCH_ID, `${BATCH_ID}-row-0`, RETRIED)).toBe(false);
  });

  test("a run that is refused, unconfirmed or not found is not", async () => {
    const story = openBatchStory({ fates: ["400", "lost-request"], body: "stream" });
    await addBatch(story.where, batchOf(requestsOf(2), { retries: 3 }));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(60);
    expect(await story.kinds()).toEqual(["refused", "unconfirmed"]);
    await story.wait(600);
    expect(await story.kinds()).toEqual(["refused", "absent"]);
    for (const place of [0, 1])
      expect(await retryFailed(story.where, BATCH_ID, `${BATCH_ID}-row-${place}`, RETRIED)).toBe(false);
    expect(story.world.witness.posts).toBe(2);
  });

  test("a retry is held to the limit of the batch, which its refund has lowered", async () => {
    const story = openBatchStory();
    const batch = batchOf(requestsOf(2), { retries: 1, parallel: 1, stopAtMicroUsd: 2 * PRICE - 1 });
    await addBatch(story.where, batch);
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    await story.wait(30);
    await story.end(FAILED);
    await story.wait(30);
    expect(story.made()).toEqual(prompts(0, 0));
    await story.end("success");
    await story.wait(30);
    expect(story.made()).toHaveLength(2);
    expect(await pauseOf(story, runner)).toContain("would exceed this batch’s limit");
  });

  test("after a crash the failed run waits for the person, says so, and is then submitted anew", async () => {
    const story = openBatchStory();
    await addBatch(story.where, batchOf(requestsOf(1), { retries: 1 }));
    void story.getBatchRunner(story.tab).start(BATCH_ID);
    await story.wait(30);
    story.tab.crash();
    const runner = story.getBatchRunner(story.open());
    await story.end(FAILED);
    await story.wait(120);
    expect(story.made()).toHaveLength(1);
    expect(batchSums(await story.views(), (await story.batch()).rules)).toMatchObject({
      retried: 1,
      waitingMicroUsd: PRICE,
      isOver: false,
    });
    expect(await pauseOf(story, runner)).toMatch(/^Paused\./);
    void runner.start(BATCH_ID);
    await story.wait(30);
    expect(story.made()).toHaveLength(2);
  });

  test("the person may ask for another attempt, which two tabs make once", async () => {
    const story = openBatchStory({ fates: ["400"], body: "stream" });
    await addBatch(story.where, batchOf(requestsOf(2)));
    const runner = story.getBatchRunner(story.tab);
    void runner.start(BATCH_ID);
    await story.wait(30);
    const [refused, running] = (await story.batch()).items.map(({ id }) => id);
    await Promise.all([
      retryItem(story.where, BATCH_ID, refused ?? ""),
      retryItem(story.where, BATCH_ID, refused ?? ""),
      retryItem(story.where, BATCH_ID, running ?? ""),
    ]);
    expect((await story.batch()).items.map(({ earlierIntentIds = [] }) => earlierIntentIds.length)).toEqual([1, 0]);
    expect(await story.kinds()).toEqual(["waiting", "sent"]);
    void runner.start(BATCH_ID);
    await story.wait(30);
    expect(await story.kinds()).toEqual(["sent", "sent"]);
    expect(story.made()).toHaveLength(2);
  });
});

test("rules that change while a batch runs are seen", async () => {
  const story = openBatchStory();
  await addBatch(story.where, batchOf(requestsOf(4), { parallel: 1 }));
  void story.getBatchRunner(story.tab).start(BATCH_ID);
  await story.wait(20);
  expect(story.made()).toHaveLength(1);
  await editBatch(story.where, BATCH_ID, (batch) => ({ ...batch, rules: { ...batch.rules, parallel: 3 } }));
  await story.wait(20);
  expect(story.made()).toHaveLength(3);
});

test("a model that waits for an open outcome is named", () => {
  const { items } = batchOf([...requestsOf(2), ...requestsOf(1, "model-1")]);
  const kinds = ["unconfirmed", "waiting", "waiting"] as const;
  const views = items.map((item, index) => ({ item, state: { kind: kinds[index] ?? "waiting" } }) as const);
  expect(waitReason({ run: { phase: "running" }, items: views })).toBe(`Waiting: a run of ${MODEL} is unconfirmed.`);
  expect(waitReason({ run: { phase: "paused", reason: undefined }, items: views })).toBeUndefined();
});

test("a firewall's page that every run would get pauses the batch, and says that the charge is not known", async () => {
  const page = { status: 403, text: "<html><body>Request blocked</body></html>" };
  const story = openBatchStory({ fates: ["none", "gateway-before"], gatewayAnswers: [page], body: "stream" });
  await addBatch(story.where, batchOf(requestsOf(4)));
  const runner = story.getBatchRunner(story.tab);
  void runner.start(BATCH_ID);
  await story.wait(300);
  expect(await story.kinds()).toEqual(["sent", "absent", "waiting", "waiting"]);
  expect(await pauseOf(story, runner)).toBe(
    "Paused. The response was 403: Request blocked. It may come from a gateway in front of the service. You may have been charged.",
  );
});

test("a disk that fails after a run was submitted pauses the batch, which says nothing of that run", async () => {
  const story = openBatchStory();
  await addBatch(story.where, batchOf(requestsOf(3)));
  const read = async () => {
    if (story.made().length > 0) throw new Error("The disk is gone.");
    return {
      batch: await story.batch(),
      sent: indexSent(await story.outbox(), await story.tracked()),
      starred: new Set<string>(),
    };
  };
  const runner = story.getBatchRunner(story.tab, { read, readAnew: read });
  void runner.start(BATCH_ID);
  await story.wait(60);
  expect(story.made()).toHaveLength(1);
  expect(await pauseOf(story, runner)).toBe("Paused: Safelight couldn’t use this browser’s storage.");
});

describe("a paused batch says why", () => {
  const words = (reason: PauseReason) =>
    pauseReason({ run: { phase: "paused", reason }, sums: { ...batchSums([]), waiting: 1 } });
  const notSent = (reason: NotSentReason, more = {}) => words({ phase: "not-sent", reason, ...more });
  const refusal = { status: 402, message: "No credit" };
  const rejected = { phase: "rejected", refusal, error: undefined, attempts: 1, isAudited: false } as const;

  test.each<[string, string | undefined, string]>([
    ["offline", notSent("offline"), "Paused: you’re offline. The next run wasn’t submitted."],
    ["asleep", notSent("stale"), "Paused: this tab was inactive. The next run wasn’t submitted."],
    [
      "a connection that broke",
      notSent("never-left"),
      "Paused: lost connection to the Safelight server. The next run wasn’t submitted.",
    ],
    [
      "a price that rose",
      notSent("price-rose", { priceMicroUsd: 50_000 }),
      "Paused: the price of the next run rose to $0.05.",
    ],
    [
      "a limit",
      notSent("over-cap", { cap: "project", overByMicroUsd: 10_000 }),
      "Paused: the next run is $0.01 above your project limit.",
    ],
    [
      "another version that submitted it",
      notSent("already-sent"),
      "Paused: another version of Safelight has submitted the next run. Reload this tab.",
    ],
    [
      "a row of another version",
      notSent("newer-version"),
      "Paused: a newer version of Safelight has an unconfirmed run of this model. The next run wasn’t submitted. Reload this tab.",
    ],
    [
      "a refusal",
      words(rejected),
      "Paused: the service rejected the run (402). No credit. Not charged: the service rejected this job.",
    ],
    [
      "a refusal without words",
      words({ ...rejected, refusal: { status: 0, message: "" } }),
      "Paused: the service rejected the run. Not charged: the service rejected this job.",
    ],
    [
      "a refusal after all providers were tried",
      words({ ...rejected, refusal: { status: 502, message: "All endpoints failed." } }),
      "Paused: the service rejected the run (502). All endpoints failed. Any charge is refunded in full.",
    ],
    [
      "a refusal that may answer a second request",
      words({ ...rejected, isAudited: true }),
      "Paused: the service rejected the run (402). No credit. You may have been charged. Safelight will check for a duplicate job in 2 minutes.",
    ],
    [
      "the studio's server",
      words({ ...rejected, refusal: { status: 503, message: "The disk is full.", isOfHost: true } }),
      "Paused: the Safelight server didn’t submit the run. The disk is full. Not charged: the job was never sent.",
    ],
  ])("%s", (_name, said, expected) => {
    expect(said).toBe(expected);
  });
});
