import { describe, expect, it } from "vitest";
import { newGroup, type PlannedRun, roomProblem, withGroup, withoutRemoved, withRuns } from "#batch/rows/group-runs.ts";
import { type Batch, type BatchItem, DEFAULT_RULES, isAgreed } from "#storage/stored-batches.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

const run = (seed: number | string, unavailable?: string[]): PlannedRun => ({
  request: { model: "m", payload: { prompt: "fog", seed } },
  ...(unavailable ? { unavailable } : {}),
});
const runs = (...seeds: (number | string)[]) => seeds.map((seed) => run(seed));

const EMPTY: Batch = { id: "b", name: "", createdAtMs: 1, groups: [], items: [], rules: DEFAULT_RULES };
const GROUP = { ...newGroup("Axes", "axes"), id: "g" };
const OTHER = { ...newGroup("CSV", "csv"), id: "o" };

const made = (...seeds: (number | string)[]) => withGroup(EMPTY, GROUP, runs(...seeds));
const seedsOf = (batch: Batch) => batch.items.map(({ request }) => request.payload.seed);
const change = (batch: Batch, at: number, more: Partial<BatchItem>): Batch => ({
  ...batch,
  items: batch.items.map((item, place) => (place === at ? { ...item, ...more } : item)),
});
const edited = (batch: Batch, at: number) => change(batch, at, { ...run(`edited ${at}`), isEdited: true });
const agreed = (batch: Batch, at: number) => change(batch, at, { priceMicroUsd: 5 });

describe("other runs in a group", () => {
  it("a draft of the same request stays the same row, in the order of the runs", () => {
    const before = made(1, 2, 3);
    const after = withRuns(before, "g", runs(0, 3, 1));
    expect(seedsOf(after)).toEqual([0, 3, 1]);
    expect(after.items[1]).toBe(before.items[2]);
    expect(after.items[2]).toBe(before.items[0]);
    expect(before.items.map(({ id }) => id)).not.toContain(after.items[0]?.id);
  });

  it("the order of keys does not make another request, and equal runs keep a row each", () => {
    const before = made(1, 1);
    const again = { request: { model: "m", payload: { seed: 1, prompt: "fog" } } };
    expect(withRuns(before, "g", [again, again, again]).items.slice(0, 2)).toEqual(before.items);
  });

  it("what a model lacks follows the new run", () => {
    const before = withGroup(EMPTY, GROUP, [run(1, ["Size 1"])]);
    const after = withRuns(before, "g", [run(1)]);
    expect(after.items[0]).toEqual({ ...before.items[0], unavailable: undefined });
    expect(Object.keys(after.items[0] ?? {})).not.toContain("unavailable");
  });

  it("runs that were agreed to stay where they are, and none of them is planned again", () => {
    const before = agreed(agreed(made(1, 2, 3), 0), 1);
    const after = withRuns(before, "g", runs(2, 4, 1));
    expect(seedsOf(after)).toEqual([1, 2, 4]);
    expect(after.items.slice(0, 2)).toEqual(before.items.slice(0, 2));
    expect(seedsOf(withRuns(before, "g", []))).toEqual([1, 2]);
  });

  it("an edited row keeps the place of the run that it was made of", () => {
    const before = edited(made(1, 2, 3), 1);
    expect(seedsOf(withRuns(before, "g", runs(1, 2, 3, 4)))).toEqual([1, "edited 1", 3, 4]);
    // Every request is another one now: each row still stands for one.
    expect(seedsOf(withRuns(before, "g", runs(11, 12, 13)))).toEqual(["edited 1", 11, 13]);
  });

  it("a row that was removed stays out when an axis gets another value, and comes back with its own", () => {
    const before = { ...made(1, 2, 3), items: made(1, 2, 3).items.filter((_, at) => at !== 1) };
    const expanded = (last: PlannedRun[], next: PlannedRun[]) =>
      seedsOf(withRuns(before, "g", withoutRemoved(before, "g", last, next)));
    expect(expanded(runs(1, 2, 3), runs(1, 2, 3, 4))).toEqual([1, 3, 4]);
    expect(expanded(runs(1, 3), runs(1, 2, 3))).toEqual([1, 2, 3]);
    // The rows come from elsewhere, so nothing can be said of what was removed.
    expect(expanded(runs(7, 2), runs(7, 2))).toEqual([7, 2]);
    const withEdit = edited(made(1, 2, 3), 1);
    expect(withoutRemoved(withEdit, "g", runs(1, 2, 3), runs(1, 2, 3, 4))).toEqual(runs(1, 3, 4));
  });

  it("new settings of a batch that was run make all of it anew beside it", () => {
    const before = agreed(agreed(made(1, 2), 0), 1);
    expect(seedsOf(withRuns(before, "g", runs(11, 12)))).toEqual([1, 2, 11, 12]);
  });

  it("other groups stay as they are, and a new group comes last", () => {
    const before = withGroup(made(1, 2), OTHER, runs(8, 9));
    const after = withRuns(before, "g", runs(2, 3, 4));
    expect(seedsOf(after)).toEqual([2, 3, 4, 8, 9]);
    expect(after.items.slice(3)).toEqual(before.items.slice(2));
    expect(after.groups).toEqual([GROUP, OTHER]);
  });

  it("tells how many more fit", () => {
    const before = withGroup(made(1, 2), OTHER, runs(8, 9));
    expect(roomProblem(before, "g", 1998)).toBeUndefined();
    expect(roomProblem(before, undefined, 1997)).toBe("Too many runs: 1,997 new + 4 existing. Up to 1,996 more fit.");
    expect(roomProblem(EMPTY, undefined, 2001)).toBe("Too many runs: 2,001. A batch can have up to 2,000.");
  });
});

it("loses no row that stays, keeps their order, and plans every run once", () => {
  const seeds = fc.array(fc.nat(6), { maxLength: 8 });
  const kinds = fc.array(fc.constantFrom("draft", "agreed", "edited"), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(seeds, kinds, seeds, seeds, (before, kind, other, after) => {
      const start = withGroup(made(...before), OTHER, runs(...other));
      const batch = before.reduce<Batch>((all, _, at) => {
        if (kind[at] === "agreed") return agreed(all, at);
        return kind[at] === "edited" ? edited(all, at) : all;
      }, start);
      const next = withRuns(batch, "g", runs(...after));
      const stays = (item: BatchItem) => item.groupId === "o" || isAgreed(item) || item.isEdited === true;
      expect(next.items.filter(stays)).toEqual(batch.items.filter(stays));
      expect(new Set(next.items.map(({ id }) => id)).size).toBe(next.items.length);
      // As many of each request as are planned, or as were agreed to. Edited rows may stand for some.
      const hidden = batch.items.filter((item) => item.isEdited).length;
      const planned = next.items.filter((item) => item.groupId === "g" && !item.isEdited);
      const count = (list: readonly unknown[], seed: number) => list.filter((one) => one === seed).length;
      let missing = 0;
      for (let seed = 0; seed <= 6; seed += 1) {
        const own = planned.map(({ request }) => request.payload.seed);
        const kept = batch.items.filter((item) => item.groupId === "g" && isAgreed(item));
        const wanted = Math.max(
          count(after, seed),
          count(
            kept.map(({ request }) => request.payload.seed),
            seed,
          ),
        );
        expect(count(own, seed)).toBeLessThanOrEqual(wanted);
        missing += wanted - count(own, seed);
      }
      expect(missing).toBeLessThanOrEqual(hidden);
    }),
    { numRuns: cases(500) },
  );
});
