/** A column of the table; the job with its prompt and its status is always there. */
export type ColumnName = "status" | "created" | "price" | "model" | "expires" | "duration" | "id";

export interface TableColumns {
  /** Which there is room for, in their order on the screen. */
  names: readonly ColumnName[];
  /** For `grid-template-columns`: the checkbox and the prompt come first. */
  template: string;
}

interface Column {
  name: ColumnName;
  /** Its width, and where there is much room. */
  width: string;
  wide?: string;
  /** From this width of the list on, in pixels: the most important columns come first. */
  from: number;
}

const COLUMNS: readonly Column[] = [
  { name: "status", width: "100px", wide: "120px", from: 0 },
  { name: "model", width: "minmax(90px,140px)", wide: "minmax(140px,240px)", from: 860 },
  { name: "created", width: "132px", wide: "160px", from: 640 },
  { name: "duration", width: "56px", wide: "80px", from: 1040 },
  { name: "price", width: "72px", wide: "96px", from: 640 },
  { name: "expires", width: "68px", wide: "88px", from: 760 },
  { name: "id", width: "120px", wide: "minmax(140px,300px)", from: 1300 },
];
const WIDE = 1600;

/** The columns that a list of so many pixels has room for, with half of it or 230 pixels at least for the prompt. Pure. */
export function tableColumns(width: number): TableColumns {
  const columns = COLUMNS.filter(({ from }) => width >= from);
  const widths = columns.map((column) => (width >= WIDE && column.wide) || column.width);
  return { names: columns.map(({ name }) => name), template: ["32px", "minmax(0,1fr)", ...widths].join(" ") };
}
