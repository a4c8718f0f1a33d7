import type { MicroUsd } from "#lib/money.ts";
import type { RowPrices } from "#runs/prices/use-row-prices.ts";
import type { BatchItem, BatchRules } from "#storage/stored-batches.ts";
import type { BatchDocument } from "../batch-document.ts";

/** Runs of one model at one price. */
export interface TotalLine {
  model: string;
  priceMicroUsd: MicroUsd;
  count: number;
}

/** What Run would submit now, and what it leaves out. */
export interface RunTotal {
  /** Drafts without a problem whose price is known, in the order of the table. */
  ready: readonly BatchItem[];
  prices: ReadonlyMap<string, MicroUsd>;
  totalMicroUsd: MicroUsd;
  /** The service reported each of these prices for the very payload of its run. */
  isExact: boolean;
  lines: readonly TotalLine[];
  /** Drafts whose price is not known yet, whose price was refused, and with a problem. */
  pricing: number;
  unpriced: number;
  troubled: number;
  /** Of which groups those are, by id. */
  leftOutGroups: readonly string[];
}

const UNCHECKED = { state: "pricing" } as const;

/** Adds up the drafts of a batch. Whole micro-USD. */
export function runTotal(
  { items, problems, unchecked }: Pick<BatchDocument, "items" | "problems" | "unchecked">,
  of: RowPrices["of"],
): RunTotal {
  const ready: BatchItem[] = [];
  const prices = new Map<string, MicroUsd>();
  const lines = new Map<string, TotalLine>();
  const counts = { totalMicroUsd: 0, pricing: 0, unpriced: 0, troubled: 0 };
  const leftOut = new Set<string>();
  let isExact = true;
  for (const { item, state } of items) {
    if (state.kind !== "draft") continue;
    const isChecked = !unchecked.has(item.id) && !problems.has(item.id);
    if (!isChecked || of(item.request).state !== "priced") leftOut.add(item.groupId);
    if (problems.has(item.id)) {
      counts.troubled += 1;
      continue;
    }
    const price = unchecked.has(item.id) ? UNCHECKED : of(item.request);
    if (price.state === "pricing") counts.pricing += 1;
    else if (price.state === "failed") counts.unpriced += 1;
    else {
      const { model } = item.request;
      const { priceMicroUsd } = price;
      isExact &&= price.isExact;
      ready.push(item);
      prices.set(item.id, priceMicroUsd);
      counts.totalMicroUsd += priceMicroUsd;
      const key = JSON.stringify([model, priceMicroUsd]);
      const line = lines.get(key);
      if (line) line.count += 1;
      else lines.set(key, { model, priceMicroUsd, count: 1 });
    }
  }
  return { ready, prices, isExact, lines: byModel([...lines.values()]), leftOutGroups: [...leftOut], ...counts };
}

/**
 * How long the runs usually take, in ms: each model has lanes of its own, so the slowest counts. `usualMs` is the usual time
 * of one run of a model. Undefined where that of any is not known.
 */
export function usualDuration(
  { lines }: RunTotal,
  { parallel, parallelOf }: BatchRules,
  usualMs: (model: string) => number | undefined,
): number | undefined {
  const counts = new Map<string, number>();
  for (const { model, count } of lines) counts.set(model, (counts.get(model) ?? 0) + count);
  const times = [...counts].map(([model, count]) => {
    const ms = usualMs(model);
    return ms === undefined ? undefined : Math.ceil(count / (parallelOf[model] ?? parallel)) * ms;
  });
  return times.length === 0 || times.includes(undefined) ? undefined : Math.max(...times.map((ms) => ms ?? 0));
}

/** The lines of one model stand together, in the order in which the models come, cheapest first. */
function byModel(lines: readonly TotalLine[]): TotalLine[] {
  const models = [...new Set(lines.map(({ model }) => model))];
  return models.flatMap((model) =>
    lines.filter((line) => line.model === model).sort((a, b) => a.priceMicroUsd - b.priceMicroUsd),
  );
}
