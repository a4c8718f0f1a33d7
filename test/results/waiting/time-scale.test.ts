import { describe, expect, it } from "vitest";
import { createTicks, timeScale } from "#results/waiting/time-scale.ts";
import { rangeText, roundRange, roundTime } from "#results/waiting/usual-time.ts";
import fc from "../../setup/fc.ts";

const DAY_MS = 86_400_000;
const elapsed = fc.double({ min: 0, max: 3 * DAY_MS, noNaN: true });
const range = fc
  .tuple(fc.double({ min: 0, max: DAY_MS, noNaN: true }), fc.double({ min: 0, max: DAY_MS, noNaN: true }))
  .map(([a, b]) => roundRange(Math.min(a, b), Math.max(a, b)));

describe("the scale of a waiting time", () => {
  it("holds the present moment and the usual range, with room behind both", () => {
    fc.assert(
      fc.property(elapsed, range, (ms, usual) => {
        const { endMs, low, high, now, isLate } = timeScale(ms, usual);
        expect(endMs).toBeGreaterThan(Math.max(ms, usual.highMs));
        expect(0 <= low && low < high && high < 100).toBe(true);
        expect(now >= 0 && now < 100).toBe(true);
        expect(isLate).toBe(ms > usual.highMs);
      }),
    );
  });

  it("only grows while time passes, and shows the same moment further left then", () => {
    fc.assert(
      fc.property(elapsed, fc.double({ min: 0, max: DAY_MS, noNaN: true }), range, (ms, more, usual) => {
        const before = timeScale(ms, usual);
        const after = timeScale(ms + more, usual);
        expect(after.endMs).toBeGreaterThanOrEqual(before.endMs);
        expect(after.high).toBeLessThanOrEqual(before.high);
      }),
    );
  });

  it("has labels that do not touch, in their order, and always that of the usual end", () => {
    fc.assert(
      fc.property(elapsed, range, (ms, usual) => {
        const places = createTicks(timeScale(ms, usual), usual);
        expect(places.some(({ kind }) => kind === "high")).toBe(true);
        for (const [index, { at }] of places.entries()) {
          const next = places[index + 1];
          if (next) expect(next.at - at).toBeGreaterThanOrEqual(13);
        }
      }),
    );
  });
});

describe("a range of times", () => {
  it("is rounded around what was measured, never inside of it", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: DAY_MS, noNaN: true }),
        fc.double({ min: 0, max: DAY_MS, noNaN: true }),
        (a, b) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const { lowMs, highMs } = roundRange(from, to);
          expect(lowMs <= from && highMs >= to && lowMs < highMs).toBe(true);
          expect(rangeText({ lowMs, highMs })).not.toMatch(/NaN|undefined|(\b\d+\b) to \1 \w+$/);
        },
      ),
    );
  });

  it.each([
    [400, 900, "up to 1 s"],
    [6_200, 8_900, "6 to 9 s"],
    [22_000, 27_000, "20 to 30 s"],
    [61_000, 175_000, "1 to 3 min"],
    [42_000, 118_000, "40 s to 2 min"],
    [3_700_000, 7_300_000, "1 to 2.5 h"],
  ])("of %i to %i ms reads %s", (from, to, words) => {
    expect(rangeText(roundRange(from, to))).toBe(words);
  });

  it("names one time without tenths", () => {
    expect([300, 6_400, 95_000, 5_400_000].map(roundTime)).toEqual(["1 s", "6 s", "2 min", "1.5 h"]);
  });
});
