import { formatMicroUsd } from "#lib/money.ts";
import type { HistoryEntry } from "./history-entry.ts";
import type { ListLine } from "./list-layout.ts";

interface DayHeadingProps {
  line: Extract<ListLine, { kind: "day" }>;
  entries: readonly HistoryEntry[];
}

/** A day with the number of its jobs and what they cost, as far as prices are known in this browser. */
export function DayHeading({ line, entries }: DayHeadingProps) {
  return (
    <th scope="row" className="flex h-full items-end pb-2 font-medium text-[12.5px] text-ink-3 tabular-nums">
      {dayText(line, entries)}
    </th>
  );
}

/** "Today, 14 jobs, $1.92", or how many of them the sum is for. */
export function dayText(line: DayHeadingProps["line"], entries: readonly HistoryEntry[]): string {
  const jobs = entries.slice(line.first, line.end);
  const prices = jobs.flatMap((job) =>
    job.priceMicroUsd === undefined || job.status === "failed" ? [] : [job.priceMicroUsd],
  );
  const refunded = jobs.filter((job) => job.status === "failed").length;
  const count = jobs.length === 1 ? "1 job" : `${jobs.length.toLocaleString("en-US")} jobs`;
  if (prices.length === 0) return `${line.label}, ${count}`;
  const sum = formatMicroUsd(prices.reduce((total, price) => total + price, 0));
  const isWhole = prices.length + refunded === jobs.length;
  return `${line.label}, ${count}, ${sum}${isWhole ? "" : ` for ${prices.length} of them`}`;
}
