import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fullJitterMs } from "#lib/backoff.ts";

describe("full jitter (spec 7 rule 1)", () => {
  it("has a ceiling of one second that doubles with each attempt", () => {
    const ceilings = [0, 1, 2, 3].map((attempt) => fullJitterMs({ attempt, random: () => 1 }));
    expect(ceilings).toEqual([1000, 2000, 4000, 8000]);
  });

  it("spreads evenly between nothing and the ceiling", () => {
    expect(fullJitterMs({ attempt: 2, random: () => 0 })).toBe(0);
    expect(fullJitterMs({ attempt: 2, random: () => 0.5 })).toBe(2000);
  });

  it("never exceeds the cap, however many attempts", () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
        const wait = fullJitterMs({ attempt, capMs: 60_000, random: () => chance });
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(60_000);
      }),
    );
  });
});
