import { clsx } from "clsx";
import type { CSSProperties, MouseEvent } from "react";
import { jobCharge } from "#api/charge-words.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { canRehost, INPUT_REFUSED, RehostButton } from "#results/reuse/rehost-button.tsx";
import { useReuse } from "#results/reuse/use-reuse.ts";
import { endReason, jobName } from "#runs/job-facts.ts";
import { JobPrice } from "#runs/prices/job-price.tsx";
import { statusWords } from "#runs/status-words.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import { GridCell, JobLink, OWN_ALIGN, useSettled } from "../job-cell.tsx";

interface EndedLineProps {
  id: string;
  entry: JobRecord;
  isActive: boolean;
  isSelected: boolean;
  /** Something is selected: the checkboxes of all jobs show. */
  isSelecting: boolean;
  /** The first and the last line of a day have round corners. */
  isFirst: boolean;
  isLast: boolean;
  rowIndex: number;
  place: CSSProperties;
  /** Pixels, without the room below the last line. */
  height: number;
  isScrollingFast: boolean;
  onPress: (event: MouseEvent) => void;
  onToggle: () => void;
}

/** A job that ended without a result, in the grid: what happened, what it means for the charge, and the next act. */
export function EndedLine({ entry, isActive, isSelected, isSelecting, isFirst, isLast, ...props }: EndedLineProps) {
  const isSettled = useSettled(entry.requestId, props.isScrollingFast);
  const { word, tone } = statusWords(entry.status);
  const isHidden = !isSelecting && !isSelected;
  const text = isSettled && endText(entry);
  return (
    <tr aria-rowindex={props.rowIndex} className="absolute inset-x-0 top-0 block" style={props.place}>
      <GridCell
        id={props.id}
        aria-selected={isSelected}
        className={clsx(
          OWN_ALIGN,
          "group/tile relative grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 bg-panel py-0 pr-1.5 pl-3 text-left text-[12.5px] hover:bg-raised",
          "[contain:layout_style]",
          isFirst && "rounded-t-md",
          isLast && "rounded-b-md",
          isSelected && "bg-accent-soft hover:bg-accent-soft",
          isActive && "-outline-offset-2 group-focus-visible/list:outline-2 group-focus-visible/list:outline-focus",
        )}
        style={{ height: props.height }}
      >
        <span className="flex w-24 items-center gap-2 font-medium pointer-coarse:w-28">
          <span className="relative grid size-4 shrink-0 place-items-center">
            <span
              className={clsx(
                "grid",
                !isHidden && "opacity-0",
                isHidden && "group-hover/tile:opacity-0 pointer-coarse:opacity-0",
              )}
            >
              <StatusDot tone={tone} />
            </span>
            {isSettled && (
              <Checkbox
                tabIndex={-1}
                aria-label={`Select ${jobName(entry)}`}
                checked={isSelected}
                onChange={props.onToggle}
                className={clsx(
                  "absolute! inset-0 z-10",
                  isHidden &&
                    "opacity-0 focus-within:opacity-100 group-hover/tile:opacity-100 pointer-coarse:opacity-100",
                )}
              />
            )}
          </span>
          {/* Where the checkbox is always there, the dot stands beside it. */}
          <span className="hidden shrink-0 pointer-coarse:grid">
            <StatusDot tone={tone} />
          </span>
          <span className="truncate">{word}</span>
        </span>
        <span className="flex min-w-0 items-baseline gap-x-3 max-sm:flex-col max-sm:gap-0">
          <JobLink
            dir="auto"
            entry={entry}
            onPress={props.onPress}
            className="max-w-full shrink-0 truncate text-left after:absolute after:inset-0 sm:max-w-[55%]"
          >
            {jobName(entry)}
          </JobLink>
          {text && <span className="min-w-0 max-w-full truncate text-ink-3">{text}</span>}
        </span>
        {isSettled && <NextAct key={entry.requestId} entry={entry} isActive={isActive} />}
      </GridCell>
    </tr>
  );
}

/** Why a job has no result, and what is known of its charge. */
export function endText(entry: JobRecord): string {
  const said = canRehost(entry) ? INPUT_REFUSED : endReason(entry);
  const charge = jobCharge(entry);
  const reason = visibleLine(said ?? "", 300).trim();
  const sentence = reason === "" || /[.!?。！？…]$/u.test(reason) ? reason : `${reason}.`;
  return [sentence, charge && `${charge}.`].filter(Boolean).join(" ");
}

/** The one act of the line. Only the line that the keyboard is on has it in the order of Tab. */
function NextAct({ entry, isActive }: { entry: JobRecord; isActive: boolean }) {
  const reuse = useReuse();
  const tabIndex = isActive ? 0 : -1;
  const look = "relative z-10 max-sm:px-2!";
  if (canRehost(entry)) {
    return <RehostButton job={entry} variant="ghost" size="sm" tabIndex={tabIndex} className={look} />;
  }
  if (entry.model === undefined) return null;
  return (
    <Button
      variant="ghost"
      size="sm"
      tabIndex={tabIndex}
      title="Opens Create with the same settings. Nothing runs before you press Run there."
      className={look}
      onClick={() => reuse(entry, "all")}
    >
      Run again
      <span className="text-ink-3 tabular-nums max-sm:hidden">
        <JobPrice job={entry} />
      </span>
    </Button>
  );
}
