import { clsx } from "clsx";
import type { CSSProperties, MouseEvent, ReactNode } from "react";
import { formatElapsed } from "#lib/time.ts";
import { type Deletion, deletionText, useDeletion } from "#media/deleted-media.ts";
import { retentionClass } from "#media/retention.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { canRehost, RehostButton } from "#results/reuse/rehost-button.tsx";
import { filesDaysLeft, jobName } from "#runs/job-facts.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { JobPrice } from "#runs/prices/job-price.tsx";
import { type JobRecord, tookMs } from "#storage/job-records.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { Time } from "#ui/time.tsx";
import { JobLink, OWN_ALIGN, useSettled } from "./job-tile.tsx";
import type { ColumnName, TableColumns } from "./list-layout.ts";

interface JobRowProps {
  id: string;
  entry: JobRecord;
  isActive: boolean;
  isSelected: boolean;
  rowIndex: number;
  place: CSSProperties;
  columns: TableColumns;
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
  rowIndex,
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
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      className={clsx(
        LINE,
        "absolute inset-x-0 top-0 border-line [contain:strict] border-b hover:bg-raised",
        isSelected && "bg-accent-soft hover:bg-accent-soft",
        isActive && "-outline-offset-2 group-focus-visible/list:outline-2 group-focus-visible/list:outline-focus",
      )}
      style={{ ...place, gridTemplateColumns: columns.template }}
    >
      <td className={CELL.select}>
        {isSettled && (
          <Checkbox tabIndex={-1} aria-label={`Select ${jobName(entry)}`} checked={isSelected} onChange={onToggle} />
        )}
      </td>
      <td className={CELL.prompt}>
        <span className="relative block h-8 w-11 shrink-0 overflow-hidden rounded-[4px] bg-raised">
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
          className="min-w-0 flex-1 truncate py-[13px] leading-[18px] hover:underline"
        >
          {jobName(entry)}
        </JobLink>
        {isSettled && canRehost(entry) && (
          <RehostButton job={entry} size="sm" tabIndex={-1} className="mr-2 max-sm:hidden pointer-coarse:min-h-8!" />
        )}
      </td>
      {isSettled && <JobFacts names={columns.names} entry={entry} deletion={deletion} nowMs={nowMs} />}
    </tr>
  );
}

function deletionWord({ isConfirmed, isUnderWay }: Deletion): string {
  if (isUnderWay) return "deleting";
  return isConfirmed ? "deleted" : "deleted?";
}

interface JobFactsProps {
  names: readonly ColumnName[];
  entry: JobRecord;
  deletion: Deletion | undefined;
  nowMs: number;
}

// Not while a row is only scrolled past: to lay out eight more texts costs more than all the rest of a row.
function JobFacts({ names, entry, deletion, nowMs }: JobFactsProps) {
  const took = tookMs(entry);
  const days = filesDaysLeft(entry, nowMs);
  const facts: Record<ColumnName, ReactNode> = {
    status: <JobStatus status={entry.status} />,
    model: entry.model ?? "—",
    created: entry.createdAtSeconds === undefined ? "—" : <Time seconds={entry.createdAtSeconds} />,
    duration: took === undefined ? "—" : formatElapsed(took),
    price: hasPrice(entry) ? <JobPrice job={entry} /> : "—",
    expires: deletion ? deletionWord(deletion) : expiryText(days),
    id: entry.requestId,
  };
  return names.map((name) =>
    name === "expires" ? (
      <td key={name} className={clsx(CELL.expires, retentionClass(days))} title={deletion && deletionText(deletion)}>
        {facts.expires}
      </td>
    ) : (
      <td key={name} className={CELL[name]}>
        {facts[name]}
      </td>
    ),
  );
}

const hasPrice = ({ priceMicroUsd, estimatedMicroUsd }: JobRecord) =>
  priceMicroUsd !== undefined || estimatedMicroUsd !== undefined;

const TEXT = clsx(OWN_ALIGN, "truncate text-left tabular-nums text-ink-2");

/** A line of the table; its columns are those of `tableColumns`. */
const LINE = "grid items-center gap-3 pe-2 text-[12.5px]";

/** How each cell of a column looks. */
const CELL = {
  select: clsx(OWN_ALIGN, "grid place-items-center p-0"),
  prompt: clsx(OWN_ALIGN, "flex min-w-0 text-left items-center gap-2.5"),
  status: clsx(OWN_ALIGN, "min-w-0 truncate text-left"),
  model: TEXT,
  created: TEXT,
  duration: clsx(TEXT, "text-right!"),
  price: clsx(TEXT, "text-right!"),
  expires: clsx(TEXT, "text-right!"),
  id: clsx(OWN_ALIGN, "truncate text-left font-mono text-[11.5px] text-ink-3"),
};

const HEADS: Record<ColumnName, string> = {
  status: "Status",
  model: "Model",
  created: "Created",
  duration: "Took",
  price: "Price",
  expires: "Expires",
  id: "Job ID",
};

/** The heading line of the table; it stays in sight. */
export function TableHead({ columns }: { columns: TableColumns }) {
  const look = "font-sans! text-[12.5px]! text-ink-3!";
  return (
    <thead className="block">
      <tr
        aria-rowindex={1}
        style={{ gridTemplateColumns: columns.template }}
        className={clsx(LINE, "sticky top-0 z-10 h-9 short:static border-line border-b bg-canvas font-medium")}
      >
        <th scope="col" className={CELL.select}>
          <span className="sr-only">Select</span>
        </th>
        <th scope="col" className={clsx(CELL.prompt, look)}>
          Prompt
        </th>
        {columns.names.map((name) => (
          <th key={name} scope="col" className={clsx(CELL[name], look)}>
            {HEADS[name]}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Days left in a table cell. */
function expiryText(days: number | undefined): string {
  if (days === undefined) return "—";
  if (days <= 0) return "expired";
  return days === 1 ? "1 day" : `${days} days`;
}
