import { describe, expect, test } from "vitest";
import type { LedgerLine } from "#runs/ledger/ledger.ts";
import { LINE_STATES, SPEND_RANGES } from "#spend/spend-filter.ts";
import { type SpendSums, spendEntries, spendView, sumEntries } from "#spend/spend-view.ts";
import { anyLedger, NOW, sumByHand } from "../runs/ledger/any-ledger.ts";
import fc from "../setup/fc.ts";

const total = (parts: readonly SpendSums[], name: keyof SpendSums) => parts.reduce((sum, part) => sum + part[name], 0);
const NAMES = Object.keys(sumEntries([])) as (keyof SpendSums)[];

describe("what Spend shows", () => {
  test("adds up to the ledger to the micro-dollar, whatever is in it", () => {
    fc.assert(
      fc.property(anyLedger, (lines) => {
        const { sums, listed } = spendView(lines, { range: "all" }, NOW);
        const { charged, estimated, pending, unknown } = sumByHand(lines, { fromMs: 0 });
        expect(BigInt(sums.chargedMicroUsd)).toBe(charged);
        expect(BigInt(sums.estimatedMicroUsd)).toBe(estimated);
        expect(BigInt(sums.pendingMicroUsd)).toBe(pending);
        expect(sums.unpriced + sums.pendingUnknown).toBe(unknown);
        expect(listed.map(({ line }) => line.id).sort()).toEqual(lines.map(({ id }) => id).sort());
      }),
    );
  });

  test("is the same by bar, by model and by project, in each range and filter", () => {
    const anyFilter = fc.record({
      range: fc.constantFrom(...SPEND_RANGES),
      model: fc.option(fc.constantFrom("a", "b", ""), { nil: undefined }),
      project: fc.option(fc.constantFrom("p", ""), { nil: undefined }),
    });
    fc.assert(
      fc.property(anyLedger, anyFilter, (lines, filter) => {
        const view = spendView(lines, filter, NOW);
        const models = view.models.filter(({ id }) => filter.model === undefined || id === filter.model);
        const projects = view.projects.filter(({ id }) => filter.project === undefined || id === filter.project);
        for (const name of NAMES) {
          const bars = view.buckets.map(({ sums }) => sums);
          expect(total(bars, name), `bars ${name}`).toBe(view.sums[name]);
          expect(total(models, name), `models ${name}`).toBe(view.sums[name]);
          expect(total(projects, name), `projects ${name}`).toBe(view.sums[name]);
        }
        for (const { charged, sums } of view.buckets)
          expect(charged.reduce((sum, part) => sum + part, 0)).toBe(sums.chargedMicroUsd);
      }),
    );
  });

  test("has each line that costs in exactly one of charged, estimated, pending and unknown", () => {
    fc.assert(
      fc.property(anyLedger, (lines) => {
        for (const entry of spendEntries(lines)) {
          const { line } = entry;
          const states = LINE_STATES.filter((state) =>
            spendView(lines, { range: "all", state }, NOW).listed.some((one) => one.line.id === line.id),
          );
          expect(states.length).toBeGreaterThan(0);
          const mayCost = ["charged", "possible-duplicate", "unconfirmed"].includes(line.kind);
          expect(states.includes("unknown")).toBe(mayCost && line.amountMicroUsd === undefined);
        }
      }),
      { numRuns: 20 },
    );
  });
});

const line = (more: Partial<LedgerLine>): LedgerLine => ({
  id: "1",
  atMs: NOW - 3600_000,
  kind: "charged",
  evidence: "answered",
  amountMicroUsd: 35_000,
  model: "lumen-2",
  requestId: "job-1",
  intentId: undefined,
  ...more,
});
const dayBefore = (days: number) => new Date(2026, 10, 23 - days, 12).getTime();

describe("bars", () => {
  test("before the first line are without data, days without a line are zero", () => {
    const { buckets, unit } = spendView([line({ atMs: dayBefore(3) })], { range: "7" }, NOW);
    expect(unit).toBe("day");
    expect(buckets.map(({ hasData }) => hasData)).toEqual([false, false, false, true, true, true, true]);
  });

  test("of all time begin with the first line, by week and by month where it is long", () => {
    const of = (days: number) => spendView([line({ atMs: dayBefore(days) })], { range: "all" }, NOW);
    expect(of(10)).toMatchObject({ unit: "day", fromMs: new Date(2026, 10, 13).getTime() });
    expect(of(200).unit).toBe("week");
    expect(of(900).unit).toBe("month");
    expect(of(200).buckets[0]?.hasData).toBe(true);
    expect(of(200).buckets.length).toBeLessThan(62);
  });

  test("have a colour for five models, and one for all others", () => {
    const lines = ["a", "b", "c", "d", "e", "f", "g"].map((model, index) =>
      line({ id: model, requestId: model, model, amountMicroUsd: 1000 * (10 - index) }),
    );
    const { series } = spendView(lines, { range: "30" }, NOW);
    expect(series.map(({ model }) => model)).toEqual(["a", "b", "c", "d", "e", undefined]);
    expect(series.at(-1)?.models).toBe(2);
  });

  test("take a refund off on the day of its charge, in the charge's project", () => {
    const lines = [
      line({ atMs: dayBefore(9), projectId: "p" }),
      line({ id: "2", kind: "refunded", evidence: "status-failed", atMs: dayBefore(2) }),
    ];
    expect(spendView(lines, { range: "7" }, NOW).sums.refundedMicroUsd).toBe(0);
    const { projects, sums } = spendView(lines, { range: "30", project: "p" }, NOW);
    expect(sums).toMatchObject({ chargedMicroUsd: 0, refundedMicroUsd: 35_000, refunds: 1 });
    expect(projects.map(({ id }) => id)).toEqual(["p"]);
  });
});
