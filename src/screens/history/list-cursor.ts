import { create } from "zustand";
import type { ListLine } from "./list-layout.ts";

export interface Cursor {
  /** The job that the keyboard is on, or -1. */
  active: number;
  /** Where a range begins. */
  anchor: number;
  selected: ReadonlySet<string>;
}

interface KeyPress {
  key: string;
  shift: boolean;
  /** Ctrl, or Cmd on a Mac. */
  mod: boolean;
  /** Pixels that a page of the list is high. */
  page?: number;
}

/**
 * Where a key leads, as in a file manager: arrows and pages move, Home and End jump, Shift makes a range from the anchor,
 * `mod` moves without choosing, Space toggles, `mod+A` selects all, Escape clears. Undefined: not a key of the list.
 */
export function cursorAfterKey(
  press: KeyPress,
  cursor: Cursor,
  ids: readonly string[],
  lines: readonly ListLine[],
): Cursor | undefined {
  if (press.mod && press.key.toLowerCase() === "a") return { ...cursor, selected: new Set(ids) };
  if (press.key === "Escape") return cursor.selected.size > 0 ? { ...cursor, selected: new Set() } : undefined;
  if (press.key === " " && !press.shift) return cursor.active < 0 ? undefined : toggled(cursor, cursor.active, ids);
  const target = targetOf(press, cursor.active, ids.length, lines);
  if (target === undefined) return undefined;
  if (press.shift) return ranged(cursor, target, ids);
  return press.mod ? { ...cursor, active: target } : { active: target, anchor: target, selected: cursor.selected };
}

/** A press of the pointer with its modifiers; undefined where it is a plain press, which opens. */
export function cursorAfterPress(
  press: Omit<KeyPress, "key">,
  target: number,
  cursor: Cursor,
  ids: readonly string[],
): Cursor | undefined {
  if (press.shift) return ranged(cursor, target, ids);
  return press.mod ? toggled(cursor, target, ids) : undefined;
}

/** The same cursor with one job added to the selection, or taken away. */
export function toggled(cursor: Cursor, index: number, ids: readonly string[]): Cursor {
  const id = ids[index];
  if (id === undefined) return cursor;
  const selected = new Set(cursor.selected);
  if (!selected.delete(id)) selected.add(id);
  return { active: index, anchor: index, selected };
}

function ranged(cursor: Cursor, target: number, ids: readonly string[]): Cursor {
  const anchor = cursor.anchor < 0 ? Math.max(cursor.active, 0) : cursor.anchor;
  const range = ids.slice(Math.min(anchor, target), Math.max(anchor, target) + 1);
  return { active: target, anchor, selected: new Set(range) };
}

function targetOf(
  { key, page = 0 }: KeyPress,
  active: number,
  count: number,
  lines: readonly ListLine[],
): number | undefined {
  if (count === 0) return undefined;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, PageUp: -1, PageDown: 1 }[key];
  if (step === undefined) return undefined;
  if (active < 0) return 0;
  if (key === "ArrowLeft" || key === "ArrowRight") return clamp(active + step, count);
  if (key.startsWith("Page")) return pageNeighbour(active, step, page, lines);
  return lineNeighbour(active, step, lines) ?? active;
}

// Line by line, as far as a page is high and at least one.
function pageNeighbour(active: number, step: number, page: number, lines: readonly ListLine[]): number {
  let place = active;
  for (let height = 0; height < page; height += lines[lineOf(place, lines)]?.height ?? page) {
    const next = lineNeighbour(place, step, lines);
    if (next === undefined) break;
    place = next;
  }
  return place;
}

// Up and down go to the tile whose middle is nearest in the next line of jobs.
function lineNeighbour(active: number, step: number, lines: readonly ListLine[]): number | undefined {
  const from = lineOf(active, lines);
  const middle = middleOf(lines[from], active);
  for (let place = from + step; place >= 0 && place < lines.length; place += step) {
    const line = lines[place];
    if (!line || line.kind === "day") continue;
    if (line.kind !== "tiles") return line.first;
    const distances = line.tiles.map((tile) => Math.abs(tile.left + tile.width / 2 - middle));
    return line.first + distances.indexOf(Math.min(...distances));
  }
  return undefined;
}

function middleOf(line: ListLine | undefined, index: number): number {
  const tile = line?.kind === "tiles" ? line.tiles[index - line.first] : undefined;
  return tile ? tile.left + tile.width / 2 : 0;
}

/** The place of the line that a job stands in. */
export function lineOf(index: number, lines: readonly ListLine[]): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle]?.first ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

function clamp(index: number, count: number): number {
  return Math.min(count - 1, Math.max(0, index));
}

const NOTHING: Cursor = { active: -1, anchor: -1, selected: new Set() };

const useStore = create<{ cursor: Cursor }>(() => ({ cursor: NOTHING }));

/** The keyboard's place and the selection. They stay while other screens are open. */
export function useCursor(): [Cursor, (cursor: Cursor) => void] {
  return [useStore((state) => state.cursor), (cursor) => useStore.setState({ cursor })];
}

/** Clears place and selection: for another list or another connection. */
export function resetCursor(): void {
  useStore.setState({ cursor: NOTHING });
}
