import { hasNoResult } from "#api/final-status.ts";
import { formatMonth, formatRelativeDay } from "#lib/time.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { EARLIER } from "../job-days.ts";

/** Jobs in the order in which a grid shows them. */
export interface Arranged {
  entries: readonly JobRecord[];
  groups: readonly DayGroup[];
}

/**
 * In a grid jobs that ended without a result are lines after the tiles of their day. `tiles` holds the ids of jobs that were
 * tiles while they ran: those stay tiles, and more are added to it.
 */
export function arrangeJobs(
  entries: readonly JobRecord[],
  { density, nowMs, tiles }: { density: "grid" | "table"; nowMs: number; tiles: Set<string> },
): Arranged {
  const groups = groupsOf(entries, nowMs);
  const hasEnded = (entry: JobRecord) => {
    if (entry.media.length > 0 || !hasNoResult(entry.status)) {
      if (entry.media.length === 0) tiles.add(entry.requestId);
      return false;
    }
    return !tiles.has(entry.requestId);
  };
  const ended = density === "grid" ? entries.map(hasEnded) : [];
  if (!ended.includes(true)) return { entries, groups };
  const order = new Int32Array(entries.length);
  let at = 0;
  const arranged = groups.map((group) => {
    for (let place = group.first; place < group.end; place++) if (!ended[place]) order[at++] = place;
    const firstEnded = at;
    for (let place = group.first; place < group.end; place++) if (ended[place]) order[at++] = place;
    return { ...group, ended: firstEnded };
  });
  return { entries: Array.from(order, (place) => entries[place] as JobRecord), groups: arranged };
}

/** With fewer jobs per day than this on average, the headings are months. */
const FEWEST_PER_DAY = 4;

/** The days, or months, that follow each other in a list. Pure, and linear in the jobs. */
export function groupsOf(entries: readonly JobRecord[], nowMs: number): DayGroup[] {
  const days = groupBy(entries, dayBounds, (seconds) => dayLabel(seconds, nowMs));
  if (days.length <= 2 || entries.length / days.length >= FEWEST_PER_DAY) return days;
  return groupBy(entries, monthBounds, monthLabel);
}

/** Neighbours of one day, or month. */
export interface DayGroup {
  label: string | undefined;
  first: number;
  /** One past the last. */
  end: number;
  /** From here to the end are jobs without a result, each a line of its own. */
  ended: number;
}

// Neighbours of the same day, or month, make a group. Jobs without a time join the group before them: no guess is made.
function groupBy(
  entries: readonly JobRecord[],
  boundsOf: (seconds: number) => Bounds,
  labelOf: (seconds: number) => string,
): DayGroup[] {
  const groups: DayGroup[] = [];
  let bounds: Bounds | undefined;
  for (const [index, { createdAtSeconds: recorded, daySeconds }] of entries.entries()) {
    const createdAtSeconds = recorded ?? daySeconds;
    const current = groups.at(-1);
    const isSame =
      createdAtSeconds === undefined || (bounds && createdAtSeconds >= bounds.from && createdAtSeconds < bounds.to);
    if (current && isSame) {
      current.end = index + 1;
      current.ended = index + 1;
      continue;
    }
    bounds = createdAtSeconds === undefined ? undefined : boundsOf(createdAtSeconds);
    const label = createdAtSeconds === undefined ? undefined : labelOf(createdAtSeconds);
    groups.push({ label, first: index, end: index + 1, ended: index + 1 });
  }
  return groups;
}

interface Bounds {
  from: number;
  to: number;
}

function monthBounds(seconds: number): Bounds {
  const date = new Date(seconds * 1000);
  const from = new Date(date.getFullYear(), date.getMonth(), 1).getTime();
  const to = new Date(date.getFullYear(), date.getMonth() + 1, 1).getTime();
  return { from: from / 1000, to: to / 1000 };
}

function monthLabel(seconds: number): string {
  if (seconds === EARLIER) return "Earlier";
  return formatMonth(seconds);
}

function dayLabel(seconds: number, nowMs: number): string {
  return seconds === EARLIER ? "Earlier" : formatRelativeDay(seconds, nowMs);
}

function dayBounds(seconds: number): Bounds {
  const date = new Date(seconds * 1000);
  const from = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const to = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
  return { from: from / 1000, to: to / 1000 };
}
