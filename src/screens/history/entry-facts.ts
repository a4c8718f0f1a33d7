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

/** For how many days the files of a job are still kept; undefined where it has none, or its record tells no time. */
export function keptDays(entry: HistoryEntry, nowMs: number): number | undefined {
  return entry.media.length > 0 ? daysLeft(entry.createdAtSeconds, nowMs) : undefined;
}

/** Days left in a table cell. */
export function expiryText(days: number | undefined): string {
  if (days === undefined) return "–";
  if (days <= 0) return "expired";
  return days === 1 ? "1 day" : `${days} days`;
}
