import { clsx } from "clsx";
import { Images, Star } from "lucide-react";
import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { endCharge, jobCharge } from "#api/charge-words.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { retentionTone } from "#media/retention.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { resultCommands } from "#results/commands.ts";
import { canRehost, INPUT_REFUSED, RehostButton } from "#results/reuse/rehost-button.tsx";
import { useReuse } from "#results/reuse/reuse-menu.tsx";
import { endReason, filesDaysLeft, jobName } from "#runs/job-facts.ts";
import { getPrompt } from "#runs/job-inputs.ts";
import { JobStatus } from "#runs/job-status.tsx";
import { JobPrice } from "#runs/prices/job-price.tsx";
import { statusWords } from "#runs/status-words.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Pill, StatusDot } from "#ui/indicators.tsx";
import { GRID_LINE, type LinePlace } from "#ui/table.tsx";
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

/** A job in the grid: its image, its words under it, and a checkbox in the corner. */
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
  // A tile that is scrolled past is its box and its name: it belongs to another job in the next frame, and elements that
  // stand elsewhere in that tile would count as layout shifts.
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
          // Forced colors would show an outline that is only transparent.
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
        className="absolute top-0 left-0 flex w-full gap-2.5 px-0.5 pt-1.75 text-sm leading-snug"
        style={{ transform: `translateY(${box.mediaHeight}px)` }}
      >
        <span aria-hidden dir="auto" className="min-w-0 flex-1 truncate text-left">
          {jobName(entry)}
        </span>
        {isSettled && isStarred && (
          <Star role="img" aria-label="Starred" className="mt-0.75 size-3 shrink-0 fill-current text-accent-text" />
        )}
        {isSettled && box.width >= 190 && getPrompt(entry) && (
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

/** The image of a job in the grid: its first file, or its status where there is none. */
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
              {formatNumber(entry.media.length)}
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
          {reason && <span className="wrap-anywhere line-clamp-3 text-balance text-sm text-ink-2">{reason}</span>}
          {charge && <span className="text-sm text-ink-3">{charge}</span>}
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

/** On an image: the days until the job's files expire, shown once they are few (spec 8: 60 days). */
function RetentionPill({ entry, nowMs, className }: RetentionPillProps) {
  const days = filesDaysLeft(entry, nowMs);
  if (days === undefined) return null;
  const tone = retentionTone(days);
  if (tone === "fine" || tone === "over") return null;
  // Over an image the ground is dark in both themes, so the colors are those of the dark one.
  const color = tone === "last" ? "text-[oklch(0.78_0.14_25)]!" : "text-[oklch(0.85_0.15_95)]!";
  return (
    <Pill overMedia className={clsx(color, "bg-black/80!", className)}>
      {`${counted(days, "day")} left`}
    </Pill>
  );
}

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
  place: LinePlace;
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
    <tr {...props.place} className={clsx(GRID_LINE, "block")}>
      <GridCell
        id={props.id}
        aria-selected={isSelected}
        className={clsx(
          OWN_ALIGN,
          "group/tile relative grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 bg-panel py-0 pr-1.5 pl-3 text-left text-sm hover:bg-raised",
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
          {/* On a touch screen the checkbox always shows in place of the dot, so a second dot stands beside it. */}
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
function endText(entry: JobRecord): string {
  const cause = canRehost(entry) ? INPUT_REFUSED : endReason(entry);
  const charge = jobCharge(entry);
  const reason = visibleLine(cause ?? "", 300).trim();
  const sentence = reason === "" || /[.!?。！？…]$/u.test(reason) ? reason : `${reason}.`;
  return [sentence, charge && `${charge}.`].filter(Boolean).join(" ");
}

/** The one act of the line. Tab reaches it only in the active line. */
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
      title="Opens these settings in Create. Nothing runs yet."
      className={look}
      onClick={() => reuse(entry, "all")}
    >
      {resultCommands.editAgain.label}
      <span className="text-ink-3 tabular-nums max-sm:hidden">
        <JobPrice job={entry} />
      </span>
    </Button>
  );
}

interface JobLinkProps {
  entry: JobRecord;
  onPress: (event: MouseEvent) => void;
  /** "auto" where the link is the job's prompt; an image with its badges does not turn with it. */
  dir?: "auto";
  className?: string;
  children: ReactNode;
}

/**
 * A link to a job's own page. The list handles a plain press; the middle button and the link menu work as on any link.
 * Not the router's `Link`: hundreds of those, each subscribed to the URL, cost most of a frame of scrolling.
 */
export function JobLink({ entry, onPress, dir, className, children }: JobLinkProps) {
  return (
    <a
      href={`/jobs/${encodeURIComponent(entry.requestId)}`}
      dir={dir}
      tabIndex={-1}
      draggable={false}
      className={className}
      onClick={(event) => {
        event.preventDefault();
        onPress(event);
      }}
    >
      {children}
    </a>
  );
}

/** Whether the list was at rest since this job came into this element. A job that is only scrolled past loads nothing. */
export function useSettled(requestId: string, isScrollingFast: boolean): boolean {
  const [settled, setSettled] = useState(isScrollingFast ? undefined : requestId);
  useEffect(() => {
    if (!isScrollingFast) setSettled(requestId);
  }, [requestId, isScrollingFast]);
  return !isScrollingFast || settled === requestId;
}

/**
 * Cells inherit `vertical-align` from their row unless they have their own, and Chromium then stores and searches one
 * cached style for every place a row ever had: 40 ms a frame after ten thousand rows.
 */
export const OWN_ALIGN = "align-middle";

/** A `td` that may have `aria-selected`, as in a grid; the linter does not see the grid around it. */
function GridCell(props: ComponentProps<"td">) {
  return <td {...props} />;
}
