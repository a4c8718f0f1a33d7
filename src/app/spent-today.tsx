import { useSpendLimits } from "#jobs/ledger/use-spend-limits.ts";
import { formatMicroUsd } from "#lib/money.ts";

/** What was spent today, beside the way to Spend. The link's name stays its word: Spend itself reads the sum out. */
export function SpentToday() {
  const { todayMicroUsd } = useSpendLimits();
  if (todayMicroUsd === 0) return null;
  return (
    <span aria-hidden="true" title="Spent today" className="ml-auto font-normal text-[12px] text-ink-3 tabular-nums">
      {formatMicroUsd(todayMicroUsd)}
    </span>
  );
}
