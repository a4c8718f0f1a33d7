import { expect, test } from "vitest";
import { newItem } from "#batch/rows/group-runs.ts";
import { addBatch, agreeToRun, cancelWaiting, editBatch } from "#batch/runner/batch-edits.ts";
import type { BatchRunner } from "#batch/runner/batch-runner.ts";
import { batchSums, getItemMoney } from "#batch/runner/batch-views.ts";
import type { Batch, BatchRules } from "#storage/stored-batches.ts";
import { cases, isLongSuite } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { PRICE } from "../../simulation/sim-settings.ts";
import type { SimTab } from "../../simulation/sim-tab.ts";
import { createRandom } from "../../simulation/virtual-time.ts";
import { BATCH_ID, type BatchStory, batchOf, ledgerOf, openBatchStory, requestsOf, sumsOf } from "./batch-story.ts";

interface Schedule {
  seed: number;
  rows: number;
  models: number;
  body: "relay" | "stream";
  postFault: number;
  listFault: number;
  mostLagMs: number;
  /** Of the jobs. */
  failing: number;
  parallel: number;
  order: BatchRules["order"];
  retries: number;
  stopAfterFailures: number | undefined;
  /** The limit, in the prices of so many runs. */
  limit: number | undefined;
  acts: readonly { atSeconds: number; act: (typeof ACTS)[number] }[];
}

const ACTS = ["crash", "reload", "pause", "second tab", "cancel", "edit", "add", "raise the limit"] as const;

const schedules: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.nat(1e6),
  rows: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: isLongSuite ? 1 : 0, arbitrary: fc.integer({ min: 100, max: 500 }) },
  ),
  models: fc.integer({ min: 1, max: 4 }),
  body: fc.constantFrom("relay", "stream"),
  postFault: fc.constantFrom(0, 0.05, 0.2),
  listFault: fc.constantFrom(0, 0.05),
  mostLagMs: fc.constantFrom(0, 10_000, 60_000),
  failing: fc.constantFrom(0, 0.2, 0.7),
  parallel: fc.integer({ min: 1, max: 8 }),
  order: fc.constantFrom("rows", "cheapest", "most-expensive"),
  retries: fc.integer({ min: 0, max: 2 }),
  stopAfterFailures: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  limit: fc.option(fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 60, max: 500 })), { nil: undefined }),
  acts: fc.array(
    fc.record({
      atSeconds: fc.integer({ min: 1, max: 240 }),
      act: fc.constantFrom(...ACTS),
    }),
    { maxLength: 6 },
  ),
});

/** So long a batch is run at most, in seconds of virtual time; whatever is open then is settled after `REST_S`. */
const RUN_S = 1_500;
const REST_S = 1_000;

/** A person who presses Resume whenever the batch is paused, and a service that ends its jobs. */
async function play(schedule: Schedule): Promise<{ story: BatchStory; broken: string[]; agreed: Set<string> }> {
  const { seed, rows, models, body, postFault, listFault, mostLagMs, failing, limit, stopAfterFailures } = schedule;
  const story = openBatchStory({ seed, body, hosts: 1, postFault, listFault, mostLagMs });
  const random = createRandom(seed);
  const broken: string[] = [];
  const requests = Array.from({ length: models }, (_, model) => requestsOf(Math.ceil(rows / models), `model-${model}`));
  const rules: Partial<BatchRules> = {
    parallel: schedule.parallel,
    order: schedule.order,
    retries: schedule.retries,
    ...(stopAfterFailures === undefined ? {} : { stopAfterFailures }),
    ...(limit === undefined ? {} : { stopAtMicroUsd: limit * PRICE }),
  };
  const agreed = new Set<string>();
  const first = batchOf(requests.flat().slice(0, rows), rules);
  await addBatch(story.where, first);
  for (const { id } of first.items) agreed.add(id);

  const sending = new Map<string, string>();
  /** Nothing leaves that would take the batch above its limit, by what is stored, whoever sends it. */
  const checkLimit = async (intentId: string, agreedMicroUsd: number) => {
    const { items, rules } = await story.batch();
    if (rules.stopAtMicroUsd === undefined) return;
    const [outbox, tracked] = [await story.outbox(), await story.tracked()];
    const rowOf = new Map(outbox.map((row) => [row.intentId, row]));
    const jobOf = new Map(tracked.map((job) => [job.requestId, job]));
    const sent = { intent: (id: string) => rowOf.get(id), job: (id: string) => jobOf.get(id) };
    const spent = items.reduce((total, item) => {
      const money = getItemMoney(item, sent);
      const isOnItsWay = sending.has(item.intentId) && item.intentId !== intentId && !rowOf.has(item.intentId);
      const open = isOnItsWay ? (item.priceMicroUsd ?? 0) : 0;
      return total + open + (money ? money.charged - money.refunded + money.sending + money.unconfirmed : 0);
    }, 0);
    if (spent + agreedMicroUsd > rules.stopAtMicroUsd) broken.push(`${intentId} was sent above the limit`);
  };

  let tab: SimTab = story.tab;
  const runnerFor = (page: SimTab): BatchRunner =>
    story.getBatchRunner(page, {
      send: async (order) => {
        sending.set(order.intentId, order.request.model);
        const own = [...sending.values()].filter((model) => model === order.request.model);
        if (own.length > 1) broken.push(`two runs of ${order.request.model} were on their way at once`);
        await checkLimit(order.intentId, order.agreedMicroUsd);
        story.world.witness.noteGesture(page);
        if (!page.isAlive()) return new Promise(() => {});
        const end = await page.submissions.send(order);
        sending.delete(order.intentId);
        return end;
      },
    });
  let runner = runnerFor(tab);
  const open = () => {
    tab = story.open();
    runner = runnerFor(tab);
  };
  const act = {
    crash: async () => {
      tab.crash();
      sending.clear();
      open();
    },
    // A page that is closed while it runs dies as a crashed one does.
    reload: async () => {
      runner.pause(BATCH_ID);
      tab.crash();
      sending.clear();
      open();
    },
    pause: async () => runner.pause(BATCH_ID),
    "second tab": async () => void story.getBatchRunner(story.open()).start(BATCH_ID),
    cancel: async () => {
      runner.pause(BATCH_ID);
      await cancelWaiting(story.where, BATCH_ID, runner.sendingNow(BATCH_ID));
      await agree();
    },
    edit: () =>
      editBatch(
        story.where,
        BATCH_ID,
        (batch): Batch => ({
          ...batch,
          items: batch.items
            .filter(() => random.chance(0.5))
            .map((item) => ({ ...item, request: { ...item.request } })),
        }),
      ),
    "raise the limit": () =>
      editBatch(story.where, BATCH_ID, (batch) => ({
        ...batch,
        rules: { ...batch.rules, stopAtMicroUsd: (batch.rules.stopAtMicroUsd ?? 0) + 500 * PRICE },
      })),
    add: async () => {
      const [group] = first.groups;
      const added = requestsOf(3, "model-0").map((request) => newItem(request, group?.id ?? ""));
      await editBatch(story.where, BATCH_ID, (batch) => ({ ...batch, items: [...batch.items, ...added] }));
      await agree();
    },
  };
  const agree = async () => {
    const { items } = await story.batch();
    const drafts = items.filter(({ priceMicroUsd }) => priceMicroUsd === undefined);
    await agreeToRun(story.where, BATCH_ID, new Map(drafts.map(({ id }) => [id, PRICE])));
    for (const { id } of drafts) agreed.add(id);
  };

  const due = schedule.acts
    .toSorted((a, b) => a.atSeconds - b.atSeconds)
    .map(({ atSeconds, act }) => ({ atSeconds, act }));
  for (let second = 0; second < RUN_S; second += 4) {
    for (const next of due.splice(0, due.filter(({ atSeconds }) => atSeconds <= second).length)) await act[next.act]();
    // A crashed page never says where it was.
    const isPaused = runner.states.getState()[BATCH_ID]?.phase !== "running";
    const { waiting, retried } = batchSums(await story.views(), (await story.batch()).rules);
    if (isPaused && waiting + retried > 0 && random.chance(0.6)) void runner.start(BATCH_ID);
    else if (isPaused && waiting + retried === 0 && due.length === 0) break;
    await story.wait(4);
    await story.end("failed", () => random.chance(failing * 0.5));
    await story.end("success", () => random.chance(0.5));
  }
  runner.pause(BATCH_ID);
  await story.wait(REST_S);
  await story.end("success");
  return { story, broken, agreed };
}

/** Five hundred runs in the long suite. */
const MANY = isLongSuite ? 500 : 60;

/** Many runs with everything that the studio promises to outlive in their middle. */
const LONG: Schedule = {
  seed: 17,
  rows: MANY,
  models: 4,
  body: "relay",
  postFault: 0.05,
  listFault: 0,
  mostLagMs: 10_000,
  failing: 0.2,
  parallel: 8,
  order: "rows",
  retries: 2,
  stopAfterFailures: undefined,
  limit: 0.4 * MANY,
  acts: [
    { atSeconds: 20, act: "crash" },
    { atSeconds: 40, act: "reload" },
    { atSeconds: 50, act: "second tab" },
    { atSeconds: 120, act: "raise the limit" },
    { atSeconds: 140, act: "crash" },
  ],
};

const SETTLED = new Set(["sent", "refused", "absent"]);

/** Plays a schedule and holds what the batch says against the service, the outbox and the ledger. */
async function check(schedule: Schedule) {
  const { story, broken, agreed } = await play(schedule);
  expect(broken).toEqual([]);
  expect(story.world.findings()).toEqual([]);
  const { items } = await story.batch();
  const views = await story.views();
  // Every run that was agreed to is still there, and what was not sent says so.
  expect([...agreed].filter((id) => !items.some((item) => item.id === id))).toEqual([]);
  for (const { item, state } of views)
    expect(SETTLED.has(state.kind) || state.kind === "waiting" || state.kind === "draft", item.id).toBe(true);
  // One job at most for each intent, and every job is that of a run of the batch.
  const intents = new Set(items.flatMap(({ intentId, earlierIntentIds = [] }) => [...earlierIntentIds, intentId]));
  const jobs = story.world.service.jobs.map(({ intentId }) => intentId);
  expect(new Set(jobs).size).toBe(jobs.length);
  expect(jobs.filter((intentId) => !intents.has(intentId ?? ""))).toEqual([]);
  // Only what failed, and so was refunded, or never left, was tried again.
  const outbox = new Map((await story.outbox()).map((row) => [row.intentId, row]));
  const statuses = new Map((await story.tracked()).map(({ requestId, status }) => [requestId, status]));
  for (const intentId of items.flatMap(({ earlierIntentIds = [] }) => earlierIntentIds)) {
    const row = outbox.get(intentId);
    const end = row?.state === "accepted" ? statuses.get(row.requestIds[0] ?? "") : row?.state;
    expect(["failed", "not-sent"]).toContain(end);
  }
  expect(await sumsOf(story)).toEqual(await ledgerOf(story));
  return { views, made: jobs.length };
}

test("whatever happens meanwhile, no run of a batch is doubled or lost, and the end of each is told", async () => {
  let runs = 0;
  let made = 0;
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const end = await check(schedule);
      runs += end.views.length;
      made += end.made;
    }),
    { numRuns: cases(10, 100) },
  );
  expect(made).toBeGreaterThan(0);
  if (process.env.CASES) process.stdout.write(`${runs} runs, ${made} jobs\n`);
}, 3_600_000);

test("many runs with crashes, lost answers, failures and a limit in their middle all end", async () => {
  const { views, made } = await check(LONG);
  expect(views.filter(({ state }) => !SETTLED.has(state.kind))).toEqual([]);
  expect(views.filter(({ item }) => item.earlierIntentIds).length).toBeGreaterThan(0.1 * MANY);
  expect(made).toBeGreaterThan(MANY);
});
