import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { amountsOf, type CellPrice, type PriceCell } from "./price-cells.ts";
import type { PriceTable } from "./use-price-table.ts";

/** What an amount is enough for. All amounts in micro-USD. */
export interface BudgetAnswer {
  /** Whole runs; undefined where they are free. */
  runs: number | undefined;
  /** What they make together: a run may make several. */
  results: number | undefined;
  totalMicroUsd: MicroUsd;
  cell: PriceCell;
  /** Why it is among the answers. */
  kind: "most" | "yours" | "most-expensive" | "other-model";
  /** Another model, for `other-model`. */
  modelId?: string;
}

const DOLLARS = /^\$?\s*(\d{1,9})(?:\.(\d{0,6}))?$/;

/** An amount such as `5`, `0.50` or `$5.00` in micro-USD, without a float. Undefined for anything else. */
export function readBudget(text: string): MicroUsd | undefined {
  const found = DOLLARS.exec(text.trim().replaceAll(",", ""));
  if (!found) return undefined;
  const [, dollars = "0", decimals = ""] = found;
  const amount = Number(dollars) * 1_000_000 + Number(decimals.padEnd(6, "0"));
  return isMicroUsd(amount) ? amount : undefined;
}

/** How many whole runs of a price fit into an amount, and what they cost. Exact. */
export function runsFor(budget: MicroUsd, price: MicroUsd): Pick<BudgetAnswer, "runs" | "totalMicroUsd"> {
  if (price === 0) return { runs: undefined, totalMicroUsd: 0 };
  const runs = Math.floor(budget / price);
  return { runs, totalMicroUsd: runs * price };
}

/**
 * What can be made for an amount: most of all, with the person's own settings, with the most expensive ones, and with the
 * cheapest other model. Each combination is named once.
 */
export function budgetAnswers(
  budget: MicroUsd,
  { cells, priceOf, schema, facts }: Pick<PriceTable, "cells" | "priceOf" | "schema" | "facts">,
  yours: PriceCell | undefined,
  other: { id: string; priceMicroUsd: MicroUsd } | undefined,
): BudgetAnswer[] {
  const priceIn = (cell: PriceCell | undefined) => {
    const price: CellPrice | undefined = cell && priceOf(cell);
    return price?.state === "priced" ? price.priceMicroUsd : undefined;
  };
  const perResult = (cell: PriceCell) => {
    const price = priceIn(cell);
    return price === undefined ? Number.POSITIVE_INFINITY : price / amountsOf(schema, cell.request.payload).results;
  };
  // Of several that give as much, the person's own is the one to name.
  const cheapest = cells.reduce<PriceCell | undefined>(
    (best, cell) => (best === undefined || perResult(cell) < perResult(best) ? cell : best),
    yours,
  );
  const isHighest = (cell: PriceCell | undefined) => priceIn(cell) === facts.highest;
  const dearest = facts.highest === facts.lowest ? undefined : isHighest(yours) ? yours : facts.highestCell;
  const answers: BudgetAnswer[] = [];
  const add = (
    kind: BudgetAnswer["kind"],
    cell: PriceCell | undefined,
    price: MicroUsd | undefined,
    modelId?: string,
  ) => {
    if (cell === undefined || price === undefined) return;
    if (modelId === undefined && answers.some((answer) => answer.cell === cell)) return;
    const { runs, totalMicroUsd } = runsFor(budget, price);
    const { results } = amountsOf(schema, cell.request.payload);
    answers.push({
      runs,
      results: runs === undefined ? undefined : runs * results,
      totalMicroUsd,
      cell,
      kind,
      ...(modelId === undefined ? {} : { modelId }),
    });
  };
  // The person's own settings are named as that, also where they are the cheapest.
  if (cheapest !== yours) add("most", cheapest, priceIn(cheapest));
  add("yours", yours, priceIn(yours));
  add("most-expensive", dearest, priceIn(dearest));
  if (other) add("other-model", yours ?? cheapest, other.priceMicroUsd, other.id);
  return answers;
}
