import { clsx } from "clsx";
import { Play } from "lucide-react";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { StatusBadge } from "#runs/job-status.tsx";
import { useRoom } from "#ui/use-room.ts";
import type { Strip } from "./strip.ts";

interface FilmstripProps {
  strip: Strip;
  /** The index of the item that is shown. */
  index: number;
  onPick: (index: number) => void;
}

/** From the left edge of one thumbnail to that of the next. CSS pixels. */
const PITCH = 76;
/** The width of a thumbnail. CSS pixels. */
const THUMB_WIDTH = 68;
/** Thumbnails rendered beyond each edge. */
const AHEAD = 4;
/** The strip glides over at most this distance; a longer move is made at once. CSS pixels. */
const MAX_GLIDE = 12 * PITCH;
const GLIDE_MS = 160;

/** Every file of the list in one row, the shown one always in the middle. Only what is in view is on the page. */
export function Filmstrip({ strip, index, onPick }: FilmstripProps) {
  const [measure, { width }] = useRoom();
  const scroller = useRef<HTMLDivElement>(null);
  const nav = useRef<HTMLElement>(null);
  const [middle, setMiddle] = useState(index);
  const setScroller = useCallback(
    (node: HTMLDivElement | null) => {
      scroller.current = node;
      measure(node);
    },
    [measure],
  );
  useLayoutEffect(() => {
    const node = scroller.current;
    if (!node || width === 0) return;
    const from = node.scrollLeft;
    node.scrollTo?.({ left: index * PITCH, behavior: "instant" });
    setMiddle(index);
    glide(node.firstElementChild, node.scrollLeft - from);
    // The focus stays on the shown file while arrows lead through the strip.
    if (nav.current?.contains(document.activeElement)) {
      nav.current.querySelector<HTMLElement>("[aria-current]")?.focus({ preventScroll: true });
    }
  }, [index, width]);
  const reach = Math.ceil(width / PITCH / 2) + AHEAD;
  const from = Math.max(0, Math.min(middle, index) - reach);
  const to = Math.min(strip.count - 1, Math.max(middle, index) + reach);
  // After a long scroll only what is in sight is rendered, and the shown item, because it may have the focus.
  const isFar = Math.abs(middle - index) > 2 * reach;
  const shown = isFar
    ? [index, ...numbersBetween(Math.max(0, middle - reach), Math.min(strip.count - 1, middle + reach))]
    : numbersBetween(from, to);
  return (
    <nav ref={nav} aria-label="Filmstrip" className="shrink-0 border-line border-t bg-canvas">
      <div
        ref={setScroller}
        onScroll={({ currentTarget }) => setMiddle(Math.round(currentTarget.scrollLeft / PITCH))}
        className="overflow-x-auto overflow-y-hidden py-2 [scrollbar-width:none]"
      >
        <ul
          className="relative m-0 h-13 list-none p-0"
          style={{ width: `calc(100% + ${Math.max(0, strip.count - 1) * PITCH}px)` }}
        >
          {shown.map((at) => (
            <Thumbnail
              key={at}
              at={at}
              left={width / 2 - THUMB_WIDTH / 2 + at * PITCH}
              strip={strip}
              isCurrent={at === index}
              onPick={onPick}
            />
          ))}
        </ul>
      </div>
    </nav>
  );
}

interface ThumbnailProps {
  at: number;
  left: number;
  strip: Strip;
  isCurrent: boolean;
  onPick: (index: number) => void;
}

function Thumbnail({ at, left, strip, isCurrent, onPick }: ThumbnailProps) {
  const found = strip.at(at);
  const isDeleted = useIsMediaDeleted(found?.result.job?.requestId ?? "");
  if (!found) return null;
  const { file } = found;
  const { name, files, job, state } = found.result;
  const item = files[file];
  return (
    <li className="absolute inset-y-0" style={{ left, width: THUMB_WIDTH }}>
      <button
        type="button"
        tabIndex={isCurrent ? 0 : -1}
        aria-current={isCurrent || undefined}
        onClick={() => onPick(at)}
        className={clsx(
          "relative block size-full cursor-pointer overflow-hidden rounded-sm border-0 bg-raised p-0 text-ink-2 -outline-offset-2 focus-visible:outline-focus",
          // Forced colors would show an outline that is only transparent.
          isCurrent
            ? "outline-2 outline-accent"
            : "opacity-60 transition-opacity duration-150 hover:opacity-100 focus-visible:opacity-100 focus-visible:outline-2",
        )}
      >
        <span className="sr-only">
          {name}
          {files.length > 1 && `, ${file + 1} of ${files.length}`}
          {!item && `, ${state.word}`}
        </span>
        {item ? (
          <CachedThumb
            key={item.url}
            item={item}
            alt=""
            createdAtSeconds={job?.createdAtSeconds}
            isDeleted={isDeleted}
            isSmall
          />
        ) : (
          <span aria-hidden>
            <StatusBadge {...state} className="text-xs" />
          </span>
        )}
        {item?.kind === "video" && (
          <span
            aria-hidden
            className="absolute right-1 bottom-1 grid size-4 place-items-center rounded-full bg-black/55"
          >
            <Play className="size-2 fill-white text-white" />
          </span>
        )}
      </button>
    </li>
  );
}

/** Animates a move that has already happened: unlike smooth scrolling, it cannot be interrupted. */
function glide(node: Element | null, moved: number): void {
  const prefersReducedMotion = window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
  if (moved === 0 || Math.abs(moved) > MAX_GLIDE || prefersReducedMotion) return;
  const keyframes = [{ transform: `translateX(${moved}px)` }, { transform: "none" }];
  node?.animate?.(keyframes, { duration: GLIDE_MS, easing: "ease-out" });
}

/** The whole numbers from one to another, both included. */
function numbersBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
