import { describe, expect, test } from "vitest";
import { dayStart } from "#lib/time.ts";
import { limitRows, limitsKey, readLimits, readReservations, reservationsKey } from "#runs/ledger/spend-limits.ts";
import { findExceededLimit, NO_LIMITS, type Reservation, type SpendLimits, spentSince } from "#runs/rules/limits.ts";
import { putChange } from "#storage/typed-rows.ts";
import fc from "../../setup/fc.ts";
import { stateShown } from "../../setup/state-shown.ts";
import { PRICE } from "../../simulation/sim-settings.ts";
import { ACCOUNT_ID } from "../../simulation/sim-tab.ts";
import { MODEL, openStory, type Story } from "../submit/sim-story.ts";

const HOUR = 3_600_000;
const held = (atMs: number, amountMicroUsd = PRICE): Reservation => ({
  intentId: String(atMs),
  atMs,
  amountMicroUsd,
  requestId: undefined,
});

async function limit(story: Story, limits: Partial<SpendLimits>): Promise<void> {
  const key = limitsKey(ACCOUNT_ID);
  await story.world.browser.rows.edit({ store: "settings", key }, () => ({
    changes: [putChange(limitRows, ACCOUNT_ID, key, { ...NO_LIMITS, ...limits })],
    result: undefined,
  }));
}

const heldNow = async (story: Story) =>
  readReservations(await story.world.browser.rows.get("settings", reservationsKey(ACCOUNT_ID)));

describe("limits on spending", () => {
  test("a run above the limit per run is not sent, without a question", async () => {
    const story = openStory();
    await limit(story, { perRunMicroUsd: PRICE - 1, confirmAboveMicroUsd: PRICE - 2 });
    story.press();
    await story.pass(2);
    expect(story.state()).toMatchObject({ phase: "not-sent", reason: "over-cap", cap: "run", overByMicroUsd: 1 });
    expect(story.world.witness.posts).toBe(0);
  });

  test("two tabs that click at once fit one run in the day's limit", async () => {
    const story = openStory({ models: 2 });
    const other = story.open();
    await limit(story, { perDayMicroUsd: PRICE + PRICE / 2 });
    story.press();
    story.world.witness.noteGesture(other);
    void other.submissions.submit({ model: "model-1", payload: { prompt: "b" } }, PRICE);
    await story.pass(5);
    expect(story.world.service.jobs).toHaveLength(1);
    const states = [story.state(), stateShown(other.submissions, "model-1")];
    expect(states.map((state) => state?.phase).sort()).toEqual(["accepted", "not-sent"]);
  });

  test("a refused amount is released; an open or charged one stays reserved", async () => {
    const refused = openStory({ fates: ["400"] });
    refused.press();
    await refused.pass(2);
    expect(await heldNow(refused)).toEqual([]);

    const open = openStory({ fates: ["lost-request"] });
    open.press();
    await open.pass(20);
    expect((await heldNow(open)).map(({ amountMicroUsd }) => amountMicroUsd)).toEqual([PRICE]);
    await open.pass(150);
    expect(await heldNow(open)).toEqual([]);

    const charged = openStory();
    charged.press();
    await charged.pass(2);
    expect((await heldNow(charged)).map(({ requestId }) => requestId)).toEqual(["job-1"]);
  });

  // M2
  test("every duplicate job that the network made counts against the limits", async () => {
    let twice = 0;
    for (let seed = 1; seed <= 12; seed += 1) {
      const story = openStory({ seed, body: "plain", fates: ["lost-reply"] });
      story.press();
      await story.pass(400);
      const { jobs } = story.world.service;
      const held = await heldNow(story);
      expect(held.map(({ requestId }) => requestId).sort()).toEqual(jobs.map(({ job }) => job.requestId).sort());
      expect(held.every(({ amountMicroUsd }) => amountMicroUsd === PRICE)).toBe(true);
      if (jobs.length === 2) twice += 1;
    }
    expect(twice).toBeGreaterThan(2);
  });

  test("a price above the person's threshold asks once more, and yes sends it", async () => {
    const story = openStory();
    await limit(story, { confirmAboveMicroUsd: PRICE - 1 });
    story.press();
    await story.pass(2);
    expect(story.state()).toMatchObject({ phase: "not-sent", reason: "needs-confirmation", priceMicroUsd: PRICE });
    void story.tab.submissions.confirm(MODEL);
    await story.pass(2);
    expect(story.state().phase).toBe("accepted");
    expect(story.world.witness.posts).toBe(1);
  });

  test("a day ends at midnight", () => {
    const noon = new Date(2026, 10, 20, 12).getTime();
    const runs = [held(noon - 20 * HOUR), held(noon - 5 * HOUR), held(noon - 2 * HOUR), held(noon - HOUR)];
    expect(spentSince(runs, dayStart(noon))).toBe(3 * PRICE);
    expect(spentSince(runs, dayStart(noon + 12 * HOUR))).toBe(0);
  });

  describe("a limit per session of an earlier version", () => {
    const body = { perRunMicroUsd: 7, perSessionMicroUsd: 5 * PRICE, confirmAboveMicroUsd: 6 };
    const stored = (more: object) => ({ key: "limits", scope: ACCOUNT_ID, v: 1, body: { ...body, ...more } });

    test.each([
      ["where none is set", undefined, { perDayMicroUsd: 5 * PRICE, dayFromSession: {} }],
      [
        "where a higher one is set",
        6 * PRICE,
        { perDayMicroUsd: 5 * PRICE, dayFromSession: { replacedMicroUsd: 6 * PRICE } },
      ],
      ["not where the same one is set", 5 * PRICE, { perDayMicroUsd: 5 * PRICE }],
      ["not where a lower one is set", 4 * PRICE, { perDayMicroUsd: 4 * PRICE }],
      ["not over a limit of nothing", 0, { perDayMicroUsd: 0 }],
    ])("becomes the limit per day %s", (_, perDayMicroUsd, expected) => {
      expect(readLimits(stored({ perDayMicroUsd }))).toEqual({
        perRunMicroUsd: 7,
        confirmAboveMicroUsd: 6,
        ...expected,
      });
    });

    test("is gone with the next save, and the limit per day is as it was saved", () => {
      const saved = { ...readLimits(stored({})), perDayMicroUsd: 9 * PRICE };
      const change = putChange(limitRows, ACCOUNT_ID, "limits", saved);
      expect(change).toHaveProperty("row.body", {
        perRunMicroUsd: 7,
        perDayMicroUsd: 9 * PRICE,
        confirmAboveMicroUsd: 6,
      });
    });

    test("blocks a run as the limit per day, without a visit of Spend", async () => {
      const story = openStory();
      const key = limitsKey(ACCOUNT_ID);
      await story.world.browser.rows.edit({ store: "settings", key }, () => ({
        changes: [
          {
            kind: "put",
            store: "settings",
            row: { key, scope: ACCOUNT_ID, v: 1, body: { perSessionMicroUsd: PRICE - 1 } },
          },
        ],
        result: undefined,
      }));
      story.press();
      await story.pass(2);
      expect(story.state()).toMatchObject({ phase: "not-sent", reason: "over-cap", cap: "day", overByMicroUsd: 1 });
      expect(story.world.witness.posts).toBe(0);
    });
  });

  test("a run fits exactly when it exceeds no limit, in whole micro-USD", () => {
    const amount = fc.integer({ min: 0, max: 5_000_000 });
    fc.assert(
      fc.property(amount, amount, fc.array(amount, { maxLength: 8 }), (price, perDay, spent) => {
        const now = new Date(2026, 10, 20, 12).getTime();
        const reservations = spent.map((micro, index) => held(now - index * 1000, micro));
        const total = spent.reduce((sum, micro) => sum + micro, price);
        const broken = findExceededLimit({ ...NO_LIMITS, perDayMicroUsd: perDay }, reservations, price, dayStart(now));
        expect(broken).toEqual(total > perDay ? { cap: "day", overByMicroUsd: total - perDay } : undefined);
      }),
    );
  });
});
