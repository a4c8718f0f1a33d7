import type { LedgerLine } from "#jobs/ledger/ledger-line.ts";
import { dayStart } from "#jobs/ledger/spend-summary.ts";

export const RANGES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "all", label: "All" },
] as const;
export type Range = (typeof RANGES)[number]["value"];

const MOST_DAYS = 366;

/** Midnight at which a range starts, ms. "All" starts with the oldest line, a year back at most. */
export function rangeStart(range: Range, lines: readonly LedgerLine[], nowMs: number): number {
  const today = new Date(dayStart(nowMs));
  const back = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).getTime();
  if (range !== "all") return back(Number(range) - 1);
  const oldest = lines.reduce((least, { atMs }) => Math.min(least, atMs), nowMs);
  return Math.max(dayStart(oldest), back(MOST_DAYS - 1));
}
