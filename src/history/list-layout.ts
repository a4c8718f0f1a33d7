import { hasNoResult } from "#api/jobs.ts";
import type { MediaItem } from "#api/types.ts";
import { formatMonth, formatRelativeDay } from "#lib/time.ts";
import { knownFacts } from "#media/file-facts.ts";
import { jobAspect, lacksDetails } from "#runs/job-facts.ts";
import type { JobRecord } from "#storage/job-records.ts";
import type { GridPositions } from "#ui/grid-cursor.ts";
import { EARLIER } from "./job-days.ts";

/** A line of the virtual list: the heading of a day, a line of tiles, a job without a result, or one job of the table. */
export type ListLine =
  | { kind: "day"; key: string; label: string; first: number; end: number; height: number }
  | { kind: "tiles"; key: string; first: number; tiles: TileBox[]; height: number }
  | { kind: "ended"; key: string; first: number; height: number; isFirst: boolean; isLast: boolean }
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
  /** The groups of the list, where it was arranged before. */
  groups?: readonly DayGroup[];
  /** Width over height of a tile, where it is not that of its entry. */
  aspectOf?: (entry: JobRecord) => number;
  /** A finger needs more room. */
  isCoarse?: boolean;
}

export const TILE_GAP = 12;
export const CAPTION_HEIGHT = 30;
export const TABLE_ROW_HEIGHT = 44;
export const TABLE_HEAD_HEIGHT = 36;
const DAY_HEIGHT = 40;
export const ENDED_GAP = 12;
/** Below this width the reason stands under the prompt. */
const NARROW = 640;
const NARROWEST = 0.62;
const WIDEST = 2.6;

/** The lines of a list. Pure, and linear in the jobs: a hundred thousand are laid out at once. */
export function layoutList(entries: readonly JobRecord[], options: LayoutOptions): ListLine[] {
  const lines: ListLine[] = [];
  for (const group of options.groups ?? groupsOf(entries, options.nowMs)) {
    if (group.label) {
      lines.push({ kind: "day", key: `day ${group.label}`, ...group, label: group.label, height: DAY_HEIGHT });
    }
    if (options.density === "table") {
      for (let index = group.first; index < group.end; index++) {
        lines.push({ kind: "job", key: entries[index]?.requestId ?? "", first: index, height: TABLE_ROW_HEIGHT });
      }
    } else {
      pushTiles(lines, entries, { ...group, end: group.ended }, options);
      pushEnded(lines, entries, group, options);
    }
  }
  return lines;
}

// Jobs without a result, under the tiles of their day.
function pushEnded(lines: ListLine[], entries: readonly JobRecord[], group: DayGroup, options: LayoutOptions): void {
  const lineHeight = (options.width < NARROW ? 62 : 35) + (options.isCoarse ? 12 : 0);
  for (let index = group.ended; index < group.end; index++) {
    const isLast = index === group.end - 1;
    const height = lineHeight + (isLast ? ENDED_GAP : 0);
    const isFirst = index === group.ended;
    lines.push({ kind: "ended", key: entries[index]?.requestId ?? "", first: index, height, isFirst, isLast });
  }
}

/** Six or seven tiles in a line, and none so small or so large that it is hard to look at. */
const tileHeight = (width: number) => Math.round(Math.min(240, Math.max(150, width / 6.4)));
/** How many times as high as the others the tiles of a day's last line may be to fill it. */
const MAX_GROWN = 1.25;

// Justified lines: in a line all tiles are equally high and fill the width, at their true shapes.
function pushTiles(
  lines: ListLine[],
  entries: readonly JobRecord[],
  group: Pick<DayGroup, "first" | "end">,
  { width, aspectOf: ownAspect = jobAspect }: LayoutOptions,
): void {
  const target = tileHeight(width);
  const aspectOf = (entry: JobRecord | undefined) =>
    Math.min(WIDEST, Math.max(NARROWEST, entry ? ownAspect(entry) : 1));
  let first = group.first;
  let sum = 0;
  // The height at which `count` tiles, whose widths add up to `aspects` times the height, fill the line exactly.
  const heightOf = (count: number, aspects: number) => (width - (count - 1) * TILE_GAP) / aspects;
  const close = (end: number, height: number) => {
    const aspects = entries.slice(first, end).map(aspectOf);
    lines.push(tileLine(entries[first]?.requestId ?? "", first, aspects, height));
    first = end;
    sum = 0;
  };
  for (let index = group.first; index < group.end; index++) {
    const aspect = aspectOf(entries[index]);
    const without = index > first ? heightOf(index - first, sum) : Number.POSITIVE_INFINITY;
    const withIt = heightOf(index - first + 1, sum + aspect);
    if (withIt < target && without - target < target - withIt) close(index, without);
    sum += aspect;
    const height = heightOf(index - first + 1, sum);
    if (height <= target) close(index + 1, height);
    else if (index === group.end - 1) close(index + 1, height <= target * MAX_GROWN ? height : target);
  }
}

function tileLine(key: string, first: number, aspects: readonly number[], height: number): ListLine {
  const mediaHeight = Math.floor(height);
  let sum = 0;
  let left = 0;
  let filled = 0;
  const tiles = aspects.map((aspect, column): TileBox => {
    // Whole pixels, and what is rounded off goes to the next one: the line ends where the others do.
    sum += aspect * height;
    const width = Math.floor(sum + 0.001) - filled;
    filled += width;
    const box = { column, left, width, mediaHeight };
    left += width + TILE_GAP;
    return box;
  });
  return { kind: "tiles", key, first, tiles, height: mediaHeight + CAPTION_HEIGHT + TILE_GAP };
}

/** A tile may be so much wider or narrower than its file: nobody sees it. */
const SAME = 0.02;

/** The tiles from the top that are looked up: the addresses of a hundred thousand take longer than laying them out. */
const MAX_LOOKED_UP = 20_000;

/**
 * The shapes of tiles in one list: that of the file where it was known when the list first laid the job out, else the one
 * that was asked for. What becomes known later is for the next list: rows in view keep their place.
 */
export function createTileAspects(): (entry: JobRecord) => number {
  const own = new Map<string, number | undefined>();
  // Of jobs that lack something the rest comes once they are in view.
  const withoutDetails = new Map<string, { status: string; aspect: number }>();
  return (job) => {
    const { requestId, status } = job;
    const shown = withoutDetails.get(requestId);
    if (shown?.status === status) return shown.aspect;
    const aspect = shapeOf(job);
    if (lacksDetails(job) && withoutDetails.size < MAX_LOOKED_UP) withoutDetails.set(requestId, { status, aspect });
    return aspect;
  };
  function shapeOf(job: JobRecord): number {
    const { requestId } = job;
    const [first] = job.media;
    const aspect = jobAspect(job);
    if (!first) return aspect;
    if (!own.has(requestId) && own.size < MAX_LOOKED_UP) own.set(requestId, fileAspect(first));
    const shape = own.get(requestId);
    return shape === undefined || Math.abs(aspect / shape - 1) < SAME ? aspect : shape;
  }
}

// A clip may be shown by the picture that the service names beside it.
function fileAspect({ url, posterUrl }: MediaItem): number | undefined {
  for (const address of posterUrl === undefined ? [url] : [url, posterUrl]) {
    const { width, height } = knownFacts(address) ?? {};
    if (width && height) return width / height;
  }
  return undefined;
}

/** The place of the line that a job stands in, by its place among the jobs. */
export function getLineIndex(index: number, lines: readonly ListLine[]): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle]?.first ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the jobs stand, for the keys of the list. Nothing is made for a line before it is asked for: there are thousands. */
export function listPositions(
  ids: readonly string[],
  indices: ReadonlyMap<string, number>,
  lines: readonly ListLine[],
): GridPositions {
  return {
    ids,
    isSelectable: (id) => indices.has(id),
    lineCount: lines.length,
    lineOf: (id) => {
      const index = indices.get(id);
      return index === undefined ? -1 : getLineIndex(index, lines);
    },
    lineAt: (at) => {
      const line = lines[at];
      if (!line) return undefined;
      const { first, height } = line;
      if (line.kind === "day") return { cells: [], height };
      if (line.kind !== "tiles") return { cells: [ids[first]], height };
      const middles = line.tiles.map((tile) => tile.left + tile.width / 2);
      return { cells: ids.slice(first, first + line.tiles.length), middles, height };
    },
  };
}

/** Jobs in the order in which a grid shows them. */
interface Arranged {
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

/** The fewest jobs per day, on average, for which the headings are days; else they are months. */
const FEWEST_PER_DAY = 4;

/** The days, or months, that follow each other in a list. Pure, and linear in the jobs. */
function groupsOf(entries: readonly JobRecord[], nowMs: number): DayGroup[] {
  const days = groupBy(entries, dayBounds, (seconds) => dayLabel(seconds, nowMs));
  if (days.length <= 2 || entries.length / days.length >= FEWEST_PER_DAY) return days;
  return groupBy(entries, monthBounds, monthLabel);
}

/** Neighbours of one day, or month. */
interface DayGroup {
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

/** A half-open range of lines. */
interface LineRange {
  start: number;
  end: number;
}

/** Where each line begins, in pixels from the top, and after the last one where the list ends. */
export function lineTops(lines: readonly ListLine[], padding: number): Float64Array {
  const tops = new Float64Array(lines.length + 1);
  tops[0] = padding;
  for (const [place, line] of lines.entries()) tops[place + 1] = (tops[place] ?? 0) + line.height;
  return tops;
}

/** The line that stands at a height. */
export function lineAt(tops: Float64Array, top: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= top) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A line and the slot that shows it: the React key of its elements. */
export interface RenderedLine {
  slot: number;
  line: number;
}

/**
 * Gives each line in view a slot, the same as long as it stays in view. A line that comes in takes the slot of one that
 * left, so that its elements are used again: to make new ones is most of the cost of a scrolled frame. While the list
 * moves no element changes its place in the document and none is taken out; at rest they stand in reading order.
 */
export function createSlots(): (range: LineRange, isMoving: boolean) => readonly RenderedLine[] {
  let rendered: RenderedLine[] = [];
  let made = 0;
  return ({ start, end }, isMoving) => {
    const isIn = ({ line }: RenderedLine) => line >= start && line < end;
    const known = new Set(rendered.map(({ line }) => line));
    const missing: number[] = [];
    for (let line = start; line < end; line++) if (!known.has(line)) missing.push(line);
    const reused = rendered.map((one) => (isIn(one) ? one : { slot: one.slot, line: missing.shift() ?? one.line }));
    const all = [...reused, ...missing.map((line) => ({ slot: made++, line }))];
    rendered = isMoving ? all : all.filter(isIn).sort((a, b) => a.line - b.line);
    return rendered;
  };
}
