// Keyboard navigation and multi-selection of a grid: History, the table of a batch and its contact sheet. The files of a result
// and the price table use the navigation alone.

import { useEffect, useMemo, useRef } from "react";

/** The active item and the selection, by ids. */
export interface GridCursor {
  /** The item that the keys act on. It may be a heading, which is never selected. */
  active: string | undefined;
  /** The item where the next Shift range begins. */
  anchor: string | undefined;
  selected: ReadonlySet<string>;
  /** What was selected before the Shift range: it stays selected, however the range grows or shrinks. */
  selectedBeforeRange: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Nothing is active or selected. */
export const NO_CURSOR: GridCursor = {
  active: undefined,
  anchor: undefined,
  selected: NONE,
  selectedBeforeRange: NONE,
};

/** One line of a grid. */
interface GridLine {
  /** The ids of its items, from the left; undefined for an empty place. The keys pass over a line without items. */
  cells: readonly (string | undefined)[];
  /** The horizontal middle of each cell, in pixels, where the cells of two lines are not above each other. */
  middles?: readonly number[];
  /** The height in pixels. */
  height: number;
}

/** Where the items of a grid are. */
export interface GridPositions {
  /** The items that can be selected, in reading order. */
  ids: readonly string[];
  isSelectable: (id: string) => boolean;
  lineCount: number;
  lineAt: (line: number) => GridLine | undefined;
  /** The line of an item; -1 where it is not in the grid. */
  lineOf: (id: string) => number;
  /**
   * True for a table: the arrows stay in their line, Home and End go to its ends, and a Shift range is a rectangle. False for
   * wrapped tiles: left and right continue on the next line, Home and End go to the ends of the grid, and a Shift range follows
   * the reading order.
   */
  hasColumns?: boolean;
}

/** The positions of a grid whose lines are all given. */
export function createGridPositions(
  lines: readonly GridLine[],
  ids: readonly string[],
  hasColumns = false,
): GridPositions {
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

/** A key press, as the grid reads it. */
export interface GridKey {
  key: string;
  shift: boolean;
  /** Ctrl, or Cmd on a Mac. */
  mod: boolean;
  /** The visible height of the grid, in pixels. */
  page?: number;
}

/** The key press of an event. */
export const getGridKey = (
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
export function cursorAfterKey(press: GridKey, cursor: GridCursor, positions: GridPositions): GridCursor | undefined {
  const { active, selected } = cursor;
  if (press.mod && press.key.toLowerCase() === "a") return withSelected(cursor, new Set(positions.ids));
  if (press.key === "Escape") return selected.size > 0 ? withSelected(cursor, NONE) : undefined;
  if (press.key === " ") {
    if (active === undefined || !positions.isSelectable(active)) return undefined;
    return press.shift ? withRange(cursor, active, positions) : toggled(cursor, active);
  }
  const target = findTarget(press, active, positions);
  if (target === undefined) return undefined;
  if (press.shift) return withRange(cursor, target, positions);
  // In a table, Ctrl+Home and Ctrl+End are plain jumps: Home and End alone go to the ends of the line.
  const isJump = positions.hasColumns && (press.key === "Home" || press.key === "End");
  return press.mod && !isJump ? { ...cursor, active: target } : movedTo(cursor, target);
}

/** A press of the pointer with Ctrl, Cmd or Shift; undefined for a plain one. */
export function cursorAfterPress(
  press: Pick<GridKey, "shift" | "mod">,
  target: string,
  cursor: GridCursor,
  positions: GridPositions,
): GridCursor | undefined {
  if (press.shift) return withRange(cursor, target, positions);
  return press.mod ? toggled(cursor, target) : undefined;
}

/**
 * The active item; once it was removed, the item that has its place now, so that the keys go on from there. Undefined while none
 * is active. `order`: every item that can be active, in reading order.
 */
export function useActiveOrNeighbor(active: string | undefined, order: readonly string[]): string | undefined {
  const lastIndex = useRef(0);
  const index = useMemo(() => (active === undefined ? -1 : order.indexOf(active)), [active, order]);
  useEffect(() => {
    if (index >= 0) lastIndex.current = index;
  }, [index]);
  if (active === undefined || index >= 0) return active;
  return order[Math.min(lastIndex.current, order.length - 1)];
}

/** The cursor with another active item, at which the next Shift range begins. The selection stays. */
export function movedTo(cursor: GridCursor, target: string): GridCursor {
  return { active: target, anchor: target, selected: cursor.selected, selectedBeforeRange: cursor.selected };
}

/** The cursor with one item added to the selection, or removed from it. It becomes the active one. */
export function toggled(cursor: GridCursor, id: string): GridCursor {
  const selected = new Set(cursor.selected);
  if (!selected.delete(id)) selected.add(id);
  return { active: id, anchor: id, selected, selectedBeforeRange: selected };
}

/** The cursor with these items selected, and no others. The next Shift range begins at the active item. */
export function withSelected(cursor: GridCursor, selected: ReadonlySet<string>): GridCursor {
  return { active: cursor.active, anchor: cursor.active, selected, selectedBeforeRange: selected };
}

/** The cursor without removed items in the selection. The same object where none was removed. */
export function withoutRemoved(cursor: GridCursor, isThere: (id: string) => boolean): GridCursor {
  if ([...cursor.selected].every(isThere)) return cursor;
  const [selected, beforeRange] = [cursor.selected, cursor.selectedBeforeRange].map(
    (ids) => new Set([...ids].filter(isThere)),
  );
  return { ...cursor, selected: selected ?? NONE, selectedBeforeRange: beforeRange ?? NONE };
}

/** The cursor with the range from its anchor to a target, beside what was selected before the range began. */
function withRange(cursor: GridCursor, target: string, positions: GridPositions): GridCursor {
  const anchor = [cursor.anchor, cursor.active].find((id) => getGridPlace(id, positions) !== undefined) ?? target;
  const range = idsBetween(anchor, target, positions);
  return {
    active: target,
    anchor,
    selected: new Set([...cursor.selectedBeforeRange, ...range]),
    selectedBeforeRange: cursor.selectedBeforeRange,
  };
}

/** The selectable items between two, both included: see `GridPositions.hasColumns`. */
function idsBetween(from: string, to: string, positions: GridPositions): string[] {
  const [first, last] = [getGridPlace(from, positions), getGridPlace(to, positions)];
  if (!first || !last) return [];
  const isForwards = first.line < last.line || (first.line === last.line && first.column <= last.column);
  const [start, end] = isForwards ? [first, last] : [last, first];
  const [left, right] = [Math.min(first.column, last.column), Math.max(first.column, last.column)];
  const isBetween = (line: number, column: number) =>
    positions.hasColumns
      ? column >= left && column <= right
      : (line > start.line || column >= start.column) && (line < end.line || column <= end.column);
  const between: string[] = [];
  for (let line = start.line; line <= end.line; line += 1) {
    for (const [column, id] of (positions.lineAt(line)?.cells ?? []).entries()) {
      if (id !== undefined && isBetween(line, column) && positions.isSelectable(id)) between.push(id);
    }
  }
  return between;
}

interface Place {
  line: number;
  column: number;
}

/** The line and the column of something; undefined where it is not in the grid. */
export function getGridPlace(id: string | undefined, positions: GridPositions): Place | undefined {
  const line = id === undefined ? -1 : positions.lineOf(id);
  const column = id === undefined ? -1 : (positions.lineAt(line)?.cells.indexOf(id) ?? -1);
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

/** The item that a moving key leads to; undefined for any other key. */
function findTarget(
  { key, mod, page = 0 }: GridKey,
  active: string | undefined,
  positions: GridPositions,
): string | undefined {
  const place = getGridPlace(active, positions);
  if (key === "Home" || key === "End") {
    const step = key === "Home" ? 1 : -1;
    if (positions.hasColumns && !mod && place) return firstOrLastIn(positions.lineAt(place.line), step);
    return firstOrLastFrom(positions, step);
  }
  const step = STEPS[key];
  if (step === undefined) return undefined;
  if (!place) return firstOrLastFrom(positions, 1);
  if (key === "ArrowLeft" || key === "ArrowRight") return inSameLine(place, step, positions) ?? active;
  if (key.startsWith("Page")) return onePageAway(place, step, page, positions) ?? active;
  return inNextLine(place, step, positions) ?? active;
}

/** The first (`step` 1) or the last item of a line. */
function firstOrLastIn(line: GridLine | undefined, step: 1 | -1): string | undefined {
  const ids = (line?.cells ?? []).flatMap((id) => id ?? []);
  return step === 1 ? ids[0] : ids.at(-1);
}

/** The first item of the next line that has one, or the last of the previous one: looks from a line on, in one direction. */
function firstOrLastFrom(
  positions: GridPositions,
  step: 1 | -1,
  from = step === 1 ? 0 : positions.lineCount - 1,
): string | undefined {
  for (let line = from; line >= 0 && line < positions.lineCount; line += step) {
    const found = firstOrLastIn(positions.lineAt(line), step);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The next item in a line. With wrapped tiles it may be on another line. */
function inSameLine({ line, column }: Place, step: 1 | -1, positions: GridPositions): string | undefined {
  const cells = positions.lineAt(line)?.cells ?? [];
  for (let next = column + step; next >= 0 && next < cells.length; next += step)
    if (cells[next] !== undefined) return cells[next];
  return positions.hasColumns ? undefined : firstOrLastFrom(positions, step, line + step);
}

/** The item in the next line that has one there: the one whose middle is nearest, or the one in the same column. */
function inNextLine({ line, column }: Place, step: 1 | -1, positions: GridPositions): string | undefined {
  const middle = positions.lineAt(line)?.middles?.[column] ?? 0;
  for (let next = line + step; next >= 0 && next < positions.lineCount; next += step) {
    const { cells = [], middles } = positions.lineAt(next) ?? {};
    const distances = middles?.map((cellMiddle) => Math.abs(cellMiddle - middle));
    const found = distances ? cells[distances.indexOf(Math.min(...distances))] : cells[column];
    if (found !== undefined) return found;
    // The last line of a group may be shorter than the others.
    const last = cells.findLast((id) => id !== undefined);
    if (!positions.hasColumns && last !== undefined) return last;
  }
  return undefined;
}

/** The item one page away: goes line by line over the height of a page, and over one line at least. */
function onePageAway(from: Place, step: 1 | -1, page: number, positions: GridPositions): string | undefined {
  let place = from;
  let found: string | undefined;
  for (let height = 0; height < Math.max(page, 1); height += positions.lineAt(place.line)?.height ?? page) {
    const next = inNextLine(place, step, positions);
    const nextPlace = getGridPlace(next, positions);
    if (!nextPlace) break;
    found = next;
    place = nextPlace;
  }
  return found;
}
