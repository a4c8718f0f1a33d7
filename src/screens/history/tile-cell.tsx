import { clsx } from "clsx";
import { Star } from "lucide-react";
import type { MouseEvent } from "react";
import { statusWords } from "#jobs/status-words.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { entryName } from "./entry-name.ts";
import { GridCell } from "./grid-table.tsx";
import type { HistoryEntry } from "./history-entry.ts";
import { JobLink } from "./job-link.tsx";
import { JobTile } from "./job-tile.tsx";
import { CAPTION_HEIGHT, type TileBox } from "./list-layout.ts";
import { RehostButton } from "./rehost-button.tsx";
import { OWN_ALIGN } from "./table-head.tsx";
import { canRehost } from "./use-rehost.ts";

interface TileCellProps {
  id: string;
  entry: HistoryEntry;
  box: TileBox;
  isActive: boolean;
  isSelected: boolean;
  isStarred: boolean;
  /** Something is selected: the checkboxes of all tiles show. */
  isSelecting: boolean;
  nowMs: number;
  isPassing: boolean;
  onPress: (event: MouseEvent) => void;
  onToggle: () => void;
}

/** A job in the grid: its picture, its words under it, and a checkbox in the corner. */
export function TileCell({
  id,
  entry,
  box,
  isActive,
  isSelected,
  isStarred,
  isSelecting,
  nowMs,
  isPassing,
  onPress,
  onToggle,
}: TileCellProps) {
  return (
    <GridCell
      id={id}
      aria-selected={isSelected}
      className={clsx(OWN_ALIGN, "group/tile absolute top-0 block p-0 [contain:layout_style]")}
      style={{ left: box.left, width: box.width, height: box.mediaHeight + CAPTION_HEIGHT }}
    >
      <div
        className={clsx(
          "rounded-md outline-2 outline-offset-2",
          isSelected ? "outline-accent" : "outline-transparent",
          isActive && !isSelected && "group-focus-visible/list:outline-ink-3",
          isActive && "group-focus-visible/list:outline-offset-4",
        )}
        style={{ height: box.mediaHeight }}
      >
        <JobLink entry={entry} onPress={onPress} className="block size-full cursor-pointer rounded-md">
          <span className="sr-only">{`${entryName(entry)}, ${statusWords(entry.status).word}`}</span>
          <JobTile entry={entry} nowMs={nowMs} isPassing={isPassing} />
        </JobLink>
      </div>
      <div className="flex gap-2.5 px-0.5 pt-[7px] text-[12.5px] leading-[18px]">
        <span aria-hidden className="min-w-0 flex-1 truncate">
          {entryName(entry)}
        </span>
        {isStarred && (
          <Star role="img" aria-label="Starred" className="mt-[3px] size-3 shrink-0 fill-current text-accent-text" />
        )}
        {box.width >= 190 && entry.prompt && (
          <span aria-hidden className="max-w-[45%] shrink-0 truncate text-ink-3">
            {entry.model}
          </span>
        )}
      </div>
      {!isPassing && canRehost(entry) && (
        <div
          className="pointer-events-none absolute inset-x-0 top-0 flex items-end justify-center pb-3 *:pointer-events-auto"
          style={{ height: box.mediaHeight }}
        >
          <RehostButton key={entry.requestId} entry={entry} size="sm" tabIndex={-1} />
        </div>
      )}
      <Checkbox
        tabIndex={-1}
        aria-label={`Select ${entryName(entry)}`}
        checked={isSelected}
        onChange={onToggle}
        className={clsx(
          "absolute! top-2.5 left-2.5 drop-shadow-[0_1px_3px_rgb(0_0_0/0.5)] transition-opacity",
          !isSelecting && "opacity-0 focus-within:opacity-100 group-hover/tile:opacity-100 pointer-coarse:opacity-100",
        )}
      />
    </GridCell>
  );
}
