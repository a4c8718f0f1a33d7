import { onTestFinished, vi } from "vitest";

/** The rest of the test is on a phone: a window of 390 × 844 and a finger. */
export function givePhone(): void {
  const holds = (query: string) =>
    query.split(" and ").every((part) => {
      const [, side, rem] = /\((min|max)-width: ([\d.]+)rem\)/.exec(part) ?? [];
      if (side !== undefined) return side === "min" ? 390 >= 16 * Number(rem) : 390 <= 16 * Number(rem);
      return part === "(pointer: coarse)";
    });
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: holds(query),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  onTestFinished(() => void vi.unstubAllGlobals());
}
