import { useState } from "react";
import {
  cursorAfterKey,
  type GridCursor,
  type GridKey,
  type GridPlaces,
  NO_CURSOR,
  withoutGone,
} from "#ui/grid-cursor.ts";

/** The active line of the table, the column in it, and the selected runs. */
export interface TableCursor extends GridCursor {
  column: number;
}

/** What a key does to the cursor of the table: left, right, Home and End go through the columns of the active line. */
export function cursorAfterTableKey(
  press: GridKey,
  cursor: TableCursor,
  places: GridPlaces,
  columns: number,
): TableCursor | undefined {
  const { key, mod } = press;
  const column = { ArrowLeft: cursor.column - 1, ArrowRight: cursor.column + 1, Home: 0, End: columns - 1 }[key];
  const isJump = mod && (key === "Home" || key === "End");
  if (cursor.active === undefined || column === undefined || isJump) {
    const next = cursorAfterKey(press, cursor, places);
    return next && { ...next, column: isJump && column !== undefined ? column : cursor.column };
  }
  return { ...cursor, column: Math.max(0, Math.min(columns - 1, column)) };
}

/** The cursor of a table. What is no longer in it is not selected. */
export function useTableCursor(places: GridPlaces): [TableCursor, (next: TableCursor) => void] {
  const [cursor, setCursor] = useState<TableCursor>({ ...NO_CURSOR, column: 0 });
  if (cursor.selected.size === 0) return [cursor, setCursor];
  const there = new Set(places.ids);
  return [{ ...cursor, ...withoutGone(cursor, (id) => there.has(id)) }, setCursor];
}
