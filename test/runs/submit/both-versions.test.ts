import { describe, expect, test } from "vitest";
import { type Intent, type IntentState, isUnsettled } from "#runs/rules/intent.ts";
import { auditLockBefore, type SubmitEffects, submitLockName } from "#runs/submit/effects.ts";
import { baselineKey, baselineRows, baselineScope, getAttemptSlot, intentChange, record } from "#runs/submit/outbox.ts";
import { runAudits } from "#runs/submit/recovery.ts";
import { createMemoryRows, SlotTakenError, type StoredRow } from "#storage/rows.ts";
import { readOne } from "#storage/typed-rows.ts";
import { makeIntent } from "../../setup/make-intent.ts";
import { EPOCH_MS } from "../../simulation/sim-service.ts";
import { PRICE } from "../../simulation/sim-settings.ts";
import { ACCOUNT_ID } from "../../simulation/sim-tab.ts";
import { INTENT_VERSION_BEFORE, readIntentBefore } from "../../storage/rows-of-before.ts";
import { MODEL, openStory, REQUEST, type Story } from "./sim-story.ts";

const INTENT = "intent-before";
const OPEN = ["sending", "retrying", "unconfirmed", "absent"] as const;

/** A row as a page of the version before left it. The list of jobs stands in the row itself. */
function rowBefore(state: IntentState, baseline: string[]): StoredRow {
  const wordsOfService = { status: 429, message: "Rate limit exceeded. Try again later." };
  const intent = makeIntent({
    intentId: INTENT,
    request: REQUEST,
    priceMicroUsd: PRICE,
    state,
    bodyKind: "stream",
    sentAtMs: EPOCH_MS,
    refusal: state === "retrying" ? wordsOfService : undefined,
    goodPolls: state === "absent" ? 5 : 0,
    waitedMs: state === "absent" ? 120_000 : 0,
    shared: true,
  });
  const slot = isUnsettled(state) ? { slot: getAttemptSlot(ACCOUNT_ID, MODEL) } : {};
  const body = { ...intent, goodLooks: intent.goodPolls, baseline, baselineAfterSeconds: 0 };
  return { key: INTENT, scope: ACCOUNT_ID, v: INTENT_VERSION_BEFORE, body, ...slot };
}

/** A job of the same prompt, made before, and the row of a page of the version before that had read it in the list. */
function leaveRow(story: Story, state: IntentState, changes: Partial<Intent> = {}): void {
  const { browser, service, witness } = story.world;
  service.create(REQUEST, undefined);
  const left = rowBefore(
    state,
    service.list({ model_id: MODEL }).jobs.map(({ requestId }) => requestId),
  );
  const row = { ...left, body: { ...(left.body as object), ...changes } };
  browser.rows.putOutside("outbox", row);
  witness.noteOlder(row);
}

const lists = ({ world }: Story) => world.browser.rows.all("outbox", baselineScope(ACCOUNT_ID));
const charges = async (story: Story) =>
  (await story.ledger()).map(({ kind, intentId, requestId }) => ({ kind, intentId, requestId }));

describe("what the version before left open", () => {
  test.each(OPEN.filter((state) => state !== "retrying"))(
    "%s: gets its job, and not one that was there before",
    async (state) => {
      const story = openStory();
      leaveRow(story, state);
      story.world.service.create(REQUEST, INTENT);
      await story.pass(60);
      expect(await story.outbox()).toMatchObject([{ intentId: INTENT, state: "accepted", requestIds: ["job-2"] }]);
      expect(await charges(story)).toEqual([{ kind: "charged", intentId: INTENT, requestId: "job-2" }]);
      // The list stands in a row of its own until the audit is over.
      expect(await lists(story)).toMatchObject([{ body: { ids: ["job-1"] } }]);
      await story.pass(400);
      expect(await lists(story)).toEqual([]);
      expect((await story.world.browser.rows.all("outbox")).map(({ key }) => key)).toEqual([INTENT]);
      expect(story.world.findings()).toEqual([]);
    },
  );

  test.each(OPEN)("%s: takes nobody else's job where it made none, and sends nothing", async (state) => {
    const story = openStory();
    leaveRow(story, state);
    await story.pass(1_500);
    const [intent] = await story.outbox();
    expect(intent?.state).toBe(state === "retrying" ? "rejected" : "absent");
    expect((await charges(story)).filter(({ kind }) => kind === "charged")).toEqual([]);
    expect(story.world.witness.posts).toBe(0);
    expect(story.world.findings()).toEqual([]);
  });

  test("is left to its page as long as that is open", async () => {
    const story = openStory();
    const { locks, rows } = story.world.browser;
    const itsPage = Symbol("a page of the version before");
    locks.set(submitLockName(ACCOUNT_ID, MODEL), itsPage);
    leaveRow(story, "sending");
    const before = await rows.get("outbox", INTENT);
    story.press();
    await story.pass(60);
    expect(await rows.get("outbox", INTENT)).toEqual(before);
    expect(story.state()).toMatchObject({ phase: "not-sent" });
    expect(story.world.witness.posts).toBe(0);
    // It closes.
    locks.delete(submitLockName(ACCOUNT_ID, MODEL));
    story.world.service.create(REQUEST, INTENT);
    await story.pass(60);
    expect(await charges(story)).toEqual([{ kind: "charged", intentId: INTENT, requestId: "job-2" }]);
  });

  test("is written again with its list after the database was lost", async () => {
    const story = openStory();
    leaveRow(story, "sending");
    await story.pass(25);
    expect((await story.outbox())[0]?.state).toBe("unconfirmed");
    story.world.browser.rows.wipe();
    story.world.witness.noteDatabaseLost();
    story.tab.loseDatabase();
    await story.pass(1);
    expect(await readOne(story.world.browser.rows, baselineRows, baselineKey(INTENT))).toMatchObject({
      ids: new Set(["job-1"]),
    });
    story.world.service.create(REQUEST, INTENT);
    await story.pass(60);
    expect(await charges(story)).toEqual([{ kind: "charged", intentId: INTENT, requestId: "job-2" }]);
  });
});

describe("a page of the version before, beside this one or put back", () => {
  /** One run without an answer, one that has its job, and one that was refused. */
  async function sendThree(): Promise<Story> {
    const story = openStory({ fates: ["none", "400", "lost-reply"], mostLagMs: 600_000 });
    for (const _ of [1, 2, 3]) {
      story.press();
      await story.pass(20);
    }
    return story;
  }

  test("shows every run, and finds no list among them", async () => {
    const story = await sendThree();
    const rows = await story.world.browser.rows.all("outbox", ACCOUNT_ID);
    const shown = rows.map(({ body }) => readIntentBefore(body));
    const intents = await story.outbox();
    expect(intents.map(({ state }) => state)).toEqual(["accepted", "rejected", "unconfirmed"]);
    for (const [index, { intentId, request, state, priceMicroUsd, requestIds, refusal }] of intents.entries())
      expect(shown[index]).toMatchObject({ intentId, request, state, priceMicroUsd, requestIds, refusal });
    expect(shown).toHaveLength(3);
  });

  test("moves no run, frees no slot, and sends nothing for a model whose run is open", async () => {
    const story = await sendThree();
    const { rows } = story.world.browser;
    const before = await rows.all("outbox");
    for (const row of before) {
      expect(row.v).toBeGreaterThan(INTENT_VERSION_BEFORE);
      // It wrote its own version, and removed what was of its own version.
      const { slot: _, ...free } = row;
      const older = { ...free, v: INTENT_VERSION_BEFORE, body: rowBefore("rejected", []).body };
      await rows.edit({ store: "outbox", key: row.key }, () => ({
        changes: [{ kind: "put", store: "outbox", row: older }],
        result: undefined,
      }));
    }
    expect(await rows.all("outbox")).toEqual(before);
    const another = { ...rowBefore("sending", []), key: "intent-of-the-page-before" };
    const sending = rows.edit({ store: "outbox", key: another.key }, () => ({
      changes: [{ kind: "put", store: "outbox", row: another }],
      result: undefined,
    }));
    await expect(sending).rejects.toBeInstanceOf(SlotTakenError);
  });

  test("polls in vain for a run without an answer: once a minute at most, and holds up nobody", async () => {
    const story = openStory({ fates: ["lost-reply"], mostLagMs: 30_000, body: "stream" });
    const { locks, rows } = story.world.browser;
    story.press();
    await story.pass(0.5);
    const [sending] = await story.outbox();
    locks.set(`settle:${sending?.intentId}`, Symbol("a page of the version before"));
    const searchedForMs: unknown[] = [];
    story.tab.submissions.runs.subscribe(async () => {
      const [row] = await rows.all("outbox", ACCOUNT_ID);
      if (story.state().phase === "unconfirmed") searchedForMs.push(readIntentBefore(row?.body)?.waitedMs);
    });
    await story.pass(100);
    expect(searchedForMs.length).toBeGreaterThan(0);
    // After three minutes it polled once a minute, and after fifteen no more for what was not found.
    for (const ms of searchedForMs) expect(ms).toBeGreaterThan(900_000);
    expect(await story.outbox()).toMatchObject([{ state: "accepted" }]);
  });

  test("holds up no audit of this version, and audits its own rows itself", async () => {
    const story = openStory({ body: "plain" });
    const { browser, service } = story.world;
    const itsPage = Symbol("a page of the version before");
    browser.locks.set(auditLockBefore(ACCOUNT_ID), itsPage);
    leaveRow(story, "accepted", { requestIds: ["job-1"], how: "answered", auditDueAtMs: EPOCH_MS + 120_000 });
    story.press();
    await story.pass(2);
    const intentId = (await story.outbox()).find(({ intentId }) => intentId !== INTENT)?.intentId;
    // The network delivered it twice.
    service.create(REQUEST, intentId);
    await story.pass(170);
    const kinds = async () =>
      (await charges(story)).filter((line) => line.intentId === intentId).map(({ kind }) => kind);
    expect(await kinds()).toEqual(["charged", "possible-duplicate"]);
    const own = await browser.rows.get("outbox", INTENT);
    expect(own).toMatchObject({ v: INTENT_VERSION_BEFORE, body: { auditDueAtMs: EPOCH_MS + 120_000 } });
    // It understands none of today's as due.
    const rows = await browser.rows.all("outbox", ACCOUNT_ID);
    expect(rows.filter(({ body }) => readIntentBefore(body)?.auditDueAtMs !== undefined)).toEqual([own]);
    // It closes.
    browser.locks.delete(auditLockBefore(ACCOUNT_ID));
    await story.pass(300);
    expect((await story.outbox()).map(({ auditDueAtMs }) => auditDueAtMs)).toEqual([undefined, undefined]);
  });

  test("takes what never left for nothing that it could submit again and again", async () => {
    const story = openStory();
    const { rows } = story.world.browser;
    const never = makeIntent({ intentId: "never", state: "not-sent", neverLeft: true });
    const change = intentChange(ACCOUNT_ID, never);
    await rows.edit({ store: "outbox", key: "never" }, () => ({ changes: [change], result: undefined }));
    expect(await story.outbox()).toEqual([never]);
    // Its runner paused where a row was there that it could not read, and tried again at once where it could.
    expect(readIntentBefore((await rows.get("outbox", "never"))?.body)).toBeUndefined();
  });
});

describe("an audit", () => {
  const row = rowBefore("accepted", ["job-1"]);
  const dueSoon = {
    ...(row.body as object),
    requestIds: ["job-2"],
    how: "answered",
    auditDueAtMs: EPOCH_MS + 120_000,
  };

  test("of another tab that was the last takes nothing away from this one, which then finds nothing beside", async () => {
    const story = openStory();
    const { browser, service } = story.world;
    for (const intentId of [undefined, INTENT]) service.create(REQUEST, intentId);
    browser.rows.putOutside("outbox", { ...row, body: dueSoon });
    story.world.witness.noteOlder({ ...row, body: dueSoon });
    await story.pass(60);
    // The version before made the last audit, and emptied the list.
    browser.rows.putOutside("outbox", { ...row, body: { ...dueSoon, auditDueAtMs: undefined, baseline: [] } });
    await record({ accountId: ACCOUNT_ID, rows: browser.rows, nowMs: () => EPOCH_MS }, INTENT, {
      kind: "audited",
      extraJobs: [service.jobs[0]?.job].flatMap((job) => job ?? []),
      isLast: true,
    });
    expect((await story.ledger()).filter(({ kind }) => kind === "possible-duplicate")).toEqual([]);
    const before = story.world.witness.posts;
    await story.pass(600);
    expect((await story.ledger()).filter(({ kind }) => kind === "possible-duplicate")).toEqual([]);
    expect(story.world.witness.posts).toBe(before);
  });

  test("ends with what is due, also where another tab has made the last one meanwhile", async () => {
    const rows = createMemoryRows();
    const due = makeIntent({ intentId: "i", state: "accepted", requestIds: ["job-1"], auditDueAtMs: 60_000 });
    const write = (intent: Intent) =>
      rows.edit({ store: "outbox", key: "i" }, () => ({ changes: [intentChange("key", intent)], result: undefined }));
    await write(due);
    const sleeps: number[] = [];
    let nowMs = 0;
    const effects = {
      accountId: "key",
      rows,
      nowMs: () => nowMs,
      monotonicMs: () => nowMs,
      locks: {
        tryHold: async (_: string, work: () => Promise<unknown>) => ({ isAcquired: true, result: await work() }),
      },
      api: { listJobs: async () => ({ jobs: [], total: 0 }) },
      sleep: async (ms: number) => {
        nowMs += ms;
        sleeps.push(ms);
        if (sleeps.length > 50) throw new Error("It never ends");
        if (nowMs >= 30_000) await write({ ...due, auditDueAtMs: undefined });
      },
    };
    await runAudits(effects as unknown as SubmitEffects, new Map(), () => new AbortController().signal);
    expect(sleeps).toEqual([30_000]);
  });
});
