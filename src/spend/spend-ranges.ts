import { dayStart } from "#lib/time.ts";
import type { SpendRange } from "./spend-filter.ts";

export type BucketUnit = "day" | "week" | "month";

/** A day, a week or a month, by the calendar of the person's own zone: from `startMs` up to `endMs`, without it. */
export interface Bucket {
  startMs: number;
  endMs: number;
}

/** A year of bars has no room for days, and years have none for weeks. */
const MAX_DAYS = 62;
const MAX_WEEKS = 60;
const DAY_MS = 24 * 3600_000;
/** A line of another clock may be of any year: what is older is summed in the first bucket. */
const MAX_BUCKETS = 240;

/** Midnight some days before or after that of a moment. By the calendar: a day of a clock change has 23 or 25 hours. */
function daysFrom(ms: number, days: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/** Midnight at which a range starts, ms. "All" starts with the first line. */
export function rangeStart(range: SpendRange, firstMs: number | undefined, nowMs: number): number {
  if (range === "all") return dayStart(Math.min(firstMs ?? nowMs, nowMs));
  if (range === "month") {
    const date = new Date(nowMs);
    return new Date(date.getFullYear(), date.getMonth(), 1).getTime();
  }
  return daysFrom(nowMs, 1 - Number(range));
}

function unitOf(fromMs: number, toMs: number): BucketUnit {
  const days = Math.round((toMs - fromMs) / DAY_MS) + 1;
  if (days <= MAX_DAYS) return "day";
  return days <= MAX_WEEKS * 7 ? "week" : "month";
}

/** The first moment of the day, week (from Monday) or month of a moment. */
function unitStart(ms: number, unit: BucketUnit): number {
  const date = new Date(ms);
  if (unit === "month") return new Date(date.getFullYear(), date.getMonth(), 1).getTime();
  return unit === "week" ? daysFrom(ms, -((date.getDay() + 6) % 7)) : dayStart(ms);
}

function nextStart(ms: number, unit: BucketUnit): number {
  const date = new Date(ms);
  if (unit === "month") return new Date(date.getFullYear(), date.getMonth() + 1, 1).getTime();
  return daysFrom(ms, unit === "week" ? 7 : 1);
}

/**
 * The buckets from one moment to another, both included, oldest first. The first one begins at `fromMs`, also within a week
 * or a month.
 */
export function bucketsOf(fromMs: number, toMs: number): { unit: BucketUnit; buckets: Bucket[] } {
  const unit = unitOf(fromMs, toMs);
  const buckets: Bucket[] = [];
  let startMs = unitStart(fromMs, unit);
  while (startMs <= toMs) {
    const endMs = nextStart(startMs, unit);
    buckets.push({ startMs: Math.max(startMs, fromMs), endMs });
    startMs = endMs;
  }
  const newest = buckets.slice(-MAX_BUCKETS);
  const [first] = newest;
  return { unit, buckets: first ? [{ ...first, startMs: Math.min(first.startMs, fromMs) }, ...newest.slice(1)] : [] };
}

/** The index of the bucket that a moment is in; undefined where it is in none. */
export function bucketAt(buckets: readonly Bucket[], ms: number): number | undefined {
  let low = 0;
  let high = buckets.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const bucket = buckets[middle];
    if (bucket === undefined) return undefined;
    if (ms < bucket.startMs) high = middle - 1;
    else if (ms >= bucket.endMs) low = middle + 1;
    else return middle;
  }
  return undefined;
}
