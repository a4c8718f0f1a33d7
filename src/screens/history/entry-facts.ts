import { isFinal } from "#api/job-status.ts";
import { daysLeft } from "#media/retention.ts";
import type { HistoryEntry } from "./history-entry.ts";

/** How long a finished job took, in milliseconds, as far as its record tells. */
export function tookMs(
  entry: Pick<HistoryEntry, "status" | "createdAtSeconds" | "updatedAtSeconds">,
): number | undefined {
  const { status, createdAtSeconds, updatedAtSeconds } = entry;
  if (!isFinal(status) || createdAtSeconds === undefined || updatedAtSeconds === undefined) return undefined;
  const took = (updatedAtSeconds - createdAtSeconds) * 1000;
  return took > 0 ? took : undefined;
}

/** Days left of the files in a table cell. */
export function expiryText(entry: HistoryEntry, nowMs: number): string {
  const days = entry.media.length > 0 ? daysLeft(entry.createdAtSeconds, nowMs) : undefined;
  if (days === undefined) return "–";
  if (days <= 0) return "expired";
  return days === 1 ? "1 day" : `${days} days`;
}
