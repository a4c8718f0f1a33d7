import { clsx } from "clsx";
import type { MouseEvent, ReactNode } from "react";
import { counted } from "#lib/numbers.ts";
import { formatElapsed } from "#lib/time.ts";
import { type Deletion, deletionText, deletionWord, useDeletion } from "#media/deleted-media.ts";
import { retentionClass } from "#media/retention.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { canRehost, RehostButton } from "#results/reuse/rehost-button.tsx";
import { filesDaysLeft, jobName } from "#runs/job-facts.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { JobPrice } from "#runs/prices/job-price.tsx";
import { type JobRecord, tookMs } from "#storage/job-records.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { rem } from "#ui/rem.ts";
import { GRID_LINE, type GridColumn, type LinePlace } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { JobLink, OWN_ALIGN, useSettled } from "./job-tile.tsx";

interface JobRowProps {
  id: string;
  entry: JobRecord;
  isActive: boolean;
  isSelected: boolean;
  place: LinePlace;
  columns: JobColumns;
  nowMs: number;
  isScrollingFast: boolean;
  onPress: (event: MouseEvent) => void;
  onToggle: () => void;
}

/** A job as a line of the table. */
export function JobRow({
  id,
  entry,
  isActive,
  isSelected,
  place,
  columns,
  nowMs,
  isScrollingFast,
  onPress,
  onToggle,
}: JobRowProps) {
  const isSettled = useSettled(entry.requestId, isScrollingFast);
  const deletion = useDeletion(entry.requestId);
  const first = entry.media[0];
  return (
    <tr
      id={id}
      {...place}
      aria-selected={isSelected}
      className={clsx(
        GRID_LINE,
        TABLE_LINE,
        "grid grid-cols-(--columns) border-line [contain:strict] border-b hover:bg-raised",
        isSelected && "bg-accent-soft hover:bg-accent-soft",
        isActive && "-outline-offset-2 group-focus-visible/list:outline-2 group-focus-visible/list:outline-focus",
      )}
    >
      <td className={SELECT}>
        {isSettled && (
          <Checkbox tabIndex={-1} aria-label={`Select ${jobName(entry)}`} checked={isSelected} onChange={onToggle} />
        )}
      </td>
      <td className={PROMPT}>
        <span className="relative block h-8 w-11 shrink-0 overflow-hidden rounded-xs bg-raised">
          {first && isSettled && (
            <CachedThumb
              key={first.url}
              item={first}
              alt=""
              createdAtSeconds={entry.createdAtSeconds}
              isDeleted={deletion !== undefined}
              isSmall
            />
          )}
        </span>
        <JobLink
          dir="auto"
          entry={entry}
          onPress={onPress}
          className="min-w-0 flex-1 truncate py-3.25 leading-snug hover:underline"
        >
          {jobName(entry)}
        </JobLink>
        {isSettled && canRehost(entry) && (
          <RehostButton job={entry} size="sm" tabIndex={-1} className="mr-2 max-sm:hidden pointer-coarse:min-h-8!" />
        )}
      </td>
      {isSettled && <FactCells columns={columns.facts} entry={entry} deletion={deletion} nowMs={nowMs} />}
    </tr>
  );
}

/** What the cells of a row show. `deletion`: only for a job whose files were or are being deleted. */
interface JobFacts {
  entry: JobRecord;
  deletion: Deletion | undefined;
  /** The days until its files are deleted. */
  days: number | undefined;
}

interface FactColumn extends GridColumn {
  /** The width in a list of at least `rem(WIDE)` pixels. */
  wide?: string;
  /** The column shows in a list of at least `rem(from)` pixels. */
  from: number;
  className: string;
  cell: (facts: JobFacts) => ReactNode;
}

const HEAD = "font-sans! text-sm! text-ink-3!";
const TEXT = clsx(OWN_ALIGN, "truncate text-left tabular-nums text-ink-2");
const NUMBER = clsx(TEXT, "text-right!");
const SELECT = clsx(OWN_ALIGN, "grid place-items-center p-0");
const PROMPT = clsx(OWN_ALIGN, "flex min-w-0 text-left items-center gap-2.5");

/** The class of a line of the table, in addition to `GRID_LINE`. */
export const TABLE_LINE = "items-center gap-3 pe-2 text-sm";

/** The columns with facts of a job, in their order on the screen. */
const FACTS: readonly FactColumn[] = [
  {
    key: "status",
    head: "Status",
    width: "6.25rem",
    wide: "7.5rem",
    from: 240,
    className: clsx(OWN_ALIGN, "min-w-0 truncate text-left"),
    cell: ({ entry }) => <JobStatus status={entry.status} />,
  },
  {
    key: "model",
    head: "Model",
    width: "minmax(5.625rem,8.75rem)",
    wide: "minmax(8.75rem,15rem)",
    from: 860,
    className: TEXT,
    cell: ({ entry }) => entry.model ?? "—",
  },
  {
    key: "created",
    head: "Created",
    width: "9.25rem",
    wide: "10.75rem",
    from: 640,
    className: TEXT,
    cell: ({ entry }) => (entry.createdAtSeconds === undefined ? "—" : <Time seconds={entry.createdAtSeconds} />),
  },
  {
    key: "duration",
    head: "Run time",
    width: "4rem",
    wide: "5rem",
    from: 1040,
    className: NUMBER,
    cell({ entry }) {
      const took = tookMs(entry);
      return took === undefined ? "—" : formatElapsed(took);
    },
  },
  {
    key: "price",
    head: "Price",
    width: "4.5rem",
    wide: "6rem",
    from: 640,
    className: NUMBER,
    cell: ({ entry }) => (hasPrice(entry) ? <JobPrice job={entry} /> : "—"),
  },
  {
    key: "expires",
    head: "Expires",
    width: "4.25rem",
    wide: "5.5rem",
    from: 760,
    className: NUMBER,
    cell: ({ deletion, days }) => (deletion ? deletionWord(deletion) : expiryText(days)),
  },
  {
    key: "id",
    head: "Job ID",
    width: "7.5rem",
    wide: "minmax(8.75rem,18.75rem)",
    from: 1300,
    className: clsx(OWN_ALIGN, "truncate text-left font-mono text-xs text-ink-3"),
    cell: ({ entry }) => entry.requestId,
  },
];
const WIDE = 1600;

export interface JobColumns {
  /** All columns: the checkbox and the prompt, which are always there, and the facts. */
  all: readonly GridColumn[];
  facts: readonly FactColumn[];
}

/** The columns for a list of a width in pixels. Their `from` leaves the prompt half of it, or at least `rem(230)`. */
export function jobColumns(width: number): JobColumns {
  const facts = FACTS.filter(({ from }) => width >= rem(from)).map((column) => ({
    ...column,
    headClass: clsx(column.className, HEAD),
    width: (width >= rem(WIDE) && column.wide) || column.width,
  }));
  const select = { key: "select", head: <span className="sr-only">Select</span>, width: "2rem", headClass: SELECT };
  const prompt = { key: "prompt", head: "Prompt", width: "minmax(0,1fr)", headClass: clsx(PROMPT, HEAD) };
  return { all: [select, prompt, ...facts], facts };
}

// Not rendered while a row is scrolled past: to lay out its texts costs more than the rest of the row.
function FactCells({
  columns,
  nowMs,
  ...job
}: { columns: readonly FactColumn[]; nowMs: number } & Omit<JobFacts, "days">) {
  const facts = { ...job, days: filesDaysLeft(job.entry, nowMs) };
  return columns.map(({ key, className, cell }) => {
    const isExpiry = key === "expires";
    return (
      <td
        key={key}
        className={isExpiry ? clsx(className, retentionClass(facts.days)) : className}
        title={isExpiry && facts.deletion ? deletionText(facts.deletion) : undefined}
      >
        {cell(facts)}
      </td>
    );
  });
}

const hasPrice = ({ priceMicroUsd, estimatedMicroUsd }: JobRecord) =>
  priceMicroUsd !== undefined || estimatedMicroUsd !== undefined;

/** Days left in a table cell. */
function expiryText(days: number | undefined): string {
  if (days === undefined) return "—";
  if (days <= 0) return "expired";
  return counted(days, "day");
}
