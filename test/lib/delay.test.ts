import { afterEach, describe, expect, it, vi } from "vitest";
import { abortableDelay } from "#lib/delay.ts";

afterEach(() => vi.useRealTimers());

describe("a delay that can be stopped", () => {
  it("ends after its time and not before", async () => {
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

  it("does not even start under a signal that is already aborted", async () => {
    vi.useFakeTimers();
    await expect(abortableDelay(1000, AbortSignal.abort())).rejects.toThrow();
    expect(vi.getTimerCount()).toBe(0);
  });
});
