import { describe, expect, it } from "vitest";
import { runTotal, usualDuration } from "#batch/batch-document.ts";
import { newItem } from "#batch/rows/group-runs.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { RowPrices } from "#runs/prices/row-prices.ts";
import { type BatchItem, DEFAULT_RULES } from "#storage/stored-batches.ts";

const totalOf = (...models: string[]) => {
  const items = models.map((model) => ({
    item: newItem({ model, payload: {} }, "g"),
    state: { kind: "draft" } as const,
  }));
  const none = { problems: new Map(), unchecked: new Set<string>() };
  return runTotal({ items, ...none }, () => ({ state: "priced", priceMicroUsd: 35_000, isExact: true }));
};

describe("the total of a batch", () => {
  const item = (model: string, payload: JsonRecord, groupId = "g") => newItem({ model, payload }, groupId);
  const draft = (one: BatchItem) => ({ item: one, state: { kind: "draft" } as const });
  const prices: Record<string, number> = { flat: 35_000, wide: 53_001 };
  const of: RowPrices["of"] = ({ model, payload }) => {
    if (model === "refused") return { state: "failed", error: new Error("refused") };
    if (model === "slow") return { state: "pricing" };
    return { state: "priced", priceMicroUsd: prices[String(payload.size)] ?? 35_000, isExact: true };
  };

  it("is the exact sum of the runs that are ready, in a line for each model and price", () => {
    const items = [item("b", { size: "wide" }), item("a", {}), item("b", {}), item("b", { size: "wide" })].map(draft);
    const sent = { item: item("b", {}), state: { kind: "waiting" } as const };
    const none = { problems: new Map(), unchecked: new Set<string>() };
    const total = runTotal({ items: [...items, sent], ...none }, of);
    expect(total.totalMicroUsd).toBe(35_000 + 35_000 + 2 * 53_001);
    expect(total.lines).toEqual([
      { model: "b", priceMicroUsd: 35_000, count: 1 },
      { model: "b", priceMicroUsd: 53_001, count: 2 },
      { model: "a", priceMicroUsd: 35_000, count: 1 },
    ]);
    expect(total.ready.map(({ id }) => id)).toEqual(items.map(({ item }) => item.id));
    expect([...total.prices.values()]).toEqual([53_001, 35_000, 35_000, 53_001]);
    expect(total).toMatchObject({ pricing: 0, unpriced: 0, troubled: 0, leftOutGroups: [] });
  });

  it("leaves out what has a problem, no price yet, or none at all, and says of which groups that is", () => {
    const [wrong, waiting, refused, unchecked, ready] = [
      item("a", {}, "first"),
      item("slow", {}, "second"),
      item("refused", {}, "second"),
      item("a", {}, "third"),
      item("a", {}, "fourth"),
    ];
    const total = runTotal(
      {
        items: [wrong, waiting, refused, unchecked, ready].map(draft),
        problems: new Map([[wrong.id, ["Seed must be a whole number."]]]),
        unchecked: new Set([unchecked.id]),
      },
      of,
    );
    expect(total).toMatchObject({ totalMicroUsd: 35_000, troubled: 1, pricing: 2, unpriced: 1 });
    expect(total.ready).toEqual([ready]);
    expect(total.leftOutGroups).toEqual(["first", "second", "third"]);
  });
});

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
