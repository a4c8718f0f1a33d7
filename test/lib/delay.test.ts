import { afterEach, describe, expect, it, vi } from "vitest";
import { abortableDelay, backoffMs } from "#lib/delay.ts";
import fc from "../setup/fc.ts";

afterEach(() => vi.useRealTimers());

describe("a delay that can be stopped", () => {
  it("ends after its time, not before", async () => {
    vi.useFakeTimers();
    let isOver = false;
    const waiting = abortableDelay(1000).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(isOver).toBe(true);
  });

  it("rejects with the signal's reason and leaves no timer", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const waiting = abortableDelay(1000, controller.signal);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not start with an aborted signal", async () => {
    vi.useFakeTimers();
    await expect(abortableDelay(1000, AbortSignal.abort())).rejects.toThrow();
    expect(vi.getTimerCount()).toBe(0);
  });
});

// Spec 7 rule 1.
describe("the wait before another try", () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });

  it("is a second that doubles, give or take a quarter", () => {
    fc.assert(
      fc.property(fc.nat(5), chance, (attempt, random) => {
        const wait = backoffMs({ attempt, random: () => random });
        expect(wait).toBeGreaterThanOrEqual(750 * 2 ** attempt);
        expect(wait).toBeLessThanOrEqual(1250 * 2 ** attempt);
      }),
    );
  });

  it("uses the whole range", () => {
    expect([0, 0.5, 1].map((random) => backoffMs({ attempt: 2, random: () => random }))).toEqual([3000, 4000, 5000]);
  });

  it("is never over a minute, and is spread there, too", () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 5000 }), chance, (attempt, random) => {
        const wait = backoffMs({ attempt, random: () => random });
        expect(wait).toBeGreaterThanOrEqual(36_000);
        expect(wait).toBeLessThanOrEqual(60_000);
      }),
    );
    expect(backoffMs({ attempt: 9, random: () => 0 })).toBe(36_000);
    expect(backoffMs({ attempt: 9, random: () => 1 })).toBe(60_000);
  });
});
