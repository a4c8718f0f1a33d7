import type { RowPrices } from "#runs/prices/use-row-prices.ts";
import type { StepRun } from "./step-rows.ts";

/** What a step costs, before anything of it is sent. */
interface StepTotalState {
  /** Whole micro-USD of all runs; undefined while one of them has no price. */
  totalMicroUsd: number | undefined;
  error: Error | undefined;
}

/** The exact sum of some runs. */
export function stepTotal(runs: readonly StepRun[], prices: Pick<RowPrices, "of">): StepTotalState {
  let totalMicroUsd: number | undefined = 0;
  for (const { request } of runs) {
    const price = prices.of(request);
    if (price.state === "failed") return { totalMicroUsd: undefined, error: price.error };
    totalMicroUsd =
      price.state === "priced" && totalMicroUsd !== undefined ? totalMicroUsd + price.priceMicroUsd : undefined;
  }
  return { totalMicroUsd, error: undefined };
}
