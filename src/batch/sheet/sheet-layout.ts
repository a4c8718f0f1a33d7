import { createGridPositions, type GridPositions } from "#ui/grid-cursor.ts";
import { type AxisValue, MODEL_AXIS, NO_AXIS, PROMPT_AXIS, SEED_AXIS, type SheetAxis } from "./sheet-axes.ts";

/** The axes of a sheet; undefined: none here. */
export interface ChosenAxes {
  columns: SheetAxis | undefined;
  rows: SheetAxis | undefined;
}

export interface SheetRow {
  heading: AxisValue | undefined;
  /** The ids of the items of each column, in the order of the table. */
  cells: readonly (readonly string[])[];
}

export interface SheetLayout {
  /** Empty where the sheet has no columns by an axis: then each row has one cell. */
  columns: readonly AxisValue[];
  rows: readonly SheetRow[];
}

/** One line of cells as it is drawn. */
export interface SheetLine {
  /** The heading of the row, in its first line. */
  heading: AxisValue | undefined;
  /** The heading is a line of its own, above its group. */
  isGroup: boolean;
  /** Item ids; undefined is an empty place. */
  cells: readonly (string | undefined)[];
}

/** More values than this make headings that nobody reads. */
const MAX_COLUMNS = 12;
/** A smaller share of the cells is filled than this: the axes do not belong together, as in a CSV. */
const MIN_FILLED = 0.6;

/**
 * What columns and rows are: as the address says it, else what suits. Models stand beside each other and prompts below each
 * other; runs that have nothing in common are a plain grid.
 */
export function chooseAxes(
  axes: readonly SheetAxis[],
  wanted: { columns?: string | undefined; rows?: string | undefined },
  count: number,
): ChosenAxes {
  const find = (id: string | undefined) => axes.find((axis) => axis.id === id);
  const isSaid = (id: string | undefined) => id !== undefined && (id === NO_AXIS || find(id) !== undefined);
  if (isSaid(wanted.columns) && isSaid(wanted.rows)) {
    const columns = find(wanted.columns);
    return { columns, rows: wanted.rows === wanted.columns ? undefined : find(wanted.rows) };
  }
  const usual = usualAxes(axes, count);
  if (isSaid(wanted.columns)) {
    const columns = find(wanted.columns);
    return { columns, rows: usual.rows === columns ? undefined : usual.rows };
  }
  if (isSaid(wanted.rows)) {
    const rows = find(wanted.rows);
    return { columns: usual.columns === rows ? undefined : usual.columns, rows };
  }
  return usual;
}

function usualAxes(axes: readonly SheetAxis[], count: number): ChosenAxes {
  const few = axes.filter(({ values }) => values.length <= MAX_COLUMNS);
  const byColumn = [MODEL_AXIS, undefined, SEED_AXIS];
  const columns = byColumn
    .map((wanted) =>
      few.find(({ id }) => (wanted === undefined ? ![MODEL_AXIS, PROMPT_AXIS, SEED_AXIS].includes(id) : id === wanted)),
    )
    .find((axis) => axis !== undefined);
  if (!columns) return { columns: undefined, rows: undefined };
  const others = axes.filter((axis) => axis !== columns);
  const rows = others.find((axis) => {
    const filled = count / (columns.values.length * axis.values.length);
    return filled >= MIN_FILLED;
  });
  // Rows that share nothing but their columns, and prompts of their own in every cell, keep their order.
  const isMixed = others.some(({ id }) => id !== SEED_AXIS) && count > columns.values.length;
  const prompts = others.find(({ id }) => id === PROMPT_AXIS);
  const isPlain = rows ? prompts !== undefined && rows !== prompts : isMixed;
  return isPlain ? { columns: undefined, rows: undefined } : { columns, rows };
}

/** Items by columns and rows: every item is in exactly one cell. Values that no item has are left out. */
export function layoutSheet(ids: readonly string[], { columns, rows }: ChosenAxes): SheetLayout {
  const shown = (axis: SheetAxis | undefined): (AxisValue | undefined)[] => {
    if (!axis) return [undefined];
    const used = new Set(ids.map((id) => axis.valueIds.get(id)));
    return axis.values.filter(({ id }) => used.has(id));
  };
  const columnValues = shown(columns);
  const rowValues = shown(rows);
  const columnAt = new Map(columnValues.map((value, at) => [value?.id, at]));
  const rowAt = new Map(rowValues.map((value, at) => [value?.id, at]));
  const cells = rowValues.map(() => columnValues.map((): string[] => []));
  for (const id of ids) {
    const row = rowAt.get(rows?.valueIds.get(id)) ?? 0;
    const column = columnAt.get(columns?.valueIds.get(id)) ?? 0;
    cells[row]?.[column]?.push(id);
  }
  return {
    columns: columnValues.flatMap((value) => value ?? []),
    rows: ids.length === 0 ? [] : rowValues.map((heading, at) => ({ heading, cells: cells[at] ?? [] })),
  };
}

const chunks = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));

/**
 * The lines of a sheet. In columns, a cell is one line high for each item in it; without columns `perLine` items
 * stand side by side. `isGrouped`, for a phone: headings stand above groups, with `perLine` always in place of columns.
 */
export function sheetLines({ columns, rows }: SheetLayout, perLine: number, isGrouped = false): SheetLine[] {
  const inLine = (ids: readonly string[], heading?: AxisValue): SheetLine[] =>
    chunks(ids, perLine).map((line, at) => ({
      heading: at === 0 ? heading : undefined,
      isGroup: false,
      cells: Array.from({ length: perLine }, (_, place) => line[place]),
    }));
  const inGroup = (heading: AxisValue | undefined, ids: readonly string[]): SheetLine[] =>
    ids.length === 0 ? [] : [...(heading ? [{ heading, isGroup: true, cells: [] }] : []), ...inLine(ids)];
  if (isGrouped) {
    const [only] = rows;
    if (rows.length === 1 && only && only.heading === undefined && columns.length > 0) {
      return columns.flatMap((column, at) => inGroup(column, only.cells[at] ?? []));
    }
    return rows.flatMap(({ heading, cells }) => inGroup(heading, cells.flat()));
  }
  if (columns.length === 0) return rows.flatMap(({ heading, cells }) => inLine(cells[0] ?? [], heading));
  return rows.flatMap(({ heading, cells }) =>
    Array.from({ length: Math.max(1, ...cells.map(({ length }) => length)) }, (_, line) => ({
      heading: line === 0 ? heading : undefined,
      isGroup: false,
      cells: cells.map((ids) => ids[line]),
    })),
  );
}

/** The axes that still differ inside of cells: those that a filter or a caption tells apart. */
export function innerAxes(axes: readonly SheetAxis[], layout: SheetLayout, chosen: ChosenAxes): SheetAxis[] {
  const cells = layout.rows.flatMap((row) => row.cells).filter(({ length }) => length > 1);
  return axes.filter(
    (axis) =>
      axis !== chosen.columns &&
      axis !== chosen.rows &&
      cells.some(([first, ...rest]) => rest.some((id) => axis.valueIds.get(id) !== axis.valueIds.get(first ?? ""))),
  );
}

/** Where the items stand, for the keys of the sheet. Headings of groups are passed over. */
export function sheetPositions(
  lines: readonly SheetLine[],
  { hasColumns, heightOf }: { hasColumns: boolean; heightOf: (line: SheetLine) => number },
): GridPositions {
  const ids = lines.flatMap(({ cells }) => cells.flatMap((id) => id ?? []));
  return createGridPositions(
    lines.map((line) => ({ cells: line.isGroup ? [] : line.cells, height: heightOf(line) })),
    ids,
    hasColumns,
  );
}
