import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { payloadKey } from "#runs/request-key.ts";
import { shownState } from "#runs/rules/intent.ts";
import type { SubmitEffects } from "#runs/submit/effects.ts";
import { getAttemptSlot, intentRows } from "#runs/submit/outbox.ts";
import { createSubmissions } from "#runs/submit/submissions.ts";
import { createMemoryRows } from "#storage/rows.ts";
import fc from "../../setup/fc.ts";
import { makeIntent } from "../../setup/make-intent.ts";
import { stateShown } from "../../setup/state-shown.ts";
import { PRICE } from "../../simulation/sim-settings.ts";
import { ACCOUNT_ID, openTab } from "../../simulation/sim-tab.ts";
import { openStory, REQUEST } from "./sim-story.ts";

describe("consent, price and record, in virtual time", () => {
  // M15
  test("an open outcome stays open under another key; its own key finds the job", async () => {
    const story = openStory({ fates: ["hang"] });
    story.press();
    await story.pass(1);
    story.tab.crash();
    openTab(story.world.browser, "another key");
    await story.pass(400);
    expect((await story.outbox()).map(({ state }) => state)).toEqual(["sending"]);
    const back = story.open();
    await story.pass(20);
    expect(stateShown(back.submissions, "model-0")).toMatchObject({ phase: "accepted", how: "recovered" });
  });

  // M16
  test("a price belongs to one exact payload, whatever the order of its keys", () => {
    const payload = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(payload, payload, (one, other) => {
        const reversed = Object.fromEntries(Object.entries(one).reverse());
        expect(payloadKey(reversed)).toBe(payloadKey(one));
        const isSame = isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
        expect(payloadKey(one) === payloadKey(other)).toBe(isSame);
      }),
    );
  });

  // M18
  test.each([-1, Number.NaN, 0.5, 1e21, Number.POSITIVE_INFINITY])(
    "an estimate of %d is no price: nothing is sent",
    async (quotedMicroUsd) => {
      const story = openStory({ quotedMicroUsd });
      story.press(story.tab, Number.MAX_SAFE_INTEGER);
      await story.pass(5);
      expect(story.state()).toMatchObject({ phase: "not-sent", reason: "price-unknown" });
      expect(story.world.witness.posts).toBe(0);
    },
  );

  // M28
  test("a newer studio's row is not changed, and its open attempt blocks another", async () => {
    const story = openStory();
    const { rows } = story.world.browser;
    const newer = {
      key: "intent-of-a-newer-one",
      scope: ACCOUNT_ID,
      v: intentRows.version + 1,
      slot: getAttemptSlot(ACCOUNT_ID, "model-0"),
      body: {
        intentId: "intent-of-a-newer-one",
        request: REQUEST,
        priceMicroUsd: PRICE,
        state: "sending",
        somethingNew: { kept: true },
      },
    };
    await rows.edit({ store: "outbox", key: newer.key }, () => ({
      changes: [{ kind: "put", store: "outbox", row: newer }],
      result: undefined,
    }));
    story.press();
    await story.pass(120);
    expect(story.world.witness.posts).toBe(0);
    expect(await rows.get("outbox", newer.key)).toEqual(newer);
  });

  // M17
  test("a higher price asks again, and a lower one does not", async () => {
    const story = openStory();
    story.press(story.tab, 139_999);
    await story.pass(2);
    expect(story.state()).toMatchObject({ phase: "not-sent", reason: "price-rose", priceMicroUsd: 140_000 });
    expect(story.world.witness.posts).toBe(0);
    void story.tab.submissions.confirm("model-0");
    await story.pass(2);
    expect(story.state()).toMatchObject({ phase: "accepted", priceMicroUsd: 140_000 });

    const fallen = openStory();
    fallen.press(fallen.tab, 200_000);
    await fallen.pass(2);
    expect(fallen.state()).toMatchObject({ phase: "accepted", priceMicroUsd: 140_000 });
  });

  // M19: no balance is made up.
  test("a charge is one line of the ledger with the whole price", async () => {
    const story = openStory();
    story.press();
    await story.pass(2);
    const lines = await story.ledger();
    expect(lines.map(({ kind, amountMicroUsd }) => [kind, amountMicroUsd])).toEqual([["charged", 140_000]]);
  });

  // M20
  test("nothing is sent when the record cannot be written", async () => {
    const story = openStory({ storageFault: 1 });
    story.press();
    await story.pass(5);
    expect(story.state()).toMatchObject({ phase: "not-sent", reason: "storage" });
    expect(story.world.witness.posts).toBe(0);
  });

  test("nothing is sent when the baseline cannot be read", async () => {
    const story = openStory({ listFault: 1 });
    story.press();
    await story.pass(5);
    expect(story.state()).toMatchObject({ phase: "not-sent", reason: "list-unread" });
    expect(story.world.witness.posts).toBe(0);
  });

  // M22: the intent is spent, and the state is from the record.
  test("returning to the page sends nothing", async () => {
    const story = openStory();
    story.press();
    await story.pass(2);
    void story.tab.submissions.resume();
    story.tab.submissions.wake();
    const back = story.open();
    await story.pass(300);
    expect(stateShown(back.submissions, "model-0").phase).not.toBe("sending");
    expect(story.world.witness.posts).toBe(1);
  });

  // M26
  test("an answer after the time limit is accepted once, with one ledger line", async () => {
    const story = openStory();
    story.press();
    await story.pass(0.5);
    story.tab.freeze();
    // The browser takes a frozen page's locks away only when it dies, so another tab waits for the first one.
    const other = story.open();
    await story.pass(400);
    story.tab.thaw();
    await story.pass(60);
    expect(other.isAlive()).toBe(true);
    expect(story.world.witness.posts).toBe(story.world.service.jobs.length);
    expect((await story.ledger()).filter(({ kind }) => kind === "charged")).toHaveLength(
      story.world.service.jobs.length,
    );
    expect(story.world.findings()).toEqual([]);
  });
});

// P7. On a page over plain http there are no Web Locks, so one tab does not see what another one holds.
describe("without locks between tabs", () => {
  class NoLocks extends Map<string, symbol> {
    override has = () => false;
  }
  const order = { intentId: "of-both", request: { ...REQUEST, payload: { prompt: "both" } }, agreedMicroUsd: PRICE };

  test.each([0, 0.01, 0.05, 0.1, 0.5, 1, 5])(
    "one consent in two tabs is submitted once: the second comes after %d s",
    async (seconds) => {
      const story = openStory();
      const { browser, witness, service } = story.world;
      browser.locks = new NoLocks();
      const other = story.open();
      witness.noteGesture(story.tab);
      const first = story.tab.submissions.send(order);
      await story.pass(seconds);
      witness.noteGesture(other);
      const second = other.submissions.send(order);
      await story.pass(400);
      expect((await Promise.all([first, second])).map((state) => "phase" in state && state.phase)).toContain(
        "accepted",
      );
      expect([witness.posts, service.jobs.length]).toEqual([1, 1]);
    },
  );

  test.each([0.01, 0.1, 0.5, 1, 5])("a tab that opens %d s after the press sends nothing again", async (seconds) => {
    const story = openStory();
    const { browser, witness, service } = story.world;
    browser.locks = new NoLocks();
    story.press();
    await story.pass(seconds);
    story.open();
    await story.pass(600);
    expect(witness.posts).toBe(service.jobs.length);
    expect(witness.posts).toBeLessThanOrEqual(1);
    expect((await story.ledger()).filter(({ kind }) => kind === "charged")).toHaveLength(service.jobs.length);
  });
});

describe("a run of a batch beside the form of its model", () => {
  const order = {
    intentId: "of-a-batch",
    request: { ...REQUEST, payload: { prompt: "a batch" } },
    agreedMicroUsd: PRICE,
  };

  test("does not show in the form, and a press meanwhile is submitted after it", async () => {
    const story = openStory();
    const { witness } = story.world;
    witness.noteGesture(story.tab);
    const sent = story.tab.submissions.send(order);
    story.press();
    witness.noteGesture(story.tab);
    await story.pass(30);
    expect(await sent).toMatchObject({ phase: "accepted", intentId: "of-a-batch" });
    expect(story.phases).toEqual(["sending", "accepted"]);
    expect(story.state()).toMatchObject({ phase: "accepted" });
    expect(story.state()).not.toMatchObject({ intentId: "of-a-batch" });
    expect(witness.posts).toBe(2);
  });

  test("waits while the form's own run is being submitted", async () => {
    const story = openStory();
    story.press();
    expect(await story.tab.submissions.send(order)).toMatchObject({ phase: "not-sent", reason: "unsettled" });
    await story.pass(30);
    expect(story.world.witness.posts).toBe(1);
  });

  test("holds up the form while it is unconfirmed, and leaves it free once its job is found", async () => {
    const story = openStory({ fates: ["lost-reply"] });
    story.world.witness.noteGesture(story.tab);
    void story.tab.submissions.send(order);
    await story.pass(400);
    expect(story.phases).toEqual(["unconfirmed", "idle"]);
    expect(story.tab.submissions.runs.getState()).toMatchObject([{ isOfBatch: true, state: { phase: "accepted" } }]);
  });
});

/** Submits without a service: no price can be loaded, so that every run ends as not sent. */
function withoutService(more: Partial<SubmitEffects> = {}) {
  let show: SubmitEffects["show"] = () => {};
  const submissions = createSubmissions((given) => {
    show = given;
    const effects: Partial<Record<keyof SubmitEffects, unknown>> = {
      accountId: "key",
      rows: createMemoryRows(),
      show: given,
      nowMs: () => 0,
      monotonicMs: () => 0,
      newId: () => "intent",
      isOnline: () => true,
      isRecordSafe: () => true,
      api: { price: () => Promise.reject(new Error("No service")) },
      locks: { tryHold: async () => ({ isAcquired: false }) },
      ...more,
    };
    return effects as unknown as SubmitEffects;
  });
  return { submissions, show };
}

describe("a run of a batch that the form shows because it is unconfirmed", () => {
  const request = REQUEST;
  const order = (intentId: string) => ({ intentId, request, agreedMicroUsd: PRICE });
  const unconfirmed = shownState(makeIntent({ intentId: "first", request, state: "unconfirmed" }));

  test("stays on the form while another batch tries to submit runs of the model", async () => {
    const { submissions, show } = withoutService();
    await submissions.send(order("first"));
    show({ intentId: "first", request, priceMicroUsd: PRICE }, unconfirmed);
    for (const _ of [1, 2, 3]) {
      await submissions.send(order("second"));
      expect(stateShown(submissions, request.model)).toBe(unconfirmed);
    }
    // One of each batch: the one that is followed, and the last that ended.
    expect(submissions.runs.getState().map(({ intentId }) => intentId)).toEqual(["first", "second"]);
  });

  test("is no run of the form, however late the page hears how it ended", async () => {
    const { submissions, show } = withoutService();
    await submissions.send(order("first"));
    await submissions.send(order("second"));
    expect(submissions.runs.getState().map(({ intentId }) => intentId)).toEqual(["second"]);
    const accepted = shownState(makeIntent({ intentId: "first", request, state: "accepted", requestIds: ["job"] }));
    show({ intentId: "first", request, priceMicroUsd: PRICE }, accepted);
    expect(stateShown(submissions, request.model).phase).toBe("idle");
  });
});

test("a run without an answer is the same one again after a press that could not be sent", async () => {
  const { submissions, show } = withoutService();
  const of = { intentId: "open", request: REQUEST, priceMicroUsd: PRICE };
  const unconfirmed = shownState(makeIntent({ intentId: "open", request: REQUEST, state: "unconfirmed" }));
  show(of, unconfirmed);
  const [before] = submissions.runs.getState();
  await submissions.submit(REQUEST, PRICE);
  expect(stateShown(submissions, REQUEST.model)).toMatchObject({ phase: "not-sent", reason: "price-unknown" });
  show(of, unconfirmed);
  expect(submissions.runs.getState()).toEqual([before]);
});

describe("the runs that a page shows", () => {
  test("keep their places while they are polled for", async () => {
    const story = openStory({ fates: ["lost-reply", "lost-reply"], mostLagMs: 110_000 });
    const { runs, submit } = story.tab.submissions;
    const places = new Set<string>();
    runs.subscribe((all) => places.add(all.map(({ request }) => request.model).join(", ")));
    story.press();
    await story.pass(1);
    void submit({ ...REQUEST, model: "model-1" }, PRICE);
    await story.pass(400);
    expect([...places]).toEqual(["model-0", "model-0, model-1"]);
    expect(runs.getState().map(({ state }) => state.phase)).toEqual(["accepted", "accepted"]);
  });

  test("are one of a model after many presses, whatever became of those before", async () => {
    const story = openStory({ fates: ["400", "none", "lost-request", "none"] });
    const { runs, sendAgain, dismiss } = story.tab.submissions;
    for (const _ of [1, 2, 3]) {
      story.press();
      await story.pass(30);
    }
    await story.pass(600);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: true });
    void dismiss(REQUEST.model);
    await story.pass(1);
    expect(runs.getState()).toEqual([]);
    void sendAgain(REQUEST.model);
    await story.pass(1);
    expect(runs.getState()).toEqual([]);
    story.press();
    await story.pass(30);
    expect(runs.getState().map(({ state, isShown }) => [state.phase, isShown])).toEqual([["accepted", true]]);
  });

  test("hold up no reload once another press has followed one whose lock could not be asked for", async () => {
    let asked = 0;
    const tryHold = async () => {
      asked += 1;
      if (asked === 1) throw new Error("The document is not active.");
      return { isAcquired: false } as const;
    };
    const api = { price: async () => PRICE } as unknown as SubmitEffects["api"];
    const { submissions } = withoutService({ api, locks: { tryHold } });
    await expect(submissions.submit(REQUEST, PRICE)).rejects.toThrow("not active");
    expect(stateShown(submissions, REQUEST.model).phase).toBe("sending");
    await submissions.submit(REQUEST, PRICE);
    expect(submissions.runs.getState().map(({ state }) => state)).toEqual([{ phase: "not-sent", reason: "other-tab" }]);
  });
});
