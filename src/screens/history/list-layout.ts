import { formatMonth, formatRelativeDay } from "#lib/time.ts";
import { EARLIER, type HistoryEntry } from "./history-entry.ts";

/** A line of the virtual list: the heading of a day, a line of tiles, or one job of the table. */
export type ListLine =
  | { kind: "day"; key: string; label: string; first: number; end: number; height: number }
  | { kind: "tiles"; key: string; first: number; tiles: TileBox[]; height: number }
  | { kind: "job"; key: string; first: number; height: number };

/** Where a tile stands in its line, in pixels. */
export interface TileBox {
  /** From 0, from the left. */
  column: number;
  left: number;
  width: number;
  mediaHeight: number;
}

interface LayoutOptions {
  density: "grid" | "table";
  width: number;
  nowMs: number;
}

export const TILE_GAP = 14;
export const CAPTION_HEIGHT = 30;
export const TABLE_ROW_HEIGHT = 44;
export const TABLE_HEAD_HEIGHT = 36;
const DAY_HEIGHT = 40;
const NARROWEST = 0.62;
const WIDEST = 2.6;

/** The lines of a list. Pure, and linear in the jobs: a hundred thousand are laid out at once. */
export function layoutList(entries: readonly HistoryEntry[], options: LayoutOptions): ListLine[] {
  const lines: ListLine[] = [];
  for (const group of groupsOf(entries, options.nowMs)) {
    if (group.label) {
      lines.push({ kind: "day", key: `day ${group.label}`, ...group, label: group.label, height: DAY_HEIGHT });
    }
    if (options.density === "table") {
      for (let index = group.first; index < group.end; index++) {
        lines.push({ kind: "job", key: entries[index]?.requestId ?? "", first: index, height: TABLE_ROW_HEIGHT });
      }
    } else {
      pushTiles(lines, entries, group, options.width);
    }
  }
  return lines;
}

/** With fewer jobs per day than this on average, the headings are months. */
const FEWEST_PER_DAY = 4;

function groupsOf(entries: readonly HistoryEntry[], nowMs: number): DayGroup[] {
  const days = groupBy(entries, dayBounds, (seconds) => dayLabel(seconds, nowMs));
  if (days.length <= 2 || entries.length / days.length >= FEWEST_PER_DAY) return days;
  return groupBy(entries, monthBounds, monthLabel);
}

interface DayGroup {
  label: string | undefined;
  first: number;
  /** One past the last. */
  end: number;
}

// Neighbours of the same day, or month, make a group. Jobs without a time join the group before them: no guess is made.
function groupBy(
  entries: readonly HistoryEntry[],
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
      continue;
    }
    bounds = createdAtSeconds === undefined ? undefined : boundsOf(createdAtSeconds);
    const label = createdAtSeconds === undefined ? undefined : labelOf(createdAtSeconds);
    groups.push({ label, first: index, end: index + 1 });
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

// Justified lines: in a line all tiles are equally high and fill the width, at their true shapes.
function pushTiles(lines: ListLine[], entries: readonly HistoryEntry[], group: DayGroup, width: number): void {
  const target = width < 560 ? 150 : 210;
  let first = group.first;
  let sum = 0;
  // The height at which so many tiles, of so many widths per height in all, fill the line exactly.
  const heightOf = (count: number, aspects: number) => (width - (count - 1) * TILE_GAP) / aspects;
  const close = (end: number, height: number) => {
    lines.push(tileLine(entries, first, end, Math.floor(height)));
    first = end;
    sum = 0;
  };
  for (let index = group.first; index < group.end; index++) {
    const aspect = tileAspect(entries[index]);
    const without = index > first ? heightOf(index - first, sum) : Number.POSITIVE_INFINITY;
    const withIt = heightOf(index - first + 1, sum + aspect);
    if (withIt < target && without - target < target - withIt) close(index, without);
    sum += aspect;
    const height = heightOf(index - first + 1, sum);
    if (height <= target) close(index + 1, height);
    else if (index === group.end - 1) close(index + 1, Math.min(height, target));
  }
}

function tileLine(entries: readonly HistoryEntry[], first: number, end: number, mediaHeight: number): ListLine {
  const tiles: TileBox[] = [];
  let left = 0;
  for (let index = first; index < end; index++) {
    const width = Math.floor(tileAspect(entries[index]) * mediaHeight);
    tiles.push({ column: index - first, left, width, mediaHeight });
    left += width + TILE_GAP;
  }
  const key = entries[first]?.requestId ?? String(first);
  return { kind: "tiles", key, first, tiles, height: mediaHeight + CAPTION_HEIGHT + TILE_GAP };
}

function tileAspect(entry: HistoryEntry | undefined): number {
  return Math.min(WIDEST, Math.max(NARROWEST, entry?.aspect ?? 1));
}
