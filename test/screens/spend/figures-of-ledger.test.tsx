import { render } from "@testing-library/react";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ledgerCsv } from "#ledger/ledger-words.ts";
import { SPEND_RANGES } from "#ledger/spend-ranges.ts";
import { spendView } from "#ledger/spend-view.ts";
import { ChartTable } from "#screens/spend/chart-table.tsx";
import { SpendFigures } from "#screens/spend/spend-figures.tsx";
import { SpendGroups } from "#screens/spend/spend-groups.tsx";
import { anyLedger, NOW, sumByHand } from "../../ledger/any-ledger.ts";

/** An amount of the screen in micro-USD: "−$1,000.035" is -1000035000n. Words such as "Unknown" are nothing. */
function micro(text: string): bigint {
  const [, sign = "", dollars = "0", decimals = "0"] = /(−?)\$([\d,]+)\.(\d+)/.exec(text) ?? [];
  const amount = BigInt(dollars.replaceAll(",", "")) * 1_000_000n + BigInt(decimals.padEnd(6, "0"));
  return sign === "" ? amount : -amount;
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const figure = (name: string) =>
  [...document.querySelectorAll("dt")].find(({ textContent }) => textContent === name)?.nextElementSibling
    ?.textContent ?? "";
/** The cells of a column of the chart's table, by its heading. */
function column(name: string): string[] {
  const rows = [...document.querySelectorAll("tr")];
  const at = [...(rows[0]?.cells ?? [])].findIndex((cell) => cell.textContent === name);
  return at < 0 ? [] : rows.slice(1).map((row) => row.cells[at]?.textContent ?? "");
}
const isExact = (text: string) => !/≈|Unknown|No data/.test(text);

const anyFilter = fc.record({
  range: fc.constantFrom(...SPEND_RANGES),
  model: fc.option(fc.constantFrom("a", "b", ""), { nil: undefined }),
  project: fc.option(fc.constantFrom("p", ""), { nil: undefined }),
});

test("figures, chart, groups and CSV are the plain sum of the ledger, to the micro-dollar", () => {
  fc.assert(
    fc.property(anyLedger, anyFilter, (lines, filter) => {
      const view = spendView(lines, filter, NOW);
      const plain = sumByHand(lines, { ...filter, fromMs: view.fromMs });

      const figures = render(
        <SpendFigures sums={view.sums} today={view.today} perDayMicroUsd={undefined} onShowUnknown={() => {}} />,
      );
      const total = figure("Total charged");
      if (plain.exact > 0) expect(micro(total)).toBe(plain.charged);
      else expect(total).toMatch(plain.estimates > 0 ? /^≈ / : plain.unknown > 0 ? /^Unknown$/ : /^\$0\.00$/);
      expect(micro(figure("Refunded"))).toBe(plain.refunded);
      expect(micro(figure("Pending"))).toBe(plain.pending);
      expect(Number.parseInt(figure("Price unknown"), 10)).toBe(plain.unknown);
      figures.unmount();

      const table = render(<ChartTable view={view} />);
      expect(sum(column("Total charged").filter(isExact).map(micro))).toBe(plain.charged);
      expect(sum(column("Estimated").map(micro))).toBe(plain.estimated);
      expect(sum(column("Refunded").map(micro))).toBe(plain.refunded);
      expect(column("Unknown").reduce((count, text) => count + Number(text), 0)).toBe(plain.unknown);
      table.unmount();

      const own = (groups: typeof view.models, chosen: string | undefined) =>
        groups.filter(({ id }) => chosen === undefined || id === chosen);
      for (const groups of [own(view.models, filter.model), own(view.projects, filter.project)]) {
        const list = render(
          <SpendGroups title="By" of="Of" groups={groups} nameOf={String} chosen={undefined} onChoose={() => {}} />,
        );
        const amounts = [...document.querySelectorAll("tbody td:last-child")].map((cell) =>
          [...cell.children].map(({ textContent }) => textContent),
        );
        expect(sum(amounts.map(([first = ""]) => (isExact(first) ? micro(first) : 0n)))).toBe(plain.charged);
        expect(sum(amounts.flat().map((text) => (/pending$/.test(text) ? micro(text) : 0n)))).toBe(plain.pending);
        expect(sum(amounts.flat().map((text) => (text.startsWith("≈") ? micro(text) : 0n)))).toBe(plain.estimated);
        list.unmount();
      }

      const [head = "", ...rows] = ledgerCsv(view.listed, () => undefined)
        .trimEnd()
        .split("\r\n");
      const csv = (name: string) => {
        const at = head.split(",").indexOf(name);
        // Amounts stand before the first cell that can hold a comma, except how it is known, which may be quoted.
        return sum(rows.map((row) => BigInt(row.replace(/"[^"]*"/, "").split(",")[at] || 0)));
      };
      expect(csv("amount_micro_usd")).toBe(plain.charged);
      expect(csv("pending_micro_usd")).toBe(plain.pending);
      expect(csv("estimated_micro_usd")).toBe(plain.estimated);
    }),
    { numRuns: 40 },
  );
});
