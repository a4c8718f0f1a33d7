import { afterEach, beforeEach, expect, vi } from "vitest";

/** Fails each test of a file in which a rejection goes unheard, or anything is written into the console as an error. */
export function failOnStrayErrors(): void {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  beforeEach(() => {
    process.on("unhandledRejection", note);
    vi.spyOn(console, "error");
    vi.spyOn(console, "warn");
  });
  afterEach(async () => {
    // Node reports a rejection once the turn in which nobody heard it is over.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(rejections.splice(0)).toEqual([]);
    expect(console.error).not.toHaveBeenCalled();
    expect(console.warn).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
}
