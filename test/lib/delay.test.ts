import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { abortableDelay, fullJitterMs } from "#lib/delay.ts";

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
describe("full jitter", () => {
  it("has a ceiling of one second that doubles with each attempt", () => {
    const ceilings = [0, 1, 2, 3].map((attempt) => fullJitterMs({ attempt, random: () => 1 }));
    expect(ceilings).toEqual([1000, 2000, 4000, 8000]);
  });

  it("is spread evenly between zero and the ceiling", () => {
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
