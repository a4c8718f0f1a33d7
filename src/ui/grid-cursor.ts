// The keyboard's place in a grid and what is selected in it: one rule for History, the runs of a batch and its contact sheet.

import { useEffect, useMemo, useRef } from "react";

/** The keyboard's place and the selection, by ids. */
export interface GridCursor {
  /** What the keyboard is on. It may be a heading, which is never selected. */
  active: string | undefined;
  /** Where a range begins. */
  anchor: string | undefined;
  selected: ReadonlySet<string>;
  /** What was selected before the range that is drawn from the anchor. */
  before: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export const NO_CURSOR: GridCursor = { active: undefined, anchor: undefined, selected: NONE, before: NONE };

/** One line of a grid. */
export interface GridLine {
  /** What stands in it, from the left; undefined for an empty place. None at all: the keys pass over the line. */
  cells: readonly (string | undefined)[];
  /** The middle of each, in pixels, where cells of different lines do not stand above each other. */
  middles?: readonly number[];
  /** In pixels. */
  height: number;
}

/** Where things stand in a grid. */
export interface GridPlaces {
  /** What can be selected, in reading order. */
  ids: readonly string[];
  isSelectable: (id: string) => boolean;
  lineCount: number;
  lineAt: (line: number) => GridLine | undefined;
  /** The line that something stands in; -1 where it is not in the grid. */
  lineOf: (id: string) => number;
  /**
   * Columns have a meaning: the keys stay in a line, and a range is a rectangle. Without it the grid is a text of lines: left
   * and right go on in the next line, Home and End go to its ends, and a range is what is between two in reading order.
   */
  hasColumns?: boolean;
}

/** The places of lines that are all there. */
export function placesOf(lines: readonly GridLine[], ids: readonly string[], hasColumns = false): GridPlaces {
  const selectable = new Set(ids);
  return {
    ids,
    isSelectable: (id) => selectable.has(id),
    lineCount: lines.length,
    lineAt: (line) => lines[line],
    lineOf: (id) => lines.findIndex(({ cells }) => cells.includes(id)),
    hasColumns,
  };
}

export interface GridKey {
  key: string;
  shift: boolean;
  /** Ctrl, or Cmd on a Mac. */
  mod: boolean;
  /** Pixels that a page of the grid is high. */
  page?: number;
}

/** A key as an event has it. */
export const gridKeyOf = (
  event: { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean },
  page?: number,
): GridKey => ({
  key: event.key,
  shift: event.shiftKey,
  mod: event.ctrlKey || event.metaKey,
  ...(page === undefined ? {} : { page }),
});

/**
 * Where a key leads, as in a file manager: arrows and pages move, Home and End jump, Shift makes a range from where it began,
 * `mod` moves without beginning a range there, Space toggles, `mod+A` selects all, Escape clears. Undefined: not a key of the grid.
 */
export function cursorAfterKey(press: GridKey, cursor: GridCursor, places: GridPlaces): GridCursor | undefined {
  const { active, selected } = cursor;
  if (press.mod && press.key.toLowerCase() === "a") return withSelected(cursor, new Set(places.ids));
  if (press.key === "Escape") return selected.size > 0 ? withSelected(cursor, NONE) : undefined;
  if (press.key === " ") {
    if (active === undefined || !places.isSelectable(active)) return undefined;
    return press.shift ? ranged(cursor, active, places) : toggled(cursor, active);
  }
  const target = targetOf(press, active, places);
  if (target === undefined) return undefined;
  if (press.shift) return ranged(cursor, target, places);
  // In a line that has ends of its own, those of the grid are a plain jump.
  const isJump = places.hasColumns && (press.key === "Home" || press.key === "End");
  return press.mod && !isJump ? { ...cursor, active: target } : movedTo(cursor, target);
}

/** A press of the pointer with Ctrl, Cmd or Shift; undefined for a plain one. */
export function cursorAfterPress(
  press: Pick<GridKey, "shift" | "mod">,
  target: string,
  cursor: GridCursor,
  places: GridPlaces,
): GridCursor | undefined {
  if (press.shift) return ranged(cursor, target, places);
  return press.mod ? toggled(cursor, target) : undefined;
}

/**
 * What the keyboard is on, by what it was on: the same, and once that is not in the grid any more what stands in its place.
 * Undefined where it is on nothing. `order`: all that it can be on.
 */
export function useInPlace(active: string | undefined, order: readonly string[]): string | undefined {
  const last = useRef(0);
  const at = useMemo(() => (active === undefined ? -1 : order.indexOf(active)), [active, order]);
  useEffect(() => {
    if (at >= 0) last.current = at;
  }, [at]);
  if (active === undefined || at >= 0) return active;
  return order[Math.min(last.current, order.length - 1)];
}

/** The same selection, with the keyboard on something else. A range would begin there. */
export function movedTo(cursor: GridCursor, target: string): GridCursor {
  return { active: target, anchor: target, selected: cursor.selected, before: cursor.selected };
}

/** With one added to the selection, or taken away; the keyboard is on it. */
export function toggled(cursor: GridCursor, id: string): GridCursor {
  const selected = new Set(cursor.selected);
  if (!selected.delete(id)) selected.add(id);
  return { active: id, anchor: id, selected, before: selected };
}

/** With these selected, and no others. A range would begin where the keyboard is. */
export function withSelected(cursor: GridCursor, selected: ReadonlySet<string>): GridCursor {
  return { active: cursor.active, anchor: cursor.active, selected, before: selected };
}

/** Without what is not there any more. The same cursor where all of it is. */
export function withoutGone(cursor: GridCursor, isThere: (id: string) => boolean): GridCursor {
  if ([...cursor.selected].every(isThere)) return cursor;
  const [selected, before] = [cursor.selected, cursor.before].map((ids) => new Set([...ids].filter(isThere)));
  return { ...cursor, selected: selected ?? NONE, before: before ?? NONE };
}

/** With the range from its anchor to a target, beside what was selected before the range began. */
function ranged(cursor: GridCursor, target: string, places: GridPlaces): GridCursor {
  const anchor = [cursor.anchor, cursor.active].find((id) => placeOf(id, places) !== undefined) ?? target;
  const range = idsBetween(anchor, target, places);
  return { active: target, anchor, selected: new Set([...cursor.before, ...range]), before: cursor.before };
}

/** What is between two, both included: see `GridPlaces.hasColumns`. */
function idsBetween(from: string, to: string, places: GridPlaces): string[] {
  const [first, last] = [placeOf(from, places), placeOf(to, places)];
  if (!first || !last) return [];
  const [top, bottom] = first.line <= last.line ? [first, last] : [last, first];
  const columns = [first.column, last.column].sort((a, b) => a - b);
  const between: string[] = [];
  for (let line = top.line; line <= bottom.line; line += 1) {
    const cells = places.lineAt(line)?.cells ?? [];
    const isOne = top.line === bottom.line;
    const [start = 0, end = 0] = places.hasColumns
      ? columns
      : [
          isOne ? columns[0] : line === top.line ? top.column : 0,
          isOne ? columns[1] : line === bottom.line ? bottom.column : cells.length,
        ];
    between.push(...cells.slice(start, end + 1).flatMap((id) => id ?? []));
  }
  return between.filter(places.isSelectable);
}

interface Place {
  line: number;
  column: number;
}

/** The line and the column of something; undefined where it is not in the grid. */
export function placeOf(id: string | undefined, places: GridPlaces): Place | undefined {
  const line = id === undefined ? -1 : places.lineOf(id);
  const column = id === undefined ? -1 : (places.lineAt(line)?.cells.indexOf(id) ?? -1);
  return column < 0 ? undefined : { line, column };
}

const STEPS: Readonly<Record<string, -1 | 1>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -1,
  PageDown: 1,
};

function targetOf({ key, mod, page = 0 }: GridKey, active: string | undefined, places: GridPlaces): string | undefined {
  const place = placeOf(active, places);
  if (key === "Home" || key === "End") {
    const step = key === "Home" ? 1 : -1;
    if (places.hasColumns && !mod && place) return inLine(places.lineAt(place.line), step);
    return firstOf(places, step);
  }
  const step = STEPS[key];
  if (step === undefined) return undefined;
  if (!place) return firstOf(places, 1);
  if (key === "ArrowLeft" || key === "ArrowRight") return besides(place, step, places) ?? active;
  if (key.startsWith("Page")) return aPageFrom(place, step, page, places) ?? active;
  return inNextLine(place, step, places) ?? active;
}

/** The first or the last of a line. */
function inLine(line: GridLine | undefined, step: 1 | -1): string | undefined {
  const there = (line?.cells ?? []).flatMap((id) => id ?? []);
  return step === 1 ? there[0] : there.at(-1);
}

/** The first or the last of the lines from one on. */
function firstOf(places: GridPlaces, step: 1 | -1, from = step === 1 ? 0 : places.lineCount - 1): string | undefined {
  for (let line = from; line >= 0 && line < places.lineCount; line += step) {
    const found = inLine(places.lineAt(line), step);
    if (found !== undefined) return found;
  }
  return undefined;
}

function besides({ line, column }: Place, step: 1 | -1, places: GridPlaces): string | undefined {
  const cells = places.lineAt(line)?.cells ?? [];
  for (let at = column + step; at >= 0 && at < cells.length; at += step) if (cells[at] !== undefined) return cells[at];
  return places.hasColumns ? undefined : firstOf(places, step, line + step);
}

/** In the next line that has something there: the one whose middle is nearest, or the one in the same column. */
function inNextLine({ line, column }: Place, step: 1 | -1, places: GridPlaces): string | undefined {
  const middle = places.lineAt(line)?.middles?.[column] ?? 0;
  for (let at = line + step; at >= 0 && at < places.lineCount; at += step) {
    const { cells = [], middles } = places.lineAt(at) ?? {};
    const distances = middles?.map((one) => Math.abs(one - middle));
    const found = distances ? cells[distances.indexOf(Math.min(...distances))] : cells[column];
    if (found !== undefined) return found;
    // The last line of a group may be shorter than the others.
    const last = cells.findLast((id) => id !== undefined);
    if (!places.hasColumns && last !== undefined) return last;
  }
  return undefined;
}

/** Line by line, as far as a page is high and at least one. */
function aPageFrom(from: Place, step: 1 | -1, page: number, places: GridPlaces): string | undefined {
  let place = from;
  let found: string | undefined;
  for (let height = 0; height < Math.max(page, 1); height += places.lineAt(place.line)?.height ?? page) {
    const next = inNextLine(place, step, places);
    const at = placeOf(next, places);
    if (!at) break;
    found = next;
    place = at;
  }
  return found;
}
