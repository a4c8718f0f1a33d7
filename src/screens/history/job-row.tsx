import { clsx } from "clsx";
import type { CSSProperties, MouseEvent } from "react";
import { JobStatus } from "#jobs/job-status.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { formatDateTime, formatElapsed } from "#lib/time.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { MediaThumb } from "#media/media-thumb.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { expiryText, keptDays, tookMs } from "./entry-facts.ts";
import { entryName } from "./entry-name.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { JobLink } from "./job-link.tsx";
import { RehostButton } from "./rehost-button.tsx";
import { retentionClass } from "./retention-class.ts";
import { CELL, TABLE_COLUMNS } from "./table-head.tsx";
import { canRehost } from "./use-rehost.ts";
import { useSettled } from "./use-settled.ts";

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
  const isDeleted = useIsMediaDeleted(entry.requestId);
  const first = entry.media[0];
  return (
    <tr
      id={id}
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      className={clsx(
        TABLE_COLUMNS,
        "absolute inset-x-0 border-line [contain:strict] border-b hover:bg-raised",
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
              isDeleted={isDeleted}
              isSmall
            />
          )}
        </span>
        <JobLink entry={entry} onPress={onPress} className="min-w-0 flex-1 truncate hover:underline">
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
      {isSettled && <JobFacts entry={entry} isDeleted={isDeleted} nowMs={nowMs} />}
    </tr>
  );
}

// Not while a row is only scrolled past: to lay out eight more texts costs more than all the rest of a row.
function JobFacts({ entry, isDeleted, nowMs }: { entry: HistoryEntry; isDeleted: boolean; nowMs: number }) {
  const took = tookMs(entry);
  const days = keptDays(entry, nowMs);
  return (
    <>
      <td className={CELL.status}>
        <JobStatus status={entry.status} />
      </td>
      <td className={CELL.model}>{entry.model ?? "–"}</td>
      <td className={CELL.created}>
        {entry.createdAtSeconds === undefined ? "–" : formatDateTime(entry.createdAtSeconds)}
      </td>
      <td className={CELL.duration}>{took === undefined ? "–" : formatElapsed(took)}</td>
      <td className={CELL.price}>{entry.priceMicroUsd === undefined ? "–" : formatMicroUsd(entry.priceMicroUsd)}</td>
      <td className={clsx(CELL.kept, !isDeleted && retentionClass(days))}>
        {isDeleted ? "deleted" : expiryText(days)}
      </td>
      <td className={CELL.id}>{entry.requestId}</td>
    </>
  );
}
