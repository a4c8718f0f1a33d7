import { type KeyboardEvent, useState } from "react";
import type { TableLine } from "./table-lines.ts";

/** The active cell: a line by its key, and a column. */
export interface ActiveCell {
  key: string;
  column: number;
}

export interface TableCursor {
  active: ActiveCell | undefined;
  /** Runs by their ids. */
  selected: ReadonlySet<string>;
}

const NOTHING: TableCursor = { active: undefined, selected: new Set() };

/** What a key, or a press, does to the cursor. `columns` is how many there are, `page` how many lines a page has. */
export function cursorAfterKey(
  event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey">,
  { active, selected }: TableCursor,
  lines: readonly TableLine[],
  { columns, page }: { columns: number; page: number },
): TableCursor | undefined {
  const isMod = event.ctrlKey || event.metaKey;
  const at = Math.max(
    0,
    lines.findIndex(({ key }) => key === active?.key),
  );
  const column = active?.column ?? 0;
  const to = (line: number, next = column): TableCursor | undefined => {
    const target = lines[Math.max(0, Math.min(lines.length - 1, line))];
    if (!target) return undefined;
    const isExtended = event.shiftKey && line !== at && active !== undefined;
    const added = isExtended ? runsBetween(lines, at, line) : [];
    return {
      active: { key: target.key, column: Math.max(0, Math.min(columns - 1, next)) },
      selected: isExtended ? new Set([...selected, ...added]) : selected,
    };
  };
  switch (event.key) {
    case "ArrowDown":
      return active === undefined ? to(0) : to(at + 1);
    case "ArrowUp":
      return to(at - 1);
    case "ArrowRight":
      return to(at, column + 1);
    case "ArrowLeft":
      return to(at, column - 1);
    case "PageDown":
      return to(at + page);
    case "PageUp":
      return to(at - page);
    case "Home":
      return isMod ? to(0, 0) : to(at, 0);
    case "End":
      return isMod ? to(lines.length - 1, columns - 1) : to(at, columns - 1);
    case "Escape":
      return selected.size > 0 ? { active, selected: new Set() } : undefined;
    case "a":
      return isMod ? { active, selected: new Set(runIds(lines)) } : undefined;
    default:
      return undefined;
  }
}

/** The ids of the runs among lines. Never throws. */
export const runIds = (lines: readonly TableLine[]): string[] =>
  lines.flatMap((line) => (line.kind === "run" ? line.key : []));

function runsBetween(lines: readonly TableLine[], from: number, to: number): string[] {
  return runIds(lines.slice(Math.min(from, to), Math.max(from, to) + 1));
}

/** With this run selected, or not any more; with `shift` all from the active one on. Never throws. */
export function toggledRun(
  cursor: TableCursor,
  id: string,
  lines: readonly TableLine[],
  isShift: boolean,
): TableCursor {
  const selected = new Set(cursor.selected);
  const from = lines.findIndex(({ key }) => key === cursor.active?.key);
  const to = lines.findIndex(({ key }) => key === id);
  if (isShift && from >= 0 && to >= 0) for (const one of runsBetween(lines, from, to)) selected.add(one);
  else if (!selected.delete(id)) selected.add(id);
  return { active: { key: id, column: cursor.active?.column ?? 0 }, selected };
}

/** The cursor of a table. What is no longer among the lines is neither active nor selected. */
export function useTableCursor(lines: readonly TableLine[]): [TableCursor, (next: TableCursor) => void] {
  const [cursor, setCursor] = useState(NOTHING);
  if (cursor.selected.size === 0) return [cursor, setCursor];
  const there = new Set(runIds(lines));
  if ([...cursor.selected].every((id) => there.has(id))) return [cursor, setCursor];
  return [{ ...cursor, selected: new Set([...cursor.selected].filter((id) => there.has(id))) }, setCursor];
}
