import { clsx } from "clsx";

// Cells inherit `vertical-align` from their row unless told otherwise, and Chromium then keeps and searches one cached
// style for every place a row ever had: 40 ms a frame after ten thousand rows.
export const OWN_ALIGN = "align-middle";
const TEXT = clsx(OWN_ALIGN, "truncate text-left tabular-nums text-ink-2 max-lg:hidden");

/** The columns of the table: a line of every job has the same. */
export const TABLE_COLUMNS =
  "grid grid-cols-[32px_minmax(0,1fr)_104px] items-center gap-3 text-[12.5px] lg:grid-cols-[32px_minmax(0,1fr)_96px_minmax(90px,130px)_130px_56px_64px_64px] 2xl:grid-cols-[32px_minmax(0,1fr)_104px_minmax(90px,170px)_136px_64px_72px_64px_100px]";

/** How each cell of a column looks. */
export const CELL = {
  select: clsx(OWN_ALIGN, "grid place-items-center p-0"),
  prompt: clsx(OWN_ALIGN, "flex min-w-0 text-left items-center gap-2.5"),
  status: clsx(OWN_ALIGN, "min-w-0 truncate text-left"),
  model: TEXT,
  created: TEXT,
  duration: clsx(TEXT, "text-right!"),
  price: clsx(TEXT, "text-right!"),
  kept: clsx(TEXT, "text-right!"),
  id: clsx(OWN_ALIGN, "truncate text-left font-mono text-[11.5px] text-ink-3 max-2xl:hidden"),
};

const HEADS = [
  ["prompt", "Prompt"],
  ["status", "Status"],
  ["model", "Model"],
  ["created", "Created"],
  ["duration", "Took"],
  ["price", "Price"],
  ["kept", "Kept"],
  ["id", "Id"],
] as const;

/** The heading line of the table; it stays in sight. */
export function TableHead() {
  return (
    <thead className="block">
      <tr
        aria-rowindex={1}
        className={clsx(TABLE_COLUMNS, "sticky top-0 z-10 h-9 border-line border-b bg-canvas font-medium")}
      >
        <th scope="col" className={CELL.select}>
          <span className="sr-only">Select</span>
        </th>
        {HEADS.map(([name, label]) => (
          <th key={name} scope="col" className={clsx(CELL[name], "font-sans! text-[12.5px]! text-ink-3!")}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
  );
}
