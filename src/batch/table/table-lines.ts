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
import type { BatchDocument } from "../batch-document.ts";

/** Heights in pixels. */
export const ROW_HEIGHT = 34;
export const GROUP_HEIGHT = 31;

/** A line of the table: the heading of a group, or a run. */
export type TableLine =
  | { kind: "group"; key: string; group: BatchGroup; views: readonly ItemView[]; isOpen: boolean }
  | RunLine;

export interface RunLine {
  kind: "run";
  key: string;
  view: ItemView;
  filter: RowFilter;
  number: number;
}

export interface TableLines {
  lines: readonly TableLine[];
  /** Runs by filter, whatever is shown. */
  counts: Readonly<Record<RowFilter | "all", number>>;
}

/** Whether a row can be run is not known: it is as one whose price is. */
const UNCHECKED: Price = { state: "pricing" };

/**
 * The lines of a table: groups in the order of their first run, each with its runs. Numbers are positions in the batch, and stay
 * the same under a filter.
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
    const filter = filterOf(view, problems.has(item.id), price);
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
    const fitting = show === undefined ? shown : shown.filter(({ filter }) => filter === show);
    if (fitting.length === 0) continue;
    lines.push({ kind: "group", key: `group ${id}`, group, views: runs.map(({ view }) => view), isOpen });
    if (isOpen) lines.push(...fitting);
  }
  return { lines, counts };
}

/** Where lines stand, for the keys of the table. Headings of groups can be reached, and are not selected. */
export function tablePositions(lines: readonly TableLine[]): GridPositions {
  const runs = lines.flatMap((line) => (line.kind === "run" ? line.key : []));
  return createGridPositions(
    lines.map(({ kind, key }) => ({ cells: [key], height: kind === "group" ? GROUP_HEIGHT : ROW_HEIGHT })),
    runs,
    true,
  );
}

/** The look of the dot before a filter or a status: a tone, or an outline for what was not submitted. */
export type RowTone = StatusTone | "outline";

/** A row is shown by what became of its run; a draft, by whether it could be run. */
export type RowFilter = Exclude<RunPhase, "draft"> | "ready" | "pricing" | "attention";

interface RowFilterLook {
  name: RowFilter;
  label: string;
  tone: RowTone;
}

/** What the table can be filtered by, in the order of the line above it. */
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

/** Which filter shows a row. A row is in exactly one. */
function filterOf({ state }: ItemView, hasProblem: boolean, price: Price): RowFilter {
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
