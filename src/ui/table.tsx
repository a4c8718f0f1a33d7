import { clsx } from "clsx";
import type { ComponentProps, CSSProperties, ReactNode } from "react";

/** A column of a table: its head, and what it shows of each row. */
export interface TableColumn<Row> {
  /** What screen readers say for the column; shown at its head, unless `head` is given. */
  name: string;
  /** A key of its own, where two columns may have one name. */
  key?: string;
  head?: ReactNode;
  cell: (row: Row, at: number) => ReactNode;
  /** The cells of this column name their rows. */
  isRowHeader?: boolean;
  /** The column has numbers, which are aligned at the right. */
  isNumeric?: boolean;
  /** The class of the head and of all cells: widths, and what a phone leaves out. */
  className?: string;
  /** The class of one cell. */
  cellClass?: (row: Row, at: number) => string | undefined;
}

interface TableProps<Row> {
  /** For screen readers only; where a visible heading stands beside the table, it is not needed. */
  caption?: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  /** A key of the row that no other row has. */
  keyOf: (row: Row, at: number) => string | number;
  /** Replaces the usual look of a row: a line above it, and cells that begin at its top. */
  rowClass?: (row: Row) => string;
  /** Widths come from the columns' classes instead of from their content. */
  isFixed?: boolean;
  /** The heads are for screen readers only. */
  hasHiddenHead?: boolean;
  /** The caller sets the height of rows, so cells have hardly any padding above and below. */
  isDense?: boolean;
  /** For a part that scrolls: the heads and the column that names the rows stay in view. */
  isSticky?: boolean;
}

/** A plain table to be read, with all of its rows on the page. For a long table, or one to select from, use `GridTable`. */
export function Table<Row>(props: TableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    keyOf,
    rowClass,
    isFixed = false,
    hasHiddenHead = false,
    isDense = false,
    isSticky = false,
  } = props;
  const padding = (column: TableColumn<Row>) =>
    clsx(
      isDense ? "py-0.5" : "py-1.5",
      isSticky ? "px-1.5 first:ps-2.5 last:pe-2.5" : "px-1.5 first:ps-0 last:pe-0",
      column.isNumeric && "text-end tabular-nums",
      column.className,
    );
  const stuck = (column: TableColumn<Row>) => isSticky && column.isRowHeader && "sticky start-0 bg-panel";
  return (
    <table className={clsx("w-full border-collapse text-left text-sm", isFixed && "table-fixed")}>
      {caption !== undefined && <caption className="sr-only">{caption}</caption>}
      <thead className={clsx("text-ink-3", isSticky && "sticky top-0 z-1 bg-panel")}>
        <tr>
          {columns.map((column) => (
            <th
              key={column.key ?? column.name}
              scope="col"
              className={clsx(
                "align-bottom font-normal",
                hasHiddenHead ? ["h-0 p-0", column.className] : [padding(column), stuck(column)],
              )}
            >
              {hasHiddenHead ? <span className="sr-only">{column.name}</span> : (column.head ?? column.name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr
            key={keyOf(row, at)}
            className={rowClass?.(row) ?? clsx("border-line border-t align-top", hasHiddenHead && "first:border-t-0")}
          >
            {columns.map((column) => {
              const look = clsx(padding(column), stuck(column), column.cellClass?.(row, at));
              return column.isRowHeader ? (
                <th key={column.key ?? column.name} scope="row" className={clsx("font-normal", look)}>
                  {column.cell(row, at)}
                </th>
              ) : (
                <td key={column.key ?? column.name} className={look}>
                  {column.cell(row, at)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A column of a `GridTable`. */
export interface GridColumn {
  key: string;
  head: ReactNode;
  /** A width of `grid-template-columns`. */
  width: string;
  headClass?: string;
}

interface GridTableProps extends Omit<ComponentProps<"table">, "role" | "style"> {
  label: string;
  /** Its head, which stays in sight. A grid of tiles has none. */
  columns?: readonly GridColumn[] | undefined;
  headClass?: string;
  /** The class of the line of heads. */
  headLineClass?: string;
  /** How many lines there are, whether they are rendered or not. */
  lineCount: number;
  /** The height of all lines, in pixels. */
  height: number;
  /** The id of the active cell's element; undefined while it is not rendered. */
  activeCell: string | undefined;
  /** The lines that are rendered: each a `tr` with the class `GRID_LINE` and what `placeLine` gives. */
  children: ReactNode;
}

/**
 * A long table that things are selected from, or a grid of tiles, with only the lines near those in sight on the page: see
 * `use-list-window.ts`. It is one stop of the Tab key and names its active cell: see `grid-cursor.ts` for its keys. Lines that
 * show its columns have the class `grid-cols-(--columns)`.
 */
export function GridTable(props: GridTableProps) {
  const { label, columns, headClass, headLineClass, lineCount, height, activeCell, children, ...rest } = props;
  // The element is a table, which has rows and cells, and its role is a grid. The attributes are spread, because the linter
  // reports the two on one element.
  const grid = { role: "grid", "aria-multiselectable": true, "aria-activedescendant": activeCell, tabIndex: 0 };
  return (
    <table
      {...grid}
      aria-label={label}
      aria-rowcount={lineCount + (columns ? 1 : 0)}
      {...rest}
      style={columns && ({ "--columns": columns.map(({ width }) => width).join(" ") } as CSSProperties)}
    >
      {columns && (
        <thead className={clsx("sticky top-0 z-20 block bg-canvas", headClass)}>
          <tr aria-rowindex={1} className={clsx("grid grid-cols-(--columns) border-line border-b", headLineClass)}>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={column.headClass}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody className="relative block transition-none" style={{ height }}>
        {children}
      </tbody>
    </table>
  );
}

/** The class of each line of a `GridTable`. */
export const GRID_LINE = "absolute inset-x-0 top-0";

export type LinePlace = Pick<ComponentProps<"tr">, "aria-rowindex" | "style">;

/**
 * Attributes of a line: its index among all lines, its distance from the first one's top and its height, both in pixels. The
 * line is moved by a transform: an element that is reused for another line does not count as a layout shift.
 */
export const placeLine = (at: number, top: number, height: number, hasHead = true): LinePlace => ({
  "aria-rowindex": at + (hasHead ? 2 : 1),
  style: { transform: `translateY(${top}px)`, height },
});
