import { useMemo, useState } from "react";
import {
  cursorAfterKey,
  type GridCursor,
  type GridKey,
  type GridPlaces,
  NO_CURSOR,
  useInPlace,
  withoutGone,
} from "#ui/grid-cursor.ts";
import type { TableLine } from "./table-lines.ts";

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
  const wanted = { ArrowLeft: cursor.column - 1, ArrowRight: cursor.column + 1, Home: 0, End: columns - 1 }[key];
  const column = Math.max(0, Math.min(columns - 1, wanted ?? cursor.column));
  const isInLine = wanted !== undefined && cursor.active !== undefined && !(mod && (key === "Home" || key === "End"));
  if (isInLine) return { ...cursor, column };
  const next = cursorAfterKey(press, cursor, places);
  return next && { ...next, column };
}

/** The cursor of a table. What is no longer in it is not selected, and what stands in its place is active. */
export function useTableCursor(lines: readonly TableLine[], places: GridPlaces) {
  const [stored, setCursor] = useState<TableCursor>({ ...NO_CURSOR, column: 0 });
  const order = useMemo(() => lines.map(({ key }) => key), [lines]);
  const active = useInPlace(stored.active, order);
  const cursor = { ...stored, ...withoutGone(stored, places.isSelectable), active };
  return [cursor, setCursor] as const;
}
