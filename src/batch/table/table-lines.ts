// The lines of the table or of the cards: groups and runs under a filter, their positions, and the cursor on them.

import { useMemo, useState } from "react";
import { getRunPhase, type ItemView, type RunPhase } from "#batch/runner/batch-views.ts";
import type { Price } from "#runs/prices/estimate-queries.ts";
import { runWords } from "#runs/status-words.ts";
import type { BatchGroup } from "#storage/stored-batches.ts";
import {
  createGridPositions,
  cursorAfterKey,
  type GridCursor,
  type GridKey,
  type GridPositions,
  NO_CURSOR,
  useActiveOrNeighbor,
  withoutRemoved,
} from "#ui/grid-cursor.ts";
import type { StatusTone } from "#ui/indicators.tsx";
import { indexAfterKey } from "#ui/list-keys.ts";
import { rem } from "#ui/rem.ts";
import type { BatchDocument } from "../batch-document.ts";

/** Heights in pixels. */
export const ROW_HEIGHT = rem(34);
export const GROUP_HEIGHT = rem(31);

/** A line of the table: the heading of a group, or a run. */
export type TableLine =
  | { kind: "group"; key: string; group: BatchGroup; views: readonly ItemView[]; isOpen: boolean }
  | RunLine;

export interface RunLine {
  kind: "run";
  key: string;
  view: ItemView;
  filter: RowFilter;
  /** Its row in the unfiltered table, from 1. */
  number: number;
}

export interface TableLines {
  lines: readonly TableLine[];
  /** How many runs each filter has, whichever is chosen. */
  counts: Readonly<Record<RowFilter | "all", number>>;
}

/** A row that was not checked yet counts as one whose price is loading. */
const UNCHECKED: Price = { state: "pricing" };

/**
 * The lines of a table: groups in the order of their first runs, each followed by its runs. Runs are numbered as in the unfiltered
 * table. `folded`: ids of groups whose runs are hidden.
 */
export function tableLines(
  {
    batch,
    items,
    problems,
    unchecked,
    prices,
  }: Pick<BatchDocument, "batch" | "items" | "problems" | "unchecked" | "prices">,
  show: RowFilter | undefined,
  folded: ReadonlySet<string>,
): TableLines {
  const counts = Object.fromEntries(ROW_FILTERS.map(({ name }) => [name, 0])) as Record<RowFilter | "all", number>;
  counts.all = items.length;
  const groups = new Map<string, { view: ItemView; filter: RowFilter }[]>();
  for (const view of items) {
    const { item } = view;
    const price = unchecked.has(item.id) ? UNCHECKED : prices.of(item.request);
    const filter = getFilter(view, problems.has(item.id), price);
    counts[filter] += 1;
    const runs = groups.get(item.groupId) ?? [];
    groups.set(item.groupId, runs);
    runs.push({ view, filter });
  }
  const lines: TableLine[] = [];
  let number = 0;
  for (const [id, runs] of groups) {
    const group = batch.groups.find((one) => one.id === id);
    if (!group) continue;
    const isOpen = !folded.has(id);
    const shown = runs.map(({ view, filter }) => {
      number += 1;
      return { kind: "run", key: view.item.id, view, filter, number } as const;
    });
    const passing = show === undefined ? shown : shown.filter(({ filter }) => filter === show);
    if (passing.length === 0) continue;
    lines.push({ kind: "group", key: `group ${id}`, group, views: runs.map(({ view }) => view), isOpen });
    if (isOpen) lines.push(...passing);
  }
  return { lines, counts };
}

/** The positions of lines, for the arrow keys. Headings of groups can be active, but not selected. */
export function tablePositions(lines: readonly TableLine[]): GridPositions {
  const runs = lines.flatMap((line) => (line.kind === "run" ? line.key : []));
  return createGridPositions(
    lines.map(({ kind, key }) => ({ cells: [key], height: kind === "group" ? GROUP_HEIGHT : ROW_HEIGHT })),
    runs,
    true,
  );
}

/** The look of the dot before a filter or a status. `outline`: not submitted. */
export type RowTone = StatusTone | "outline";

/** The filters: the phases of submitted runs; for drafts, whether they can be run. */
export type RowFilter = Exclude<RunPhase, "draft"> | "ready" | "pricing" | "attention";

interface RowFilterLook {
  name: RowFilter;
  label: string;
  tone: RowTone;
}

/** The filters in the order of the line above the table. */
export const ROW_FILTERS: readonly RowFilterLook[] = [
  { name: "ready", label: "Ready", tone: "outline" },
  { name: "pricing", label: "Pricing", tone: "outline" },
  { name: "attention", label: "Needs attention", tone: "unconfirmed" },
  { name: "waiting", label: "Waiting", tone: "outline" },
  { name: "running", label: "Running", tone: "queued" },
  { name: "unconfirmed", label: "Unconfirmed", tone: "unconfirmed" },
  { name: "done", label: "Done", tone: "success" },
  { name: "failed", label: "Failed", tone: "failed" },
  { name: "cancelled", label: "Cancelled", tone: "cancelled" },
];

const FILTER_LOOKS = Object.fromEntries(ROW_FILTERS.map((one) => [one.name, one])) as Record<RowFilter, RowFilterLook>;

/** The filter that a row belongs to. Each row belongs to exactly one. */
function getFilter({ state }: ItemView, hasProblem: boolean, price: Price): RowFilter {
  const phase = getRunPhase(state);
  if (phase !== "draft") return phase;
  if (hasProblem || price.state === "failed") return "attention";
  return price.state === "pricing" ? "pricing" : "ready";
}

/** The word of a row's status and its dot. */
export function rowWord({ state }: ItemView, filter: RowFilter): { word: string; tone: RowTone } {
  if (state.kind === "draft") {
    const { label: word, tone } = FILTER_LOOKS[filter];
    return { word, tone };
  }
  const words = runWords(state);
  return state.kind === "waiting" ? { ...words, tone: "outline" } : words;
}

/** A cursor over whole runs, since the grid cursor has one cell per line, and the active column within the run. */
export interface TableCursor extends GridCursor {
  column: number;
}

/** The cursor after a key: left, right, Home and End move through columns, all others through lines. Undefined: not its key. */
export function cursorAfterTableKey(
  press: GridKey,
  cursor: TableCursor,
  positions: GridPositions,
  columnCount: number,
): TableCursor | undefined {
  const { key, mod } = press;
  const isGridJump = mod && (key === "Home" || key === "End");
  const target = indexAfterKey(key, cursor.column, columnCount, { isHorizontal: true, pageItems: 0 });
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
