import { clsx } from "clsx";
import type { CSSProperties, MouseEvent } from "react";
import { JobStatus } from "#jobs/job-status.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { formatElapsed } from "#lib/time.ts";
import { type Deletion, deletionText, useDeletion } from "#media/deleted-media.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Time } from "#ui/time.tsx";
import { entryName, expiryText, filesDaysLeft, type HistoryEntry, tookMs } from "./history-entry.ts";
import { JobLink, OWN_ALIGN, retentionClass, useSettled } from "./job-cell.tsx";
import { canRehost, RehostButton } from "./run-again.tsx";

interface JobRowProps {
  id: string;
  entry: HistoryEntry;
  isActive: boolean;
  isSelected: boolean;
  rowIndex: number;
  place: CSSProperties;
  nowMs: number;
  isPassing: boolean;
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
  nowMs,
  isPassing,
  onPress,
  onToggle,
}: JobRowProps) {
  const isSettled = useSettled(entry.requestId, isPassing);
  const deletion = useDeletion(entry.requestId);
  const first = entry.media[0];
  return (
    <tr
      id={id}
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      className={clsx(
        TABLE_COLUMNS,
        "absolute inset-x-0 top-0 border-line [contain:strict] border-b hover:bg-raised",
        isSelected && "bg-accent-soft hover:bg-accent-soft",
        isActive && "-outline-offset-2 group-focus-visible/list:outline-2 group-focus-visible/list:outline-focus",
      )}
      style={place}
    >
      <td className={CELL.select}>
        {isSettled && (
          <Checkbox tabIndex={-1} aria-label={`Select ${entryName(entry)}`} checked={isSelected} onChange={onToggle} />
        )}
      </td>
      <td className={CELL.prompt}>
        <span className="relative block h-8 w-11 shrink-0 overflow-hidden rounded-[4px] bg-raised">
          {first && isSettled && (
            <MediaThumb
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
          {entryName(entry)}
        </JobLink>
        {isSettled && canRehost(entry) && (
          <RehostButton
            key={entry.requestId}
            entry={entry}
            size="sm"
            tabIndex={-1}
            className="mr-2 max-sm:hidden pointer-coarse:min-h-8!"
          />
        )}
      </td>
      {isSettled && <JobFacts entry={entry} deletion={deletion} nowMs={nowMs} />}
    </tr>
  );
}

function keptText({ isConfirmed, isUnderWay }: Deletion): string {
  if (isUnderWay) return "deleting";
  return isConfirmed ? "deleted" : "deleted?";
}

// Not while a row is only scrolled past: to lay out eight more texts costs more than all the rest of a row.
function JobFacts({ entry, deletion, nowMs }: { entry: HistoryEntry; deletion: Deletion | undefined; nowMs: number }) {
  const took = tookMs(entry);
  const days = filesDaysLeft(entry, nowMs);
  return (
    <>
      <td className={CELL.status}>
        <JobStatus status={entry.status} />
      </td>
      <td className={CELL.model}>{entry.model ?? "—"}</td>
      <td className={CELL.created}>
        {entry.createdAtSeconds === undefined ? "—" : <Time seconds={entry.createdAtSeconds} />}
      </td>
      <td className={CELL.duration}>{took === undefined ? "—" : formatElapsed(took)}</td>
      <td className={CELL.price}>{entry.priceMicroUsd === undefined ? "—" : formatMicroUsd(entry.priceMicroUsd)}</td>
      <td className={clsx(CELL.kept, retentionClass(days))} title={deletion && deletionText(deletion)}>
        {deletion ? keptText(deletion) : expiryText(days)}
      </td>
      <td className={CELL.id}>{entry.requestId}</td>
    </>
  );
}

const TEXT = clsx(OWN_ALIGN, "truncate text-left tabular-nums text-ink-2 max-lg:hidden");

/** The columns of the table: a line of every job has the same. */
const TABLE_COLUMNS =
  "grid grid-cols-[32px_minmax(0,1fr)_104px] items-center gap-3 pe-2 text-[12.5px] lg:grid-cols-[32px_minmax(0,1fr)_96px_minmax(90px,130px)_130px_56px_64px_64px] 2xl:grid-cols-[32px_minmax(0,1fr)_104px_minmax(90px,170px)_136px_64px_72px_64px_100px]";

/** How each cell of a column looks. */
const CELL = {
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
  ["kept", "Expires"],
  ["id", "Job ID"],
] as const;

/** The heading line of the table; it stays in sight. */
export function TableHead() {
  return (
    <thead className="block">
      <tr
        aria-rowindex={1}
        className={clsx(TABLE_COLUMNS, "sticky top-0 z-10 h-9 short:static border-line border-b bg-canvas font-medium")}
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
