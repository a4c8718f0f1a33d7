// Which axes are columns and rows, which cell each run is in, and the lines that are drawn.

import { createGridPositions, type GridPositions } from "#ui/grid-cursor.ts";
import { type AxisValue, MODEL_AXIS, NO_AXIS, PROMPT_AXIS, SEED_AXIS, type SheetAxis } from "./sheet-axes.ts";

/** The axes of a sheet; undefined: no axis. */
export interface ChosenAxes {
  columns: SheetAxis | undefined;
  rows: SheetAxis | undefined;
}

export interface SheetRow {
  heading: AxisValue | undefined;
  /** One list of item ids for each column, in the order of the table. */
  cells: readonly (readonly string[])[];
}

export interface SheetLayout {
  /** Empty without an axis for columns: then each row has one cell. */
  columns: readonly AxisValue[];
  rows: readonly SheetRow[];
}

/** One line of cells as it is drawn. */
export interface SheetLine {
  /** The heading of the row; only its first line has it. */
  heading: AxisValue | undefined;
  /** The line is a heading above a group, without cells. */
  isGroup: boolean;
  /** Item ids; undefined: an empty cell. */
  cells: readonly (string | undefined)[];
}

/** An axis with more values is not chosen for columns by itself. */
const MAX_COLUMNS = 12;
/** If a smaller share of cells would have a run, the two axes do not belong together, as in a CSV of unrelated rows. */
const MIN_FILLED = 0.6;

/**
 * Chooses the axes of columns and rows: those of the address, else the usual ones. Models usually are columns and prompts rows;
 * runs that have little in common are a plain grid.
 */
export function chooseAxes(
  axes: readonly SheetAxis[],
  wanted: { columns?: string | undefined; rows?: string | undefined },
  count: number,
): ChosenAxes {
  const find = (id: string | undefined) => axes.find((axis) => axis.id === id);
  const isGiven = (id: string | undefined) => id !== undefined && (id === NO_AXIS || find(id) !== undefined);
  if (isGiven(wanted.columns) && isGiven(wanted.rows)) {
    const columns = find(wanted.columns);
    return { columns, rows: wanted.rows === wanted.columns ? undefined : find(wanted.rows) };
  }
  const usual = usualAxes(axes, count);
  if (isGiven(wanted.columns)) {
    const columns = find(wanted.columns);
    return { columns, rows: usual.rows === columns ? undefined : usual.rows };
  }
  if (isGiven(wanted.rows)) {
    const rows = find(wanted.rows);
    return { columns: usual.columns === rows ? undefined : usual.columns, rows };
  }
  return usual;
}

/** Columns: the model, else another parameter, else the seed. Rows: the first other axis with which enough cells are filled. */
function usualAxes(axes: readonly SheetAxis[], count: number): ChosenAxes {
  const few = axes.filter(({ values }) => values.length <= MAX_COLUMNS);
  // Undefined stands for any axis that is none of the named ones.
  const preferred = [MODEL_AXIS, undefined, SEED_AXIS];
  const columns = preferred
    .map((wanted) =>
      few.find(({ id }) => (wanted === undefined ? ![MODEL_AXIS, PROMPT_AXIS, SEED_AXIS].includes(id) : id === wanted)),
    )
    .find((axis) => axis !== undefined);
  if (!columns) return { columns: undefined, rows: undefined };
  const others = axes.filter((axis) => axis !== columns);
  const rows = others.find((axis) => {
    const filledShare = count / (columns.values.length * axis.values.length);
    return filledShare >= MIN_FILLED;
  });
  // A plain grid leaves runs in their order: where they share only their column, or each cell has a prompt of its own.
  const isMixed = others.some(({ id }) => id !== SEED_AXIS) && count > columns.values.length;
  const prompts = others.find(({ id }) => id === PROMPT_AXIS);
  const isPlain = rows ? prompts !== undefined && rows !== prompts : isMixed;
  return isPlain ? { columns: undefined, rows: undefined } : { columns, rows };
}

/** Sorts items into cells; each item is in exactly one. Values that no item has get no column or row. */
export function layoutSheet(ids: readonly string[], { columns, rows }: ChosenAxes): SheetLayout {
  const usedValues = (axis: SheetAxis | undefined): (AxisValue | undefined)[] => {
    if (!axis) return [undefined];
    const used = new Set(ids.map((id) => axis.valueIds.get(id)));
    return axis.values.filter(({ id }) => used.has(id));
  };
  const columnValues = usedValues(columns);
  const rowValues = usedValues(rows);
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
 * The lines of a sheet. With columns, a row has as many lines as its fullest cell has items. Without columns, `perLine` items are
 * side by side. `isGrouped`, for phones: headings stand above groups of lines with `perLine` items, instead of columns.
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

/** The axes on which the items of some cell still differ. A filter or a caption can tell these apart. */
export function innerAxes(axes: readonly SheetAxis[], layout: SheetLayout, chosen: ChosenAxes): SheetAxis[] {
  const cells = layout.rows.flatMap((row) => row.cells).filter(({ length }) => length > 1);
  return axes.filter(
    (axis) =>
      axis !== chosen.columns &&
      axis !== chosen.rows &&
      cells.some(([first, ...rest]) => rest.some((id) => axis.valueIds.get(id) !== axis.valueIds.get(first ?? ""))),
  );
}

/** The positions of items, for the arrow keys, which pass over headings of groups. */
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
