import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import type { RowPrices } from "#runs/prices/use-row-prices.ts";
import { Spinner } from "#ui/indicators.tsx";
import type { StepRun } from "./step-rows.ts";
import { stepTotal } from "./step-sum.ts";

interface StepTotalProps {
  runs: readonly StepRun[];
  prices: Pick<RowPrices, "of" | "refresh">;
  /** What has to be chosen before there is a price. */
  missing: keyof typeof MISSING | undefined;
  /** Whether every input has its final address: else the price is asked for again with it. */
  isStored: boolean;
}

const MISSING = {
  model: "Choose a model to see the price.",
  results: "Choose a result to see the price.",
  settings: "Complete the settings to see the price.",
};

/** "3 runs, $0.42": live, and exact or not there. */
export function StepTotal({ runs, prices, missing, isStored }: StepTotalProps) {
  const { totalMicroUsd, error } = stepTotal(runs, prices);
  if (missing === undefined && error)
    return <ErrorNotice error={error} operation="estimate" onRetry={prices.refresh} />;
  const price = totalMicroUsd === undefined ? "loading the price" : formatMicroUsd(totalMicroUsd);
  const note = isStored ? "Nothing runs yet." : "Nothing runs yet. The price is checked again before it runs.";
  return (
    <p role="status" className="m-0 flex min-h-8 flex-wrap items-center gap-x-2 text-ink-2">
      {missing === undefined && totalMicroUsd === undefined && <Spinner />}
      {missing === undefined && (
        <span className="font-medium text-ink tabular-nums">
          {runs.length === 1 ? "1 run" : `${runs.length} runs`}, {price}
        </span>
      )}
      <span className="text-[12.5px] text-ink-3">{missing === undefined ? note : MISSING[missing]}</span>
    </p>
  );
}
