import { describe, expect, it } from "vitest";
import { newItem } from "#jobs/batch/batch-edits.ts";
import { DEFAULT_RULES } from "#jobs/stored-batches.ts";
import { runTotal, usualDuration } from "#screens/batch/run/run-total.ts";

const totalOf = (...models: string[]) => {
  const items = models.map((model) => ({
    item: newItem({ model, payload: {} }, "g"),
    state: { kind: "draft" } as const,
  }));
  const none = { problems: new Map(), unchecked: new Set<string>() };
  return runTotal({ items, ...none }, () => ({ state: "priced", priceMicroUsd: 35_000, isOwn: true }));
};

describe("how long a batch usually takes", () => {
  const seconds: Record<string, number> = { slow: 60, fast: 6 };
  const usualMs = (model: string) => {
    const known = seconds[model];
    return known === undefined ? undefined : known * 1000;
  };
  const rules = { ...DEFAULT_RULES, parallel: 2, parallelOf: { slow: 1 } };

  it("is that of the slowest model, whose lanes run beside those of the others", () => {
    expect(usualDuration(totalOf("fast", "fast", "fast"), rules, usualMs)).toBe(12_000);
    expect(usualDuration(totalOf("slow", "fast", "slow", "fast"), rules, usualMs)).toBe(120_000);
  });

  it("is not told where that of one model is not known, or nothing is ready", () => {
    expect(usualDuration(totalOf("fast", "new"), rules, usualMs)).toBeUndefined();
    expect(usualDuration(totalOf(), rules, usualMs)).toBeUndefined();
  });
});
