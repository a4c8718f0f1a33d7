import { ErrorNotice } from "#connection/error-notice.tsx";
import type { RowPrices } from "#jobs/price/use-row-prices.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { Spinner } from "#ui/indicators.tsx";
import type { StepRun } from "./step-rows.ts";

/** What a step costs, before anything of it is sent. */
interface StepTotalState {
  /** Whole micro-USD of all runs; undefined while one of them has no price. */
  totalMicroUsd: number | undefined;
  error: Error | undefined;
}

/** The exact sum of some runs. Never throws. */
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

/** "3 runs, $0.42": live, and exact or not there. */
export function StepTotal({
  runs,
  prices,
  isComplete,
  isStored,
}: {
  runs: readonly StepRun[];
  prices: RowPrices;
  /** Whether the settings can be priced. */
  isComplete: boolean;
  /** Whether every input has its final address: else the price is asked for again with it. */
  isStored: boolean;
}) {
  const { totalMicroUsd, error } = stepTotal(runs, prices);
  const count = runs.length === 1 ? "1 run" : `${runs.length} runs`;
  if (error) return <ErrorNotice error={error} operation="estimate" onRetry={prices.refresh} />;
  return (
    <p role="status" className="m-0 flex min-h-8 flex-wrap items-center gap-x-2 text-ink-2">
      {runs.length > 0 && isComplete && totalMicroUsd === undefined && <Spinner />}
      <span className="font-medium text-ink tabular-nums">
        {count}
        {isComplete &&
          runs.length > 0 &&
          (totalMicroUsd === undefined ? ", loading the price" : `, ${formatMicroUsd(totalMicroUsd)}`)}
      </span>
      <span className="text-[12.5px] text-ink-3">
        {!isComplete
          ? "Complete the settings to see the price."
          : isStored
            ? "Nothing runs yet."
            : "Nothing runs yet. The price is checked again before it runs."}
      </span>
    </p>
  );
}
