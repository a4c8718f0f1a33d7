import { useMemo, useState } from "react";
import {
  cursorAfterKey,
  type GridCursor,
  type GridKey,
  type GridPositions,
  NO_CURSOR,
  useActiveOrNeighbor,
  withoutRemoved,
} from "#ui/grid-cursor.ts";
import type { TableLine } from "./table-lines.ts";

/** The grid has one cell in each line, the run: what is selected are whole runs. The column that is edited is counted here. */
export interface TableCursor extends GridCursor {
  column: number;
}

/** What a key does: left, right, Home and End move through the columns of the active line, all others through the lines. */
export function cursorAfterTableKey(
  press: GridKey,
  cursor: TableCursor,
  positions: GridPositions,
  columnCount: number,
): TableCursor | undefined {
  const { key, mod } = press;
  const isGridJump = mod && (key === "Home" || key === "End");
  const target = { ArrowLeft: cursor.column - 1, ArrowRight: cursor.column + 1, Home: 0, End: columnCount - 1 }[key];
  const column = Math.max(0, Math.min(columnCount - 1, target ?? cursor.column));
  if (target !== undefined && cursor.active !== undefined && !isGridJump) return { ...cursor, column };
  const next = cursorAfterKey(press, cursor, positions);
  return next && { ...next, column };
}

/** The cursor of a table. Removed runs are no longer selected, and the run in the place of a removed one becomes active. */
export function useTableCursor(lines: readonly TableLine[], positions: GridPositions) {
  const [stored, setCursor] = useState<TableCursor>({ ...NO_CURSOR, column: 0 });
  const order = useMemo(() => lines.map(({ key }) => key), [lines]);
  const active = useActiveOrNeighbor(stored.active, order);
  const cursor = { ...stored, ...withoutRemoved(stored, positions.isSelectable), active };
  return [cursor, setCursor] as const;
}
