import { clsx } from "clsx";

const TEXT = "truncate text-left tabular-nums text-ink-2 max-lg:hidden";

/** The columns of the table: a line of every job has the same. */
export const TABLE_COLUMNS =
  "grid grid-cols-[32px_minmax(0,1fr)_104px] items-center gap-3 text-[12.5px] lg:grid-cols-[32px_minmax(0,1fr)_104px_minmax(90px,170px)_136px_64px_72px_64px] xl:grid-cols-[32px_minmax(0,1fr)_104px_minmax(90px,170px)_136px_64px_72px_64px_100px]";

/** How each cell of a column looks. */
export const CELL = {
  select: "grid place-items-center p-0",
  prompt: "flex min-w-0 text-left items-center gap-2.5",
  status: "min-w-0 truncate text-left",
  model: TEXT,
  created: TEXT,
  duration: clsx(TEXT, "text-right!"),
  price: clsx(TEXT, "text-right!"),
  kept: clsx(TEXT, "text-right!"),
  id: "truncate text-left font-mono text-[11.5px] text-ink-3 max-xl:hidden",
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
