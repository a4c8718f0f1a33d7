import { clsx } from "clsx";
import { Images, Star } from "lucide-react";
import { type MouseEvent, useState } from "react";
import { endCharge, jobCharge } from "#api/charge-words.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { retentionTone } from "#media/retention.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { canRehost, INPUT_REFUSED, RehostButton } from "#results/reuse/rehost-button.tsx";
import { endReason, filesDaysLeft, jobName } from "#runs/job-facts.ts";
import { promptOf } from "#runs/job-inputs.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { statusWords } from "#runs/status-words.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { Pill } from "#ui/indicators.tsx";
import { GridCell, JobLink, OWN_ALIGN, useSettled } from "./job-cell.tsx";
import { CAPTION_HEIGHT, type TileBox } from "./list-layout.ts";

interface JobTileProps {
  id: string;
  entry: JobRecord;
  box: TileBox;
  isActive: boolean;
  isSelected: boolean;
  isStarred: boolean;
  /** Something is selected: the checkboxes of all tiles show. */
  isSelecting: boolean;
  nowMs: number;
  isScrollingFast: boolean;
  onPress: (event: MouseEvent) => void;
  onToggle: () => void;
}

/** A job in the grid: its picture, its words under it, and a checkbox in the corner. */
export function JobTile({
  id,
  entry,
  box,
  isActive,
  isSelected,
  isStarred,
  isSelecting,
  nowMs,
  isScrollingFast,
  onPress,
  onToggle,
}: JobTileProps) {
  // A tile that is scrolled past is its box and its name: it is another job's in the next frame, and what stands in it at
  // other places would count as moved.
  const isSettled = useSettled(entry.requestId, isScrollingFast);
  return (
    <GridCell
      id={id}
      aria-selected={isSelected}
      className={clsx(OWN_ALIGN, "group/tile absolute top-0 left-0 block p-0 [contain:layout_style]")}
      style={{ transform: `translateX(${box.left}px)`, width: box.width, height: box.mediaHeight + CAPTION_HEIGHT }}
    >
      <div
        className={clsx(
          "rounded-md outline-offset-2",
          // Forced colours would show an outline that is only transparent.
          isSelected && "outline-2 outline-accent",
          isActive && !isSelected && "group-focus-visible/list:outline-2 group-focus-visible/list:outline-ink-3",
          isActive && "group-focus-visible/list:outline-offset-4",
        )}
        style={{ height: box.mediaHeight }}
      >
        <JobLink entry={entry} onPress={onPress} className="block size-full cursor-pointer rounded-md">
          <span className="sr-only">{`${jobName(entry)}, ${statusWords(entry.status).word}`}</span>
          <TilePicture entry={entry} nowMs={nowMs} isSettled={isSettled} />
        </JobLink>
      </div>
      <div
        className="absolute top-0 left-0 flex w-full gap-2.5 px-0.5 pt-[7px] text-[12.5px] leading-[18px]"
        style={{ transform: `translateY(${box.mediaHeight}px)` }}
      >
        <span aria-hidden dir="auto" className="min-w-0 flex-1 truncate text-left">
          {jobName(entry)}
        </span>
        {isSettled && isStarred && (
          <Star role="img" aria-label="Starred" className="mt-[3px] size-3 shrink-0 fill-current text-accent-text" />
        )}
        {isSettled && box.width >= 190 && promptOf(entry) && (
          <span aria-hidden className="max-w-[45%] shrink-0 truncate text-ink-3">
            {visibleLine(entry.model ?? "")}
          </span>
        )}
      </div>
      {isSettled && canRehost(entry) && (
        <div
          className="pointer-events-none absolute inset-x-0 top-0 flex items-end justify-center pb-3 *:pointer-events-auto"
          style={{ height: box.mediaHeight }}
        >
          <RehostButton job={entry} size="sm" tabIndex={-1} />
        </div>
      )}
      {isSettled && (
        <Checkbox
          tabIndex={-1}
          aria-label={`Select ${jobName(entry)}`}
          checked={isSelected}
          onChange={onToggle}
          className={clsx(
            "absolute! top-2.5 left-2.5 drop-shadow-[0_1px_3px_rgb(0_0_0/0.5)] transition-opacity",
            !isSelecting &&
              "opacity-0 focus-within:opacity-100 group-hover/tile:opacity-100 pointer-coarse:opacity-100",
          )}
        />
      )}
    </GridCell>
  );
}

interface TilePictureProps {
  entry: JobRecord;
  nowMs: number;
  isSettled: boolean;
}

/** The picture of a job in the grid: its first file, or its status where there is none. */
function TilePicture({ entry, nowMs, isSettled }: TilePictureProps) {
  const [isHovered, setIsHovered] = useState(false);
  const isDeleted = useIsMediaDeleted(entry.requestId);
  const first = entry.media[0];
  const isRefused = isSettled && !first && canRehost(entry);
  const charge = endCharge(entry) && jobCharge(entry);
  const reason = isRefused ? INPUT_REFUSED : endReason(entry);
  return (
    <span
      className={clsx(
        "relative block size-full overflow-hidden rounded-md",
        first ? "bg-hover" : "border border-line bg-panel",
      )}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
    >
      {!isSettled ? null : first ? (
        <>
          <CachedThumb
            key={first.url}
            item={first}
            alt=""
            createdAtSeconds={entry.createdAtSeconds}
            isDeleted={isDeleted}
            isHovered={isHovered}
          />
          {!isDeleted && <RetentionPill entry={entry} nowMs={nowMs} className="absolute bottom-2 left-2" />}
          {entry.media.length > 1 && (
            <Pill overMedia className="absolute right-2 bottom-2">
              <Images aria-hidden className="size-3.5" />
              {entry.media.length}
            </Pill>
          )}
        </>
      ) : (
        <span
          className={clsx(
            "flex size-full flex-col items-center justify-center gap-2 p-3 text-center",
            // Room for the button that the cell puts over it: a link must not hold a button.
            isRefused && "pb-12! pointer-coarse:pb-14!",
          )}
        >
          <JobStatus status={entry.status} />
          {reason && <span className="wrap-anywhere line-clamp-3 text-balance text-[12.5px] text-ink-2">{reason}</span>}
          {charge && <span className="text-[12.5px] text-ink-3">{charge}</span>}
        </span>
      )}
    </span>
  );
}

interface RetentionPillProps {
  entry: JobRecord;
  nowMs: number;
  className?: string;
}

/** On a picture: the days until the files of a job expire, from 14 on (spec 8: 60 days). */
function RetentionPill({ entry, nowMs, className }: RetentionPillProps) {
  const days = filesDaysLeft(entry, nowMs);
  const tone = days === undefined ? "fine" : retentionTone(days);
  if (tone === "fine" || tone === "over") return null;
  // Over a picture the ground is dark in both themes, so the colours are those of the dark one.
  const color = tone === "last" ? "text-[oklch(0.78_0.14_25)]!" : "text-[oklch(0.85_0.15_95)]!";
  return (
    <Pill overMedia className={clsx(color, "bg-black/80!", className)}>
      {days === 1 ? "1 day left" : `${days} days left`}
    </Pill>
  );
}
