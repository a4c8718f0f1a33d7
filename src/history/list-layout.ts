// Where every job of the list stands, computed before anything is rendered: groups by day, lines of tiles, rows, and slots.

import { hasNoResult } from "#api/jobs.ts";
import type { MediaItem } from "#api/types.ts";
import { formatMonth, formatRelativeDay } from "#lib/time.ts";
import { knownFacts } from "#media/file-facts.ts";
import { jobAspect, lacksDetails } from "#runs/job-facts.ts";
import type { JobRecord } from "#storage/job-records.ts";
import type { GridPositions } from "#ui/grid-cursor.ts";
import { rem } from "#ui/rem.ts";

/** Stands for the day of a job that was found on no day: it is older, or there were too many jobs to ask for. */
export const EARLIER = -1;

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
  /** The groups of `arrangeJobs`; absent: they are computed here. */
  groups?: readonly DayGroup[];
  /** Width over height of a job's tile; absent: `jobAspect`. */
  aspectOf?: (entry: JobRecord) => number;
  /** Fingers are used, which need higher lines. */
  isCoarse?: boolean;
}

// Pixels.
export const TILE_GAP = 12;
export const CAPTION_HEIGHT = rem(30);
export const TABLE_ROW_HEIGHT = rem(44);
export const TABLE_HEAD_HEIGHT = rem(36);
const DAY_HEIGHT = rem(40);
export const ENDED_GAP = 12;
/** In a list narrower than this, a job without a result has two lines of text: the prompt, and under it the reason. */
const NARROW = rem(640);
const ENDED_HEIGHT = rem(35);
const ENDED_NARROW_HEIGHT = rem(62);
const COARSE_EXTRA_HEIGHT = 12;
/** Width over height. Tiles of narrower or wider files are cropped, so that none takes the whole line or next to nothing. */
const MIN_ASPECT = 0.62;
const MAX_ASPECT = 2.6;

/** The lines of a list. Takes time linear in the jobs: up to a hundred thousand are laid out in one go. */
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

// Adds the jobs without a result, which come after the tiles of their day.
function pushEnded(lines: ListLine[], entries: readonly JobRecord[], group: DayGroup, options: LayoutOptions): void {
  const lineHeight =
    (options.width < NARROW ? ENDED_NARROW_HEIGHT : ENDED_HEIGHT) + (options.isCoarse ? COARSE_EXTRA_HEIGHT : 0);
  for (let index = group.ended; index < group.end; index++) {
    const isLast = index === group.end - 1;
    const height = lineHeight + (isLast ? ENDED_GAP : 0);
    const isFirst = index === group.ended;
    lines.push({ kind: "ended", key: entries[index]?.requestId ?? "", first: index, height, isFirst, isLast });
  }
}

/** The height to aim for: a line then has six or seven square tiles, unless they would be too small or too large. */
const tileHeight = (width: number) => Math.round(Math.min(240, Math.max(150, width / 6.4)));
/** The tiles of a day's last line may be so many times as high as the target to fill the line. */
const MAX_GROWTH = 1.25;

// Justified lines: the tiles of a line are equally high, have their true shapes and fill the width. A line ends where its
// height comes closest to the target.
function pushTiles(
  lines: ListLine[],
  entries: readonly JobRecord[],
  group: Pick<DayGroup, "first" | "end">,
  { width, aspectOf: ownAspect = jobAspect }: LayoutOptions,
): void {
  const target = tileHeight(width);
  const aspectOf = (entry: JobRecord | undefined) =>
    Math.min(MAX_ASPECT, Math.max(MIN_ASPECT, entry ? ownAspect(entry) : 1));
  let first = group.first;
  let aspectSum = 0;
  // The height at which `count` tiles fill the line exactly; `aspects` is the sum of their widths over their height.
  const getHeight = (count: number, aspects: number) => (width - (count - 1) * TILE_GAP) / aspects;
  const endLine = (end: number, height: number) => {
    const aspects = entries.slice(first, end).map(aspectOf);
    lines.push(tileLine(entries[first]?.requestId ?? "", first, aspects, height));
    first = end;
    aspectSum = 0;
  };
  for (let index = group.first; index < group.end; index++) {
    const aspect = aspectOf(entries[index]);
    const heightWithout = index > first ? getHeight(index - first, aspectSum) : Number.POSITIVE_INFINITY;
    const heightWith = getHeight(index - first + 1, aspectSum + aspect);
    if (heightWith < target && heightWithout - target < target - heightWith) endLine(index, heightWithout);
    aspectSum += aspect;
    const height = getHeight(index - first + 1, aspectSum);
    if (height <= target) endLine(index + 1, height);
    else if (index === group.end - 1) endLine(index + 1, height <= target * MAX_GROWTH ? height : target);
  }
}

function tileLine(key: string, first: number, aspects: readonly number[], height: number): ListLine {
  const mediaHeight = Math.floor(height);
  let exactWidth = 0;
  let left = 0;
  let usedWidth = 0;
  const tiles = aspects.map((aspect, column): TileBox => {
    // Whole pixels. What is rounded off goes to the next tile, so that all lines end at the same pixel. The 0.001 is for sums
    // that floating point leaves just below a whole number.
    exactWidth += aspect * height;
    const width = Math.floor(exactWidth + 0.001) - usedWidth;
    usedWidth += width;
    const box = { column, left, width, mediaHeight };
    left += width + TILE_GAP;
    return box;
  });
  return { kind: "tiles", key, first, tiles, height: mediaHeight + CAPTION_HEIGHT + TILE_GAP };
}

/** A tile may be wider or narrower than its file by this share, which nobody sees. */
const SAME_SHAPE_TOLERANCE = 0.02;

/** Only this many tiles from the top are looked up: to look up a hundred thousand takes longer than to lay them out. */
const MAX_LOOKED_UP = 20_000;

/**
 * Gives the shapes of tiles in one list: the file's, if it was known when the list first laid out the job, else the requested
 * one. A shape that becomes known later counts for the next list, so that nothing moves in this one.
 */
export function createTileAspects(): (entry: JobRecord) => number {
  const fileShapes = new Map<string, number | undefined>();
  // The missing details of a job are read once it is in view, and must not change its tile then.
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
    if (!fileShapes.has(requestId) && fileShapes.size < MAX_LOOKED_UP) fileShapes.set(requestId, fileAspect(first));
    const shape = fileShapes.get(requestId);
    return shape === undefined || Math.abs(aspect / shape - 1) < SAME_SHAPE_TOLERANCE ? aspect : shape;
  }
}

// Width over height, where known. A video may be shown by its poster, so that one's shape counts too.
function fileAspect({ url, posterUrl }: MediaItem): number | undefined {
  for (const address of posterUrl === undefined ? [url] : [url, posterUrl]) {
    const { width, height } = knownFacts(address) ?? {};
    if (width && height) return width / height;
  }
  return undefined;
}

/** The index of the line that contains the job at `index`. */
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

/** Where the jobs stand, for the arrow keys. There are thousands of lines, so each is computed when it is asked for. */
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

/** Jobs in the order in which the list shows them. */
interface Arranged {
  entries: readonly JobRecord[];
  groups: readonly DayGroup[];
}

/**
 * Puts the jobs into the order of the screen: in a grid, jobs without a result come after the tiles of their day. `tiles` has
 * the ids of jobs that were tiles while they ran and so stay tiles; this adds to it.
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
  let nextPlace = 0;
  const arranged = groups.map((group) => {
    for (let index = group.first; index < group.end; index++) if (!ended[index]) order[nextPlace++] = index;
    const firstEnded = nextPlace;
    for (let index = group.first; index < group.end; index++) if (ended[index]) order[nextPlace++] = index;
    return { ...group, ended: firstEnded };
  });
  return { entries: Array.from(order, (index) => entries[index] as JobRecord), groups: arranged };
}

/** With fewer jobs per day on average, the headings are months instead of days. */
const MIN_JOBS_PER_DAY = 4;

/** The days, or months, of a list. Takes time linear in the jobs. */
function groupsOf(entries: readonly JobRecord[], nowMs: number): DayGroup[] {
  const days = groupBy(entries, dayBounds, (seconds) => dayLabel(seconds, nowMs));
  if (days.length <= 2 || entries.length / days.length >= MIN_JOBS_PER_DAY) return days;
  return groupBy(entries, monthBounds, monthLabel);
}

/** Jobs in a row that are of one day, or month. */
interface DayGroup {
  label: string | undefined;
  first: number;
  /** One past the last. */
  end: number;
  /** Index of the first job without a result; from it to `end` each job is a line of its own. */
  ended: number;
}

// Jobs in a row of the same day, or month, make a group. Jobs without a time or a day join the group before them.
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

/** Unix seconds; `to` is exclusive. */
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
  for (const [index, line] of lines.entries()) tops[index + 1] = (tops[index] ?? 0) + line.height;
  return tops;
}

/** The index of the line at `top` pixels. */
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
 * left, so that its elements are used again: new elements are most of the cost of a scrolled frame. While the list
 * scrolls, no element moves in the document and none is removed; at rest they are in reading order.
 */
export function createSlots(): (range: LineRange, isMoving: boolean) => readonly RenderedLine[] {
  let rendered: RenderedLine[] = [];
  let slotCount = 0;
  return ({ start, end }, isMoving) => {
    const isInRange = ({ line }: RenderedLine) => line >= start && line < end;
    const known = new Set(rendered.map(({ line }) => line));
    const missing: number[] = [];
    for (let line = start; line < end; line++) if (!known.has(line)) missing.push(line);
    const reused = rendered.map((one) =>
      isInRange(one) ? one : { slot: one.slot, line: missing.shift() ?? one.line },
    );
    const all = [...reused, ...missing.map((line) => ({ slot: slotCount++, line }))];
    rendered = isMoving ? all : all.filter(isInRange).sort((a, b) => a.line - b.line);
    return rendered;
  };
}
