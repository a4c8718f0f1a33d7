// The files of a comparison: side by side, or two over each other with a divider, in turn, or as their difference.
import { clsx } from "clsx";
import { ChevronsLeftRight, Star, Volume2, VolumeX } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, type Ref, useEffect, useMemo, useRef, useState } from "react";
import { formatNumber } from "#lib/numbers.ts";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { useFilesFacts } from "#media/file-facts.ts";
import { MediaView } from "#media/show/media-view.tsx";
import type { Player } from "#media/show/player.ts";
import type { Zoom } from "#media/show/zoom.ts";
import { useZoomGestures, Zoomed, ZoomPane } from "#media/show/zoom-pane.tsx";
import type { Marks } from "#results/marks/marks.ts";
import { jobAspect, jobName } from "#runs/job-facts.ts";
import { JobPrice } from "#runs/prices/job-price.tsx";
import { type JobRecord, tookMs } from "#storage/job-records.ts";
import {
  type CompareMode,
  getJobLetter,
  getSpan,
  type Pair,
  type PixelSize,
  type Scale,
  shownSizes,
  sideLayout,
} from "./compare-rules.ts";

/** What each way of laying out a comparison is given. */
interface StageProps {
  jobs: readonly JobRecord[];
  /** The size of each job's file, in its own pixels; assumed where it is not known. */
  sizes: readonly PixelSize[];
  /** The sizes that are known for certain. */
  known: readonly (PixelSize | undefined)[];
  /** The room of them all. CSS pixels. */
  room: PixelSize;
  scale: Scale;
  /** The files differ in size, so each shows its percentage. */
  hasScale: boolean;
  zoom: Zoom;
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
  /** The upper limit of the zoom. */
  largest: number;
  player: Player;
  marks: Marks;
  /** The prompts differ, and are named. */
  hasPrompts: boolean;
  /** The job whose sound is heard. */
  heard: string;
  onListen: (requestId: string) => void;
}

/** Stands for a file whose size is not even assumed. */
export const SQUARE: PixelSize = { width: 1000, height: 1000 };

/** Screen pixels for each pixel of a file, in percent. */
function getPercent(file: PixelSize | undefined, shown: PixelSize | undefined, zoom: Zoom): number | undefined {
  return file && shown && (100 * shown.height * zoom.scale) / file.height;
}

/** What the tag of a job shows, from what its stage knows. */
function getTagProps(stage: StageProps, job: JobRecord, percent: number | undefined) {
  const kind = job.media[0]?.kind;
  const hasSound = kind === "audio" || kind === "video";
  return {
    job,
    percent: stage.hasScale && kind !== "audio" ? percent : undefined,
    marks: stage.marks,
    hasPrompt: stage.hasPrompts,
    isHeard: hasSound ? stage.heard === job.requestId : undefined,
    onListen: () => stage.onListen(job.requestId),
  };
}

/** All files beside each other, each under its name, with one zoom. */
export function SideStage(stage: StageProps) {
  const { jobs, sizes, known, room, scale, zoom, onZoom, largest, player } = stage;
  const { columns, rows, cell, caption } = sideLayout(sizes, room, scale, stage.hasPrompts);
  const shown = shownSizes(sizes, cell, scale);
  return (
    <ul
      aria-label="Results"
      className="m-0 grid h-full list-none gap-px bg-line p-0"
      style={{
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
      }}
    >
      {jobs.map((job, place) => (
        <li key={job.requestId} className="flex min-h-0 min-w-0 flex-col bg-canvas">
          <CompareTag
            {...getTagProps(stage, job, getPercent(known[place], shown[place], zoom))}
            letter={getJobLetter(place)}
            isOver={false}
            className="shrink-0 px-2"
            height={caption}
          />
          <ZoomPane zoom={zoom} onZoom={onZoom} largest={largest} className="min-h-0 flex-1">
            <ComparedFile job={job} size={shown[place] ?? cell} player={player} />
          </ZoomPane>
        </li>
      ))}
    </ul>
  );
}

interface OverlayStageProps extends StageProps {
  mode: Exclude<CompareMode, "side">;
  pair: Pair;
}

/** Nearer to the divider than this a drag over a zoomed image moves the divider, and not the image. CSS pixels. */
const GRIP = 28;

/**
 * Classes for a pair of which one file cannot be shown: both stand beside each other, so that the reason can be read. They are
 * moved by a transform, so that nothing is laid out anew when a file fails.
 */
const APART =
  "group-has-[:is([data-phase=failed],[data-phase=blocked])]/stage:visible group-has-[:is([data-phase=failed],[data-phase=blocked])]/stage:mix-blend-normal group-has-[:is([data-phase=failed],[data-phase=blocked])]/stage:[clip-path:inset(0_25%)]! [&_[data-phase=failed]_:is(p,p~div)]:max-w-(--half)";
const A_APART = "group-has-[:is([data-phase=failed],[data-phase=blocked])]/stage:-translate-x-1/4";
const B_APART = "group-has-[:is([data-phase=failed],[data-phase=blocked])]/stage:translate-x-1/4";

/** Two files over each other: cut by a divider, shown in turn, or as their difference. */
export function OverlayStage({ mode, pair, ...stage }: OverlayStageProps) {
  const { jobs, sizes, known, room, scale, zoom, onZoom, largest, player } = stage;
  /** The place of the divider, as a part of the stage. */
  const [split, setSplit] = useState(0.5);
  const divider = useRef<HTMLDivElement>(null);
  const turn = useFlicker(mode === "flicker");
  const compared = pair.map((place) => jobs[place]).filter((job) => job !== undefined);
  const shown = shownSizes(
    pair.map((place) => sizes[place] ?? SQUARE),
    room,
    scale,
  );
  const widest = Math.max(...shown.map(({ width }) => width));
  const span = getSpan(room.width, widest, zoom);
  const left = Math.min(span.to, Math.max(span.from, split * room.width));
  const length = span.to - span.from;
  const share = length > 0 ? (100 * (left - span.from)) / length : 50;
  const setShare = (percent: number) => {
    const part = Math.min(100, Math.max(0, percent)) / 100;
    if (room.width > 0) setSplit((span.from + part * length) / room.width);
  };
  const isSlider = mode === "slider";
  const gestures = useZoomGestures(
    {
      onZoom,
      largest,
      ...(isSlider && {
        onDouble: () => setShare(50),
        onDrag: (event: PointerEvent, isStart: boolean) => {
          const box = getStageBox(divider.current);
          if (!box) return false;
          const x = event.clientX - box.left;
          if (isStart && zoom.scale > 1 && Math.abs(x - left) > GRIP) return false;
          if (isStart) divider.current?.focus({ preventScroll: true });
          setSplit(Math.min(1, Math.max(0, x / Math.max(1, box.width))));
          return true;
        },
      }),
    },
    zoom.scale > 1,
  );
  const cut = room.width > 0 ? `inset(0 ${room.width - left}px 0 0)` : "inset(0 50% 0 0)";
  const [a, b] = compared;
  if (!a || !b) return null;
  return (
    <div
      data-stage=""
      ref={gestures}
      className={clsx(
        "group/stage relative isolate h-full touch-none select-none overflow-hidden bg-canvas",
        isSlider ? "cursor-ew-resize" : zoom.scale > 1 && "cursor-grab active:cursor-grabbing",
      )}
      style={{ ["--half" as string]: `${Math.max(0, room.width / 2 - 24)}px` }}
    >
      {[b, a].map((job, layer) => {
        const isTop = layer === 1;
        const side = isTop ? 0 : 1;
        return (
          <div
            key={job.requestId}
            className={clsx(
              "absolute inset-0",
              APART,
              isTop ? A_APART : B_APART,
              mode === "difference" && isTop && "mix-blend-difference",
              mode === "flicker" && side !== turn && "invisible",
            )}
            style={isSlider && isTop ? { clipPath: cut } : undefined}
          >
            <Zoomed zoom={zoom}>
              <div className="pointer-events-none absolute inset-0 [&_button]:pointer-events-auto">
                <ComparedFile job={job} size={shown[side] ?? SQUARE} player={player} />
              </div>
            </Zoomed>
          </div>
        );
      })}
      {isSlider && (
        <Divider
          ref={divider}
          left={left}
          share={share}
          onShare={setShare}
          names={[`A ${a.model ?? ""}`.trim(), `B ${b.model ?? ""}`.trim()]}
        />
      )}
      {[a, b].map((job, side) => (
        <CompareTag
          key={job.requestId}
          {...getTagProps(stage, job, getPercent(known[pair[side] ?? 0], shown[side], zoom))}
          letter={getJobLetter(side)}
          isOver
          className={clsx(
            "absolute top-0 z-10 max-w-[min(420px,calc(var(--picture)/2-14px))]",
            side === 0 ? "left-0" : "right-0",
            mode === "flicker" && side !== turn && "opacity-40",
          )}
          style={tagPlace(side, room, shown[side] ?? room, zoom, length)}
        />
      ))}
    </div>
  );
}

/** Between a tag and the edges of its image. CSS pixels. */
const MARGIN = 10;

/** Puts a tag in the upper corner of its image, as far as that is seen. Moved, not laid out: it follows the zoom. */
function tagPlace(side: number, room: PixelSize, picture: PixelSize, zoom: Zoom, length: number): CSSProperties {
  const { from, to } = getSpan(room.width, picture.width, zoom);
  const { from: top } = getSpan(room.height, picture.height, { scale: zoom.scale, x: zoom.y });
  const x = side === 0 ? from + MARGIN : to - room.width - MARGIN;
  return {
    transform: `translate(${x}px, ${Math.min(top, room.height / 2) + MARGIN}px)`,
    ["--picture" as string]: `${Math.max(length, Math.min(room.width, 300))}px`,
  };
}

const getStageBox = (node: HTMLElement | null) => node?.closest("[data-stage]")?.getBoundingClientRect();

/** How long each of two files is shown in turn. */
const FLICKER_MS = 600;

/** Whose turn it is, 0 or 1, while two are shown in turn. */
function useFlicker(isOn: boolean): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const flicker = setInterval(() => setTurn((shownTurn) => 1 - shownTurn), FLICKER_MS);
    return () => clearInterval(flicker);
  }, [isOn]);
  return isOn ? turn : 0;
}

interface DividerProps {
  ref: Ref<HTMLDivElement>;
  /** From the left edge of the stage, in CSS pixels. */
  left: number;
  /** How much of the image is A, 0 to 100. */
  share: number;
  onShare: (share: number) => void;
  /** What A and B are called. */
  names: readonly [string, string];
}

/** How far a key moves the divider, in percent of the image. */
const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** The line between A and B. It is dragged with the image around it, and has the keys of a slider. */
function Divider({ ref, left, share, onShare, names }: DividerProps) {
  const shown = Math.round(share);
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) onShare(shown + step * (event.shiftKey ? 10 : 1));
    else if (event.key === "Home") onShare(0);
    else if (event.key === "End") onShare(100);
    else if (event.key === "Enter") onShare(50);
    else return;
    event.preventDefault();
  }
  return (
    <div
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label="Divider between A and B"
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={shown}
      aria-valuetext={`${shown}% ${names[0]}, ${100 - shown}% ${names[1]}`}
      onKeyDown={onKeyDown}
      className="group/divider absolute inset-y-0 z-10 w-11 -translate-x-1/2 cursor-ew-resize outline-none group-has-[:is([data-phase=failed],[data-phase=blocked])]/stage:hidden"
      style={{ left }}
    >
      <span
        aria-hidden
        className="absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 bg-white shadow-[0_0_0_1px_rgb(0_0_0/0.35)] group-focus-visible/divider:bg-focus forced-colors:bg-[Highlight]"
      />
      <span
        aria-hidden
        className="absolute top-1/2 left-1/2 grid size-9 -translate-x-1/2 -translate-y-1/2 place-items-center rounded-full bg-white text-black shadow-[0_1px_6px_rgb(0_0_0/0.45)] outline-offset-2 group-focus-visible/divider:outline-2 group-focus-visible/divider:outline-focus forced-colors:border"
      >
        <ChevronsLeftRight className="size-4" />
      </span>
    </div>
  );
}

interface ComparedFileProps {
  job: JobRecord;
  /** Its size as it is shown where all fit. */
  size: PixelSize;
  player: Player;
}

/** One file of a comparison, in the middle of the pane around it. */
function ComparedFile({ job, size, player }: ComparedFileProps) {
  const isDeleted = useIsMediaDeleted(job.requestId);
  const item = job.media[0];
  if (!item) return null;
  return (
    <div
      data-compared={job.requestId}
      className="absolute top-1/2 left-1/2 -translate-x-1/2 -translate-y-1/2"
      style={item.kind === "audio" || item.kind === "other" ? { width: "100%", height: "100%" } : size}
    >
      <MediaView
        item={item}
        alt={jobName(job)}
        player={player}
        payload={job.payload}
        createdAtSeconds={job.createdAtSeconds}
        isDeleted={isDeleted}
        className="aspect-auto! h-full rounded-none! bg-transparent!"
      />
    </div>
  );
}

/** The pixels of the first file of each job: its own, else as its record says. */
export function useKnownSizes(jobs: readonly JobRecord[]): (PixelSize | undefined)[] {
  const facts = useFilesFacts(jobs.map(({ media }) => media[0]?.url ?? ""));
  return jobs.map(({ media: [file] }, place) => {
    const width = facts[place]?.width ?? file?.width;
    const height = facts[place]?.height ?? file?.height;
    return width && height ? { width, height } : undefined;
  });
}

/** Stands for an unknown height: only the shape counts. */
const ASSUMED_HEIGHT = 1000;

/** The sizes of the compared files: as they are known, else in the shape that was asked for. */
export function useAssumedSizes(jobs: readonly JobRecord[], known: readonly (PixelSize | undefined)[]): PixelSize[] {
  // The text makes the memo outlive a new array with the same numbers.
  const text = JSON.stringify(known);
  return useMemo(() => {
    const sizes: (PixelSize | null)[] = JSON.parse(text);
    return jobs.map((job, index) => sizes[index] ?? { width: ASSUMED_HEIGHT * jobAspect(job), height: ASSUMED_HEIGHT });
  }, [jobs, text]);
}

interface CompareTagProps {
  job: JobRecord;
  letter: string;
  /** Screen pixels for each pixel of the file, in percent; undefined while its size is not known. */
  percent: number | undefined;
  marks: Marks;
  /** Several prompts are compared: each is named. */
  hasPrompt: boolean;
  /** Whether its sound is the one that is heard; undefined where it has none. */
  isHeard?: boolean | undefined;
  onListen: () => void;
  /** Laid over the image: dark glass in both themes. */
  isOver: boolean;
  /** CSS pixels, where its place has a fixed height. */
  height?: number | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

/** Which of the compared results this is: its letter, model, price and time, its prompt where they differ, its star. */
function CompareTag({ job, letter, percent, marks, hasPrompt, isHeard, isOver, ...rest }: CompareTagProps) {
  const isStarred = marks.marks.get(job.requestId)?.isStarred ?? false;
  const took = tookMs(job);
  const hasPrice = job.priceMicroUsd !== undefined || job.estimatedMicroUsd !== undefined;
  const facts = [
    took === undefined ? undefined : formatElapsed(took),
    percent === undefined ? undefined : `${formatNumber(Math.round(percent))}%`,
  ].filter((fact) => fact !== undefined);
  const quiet = isOver ? "text-white/75" : "text-ink-3";
  const buttonLook = clsx(
    "grid size-7 shrink-0 cursor-pointer place-items-center rounded-sm border-0 bg-transparent outline-offset-0 focus-visible:outline-2 focus-visible:outline-focus pointer-coarse:size-11",
    isOver ? "text-white hover:bg-white/15" : "text-ink-2 hover:bg-hover",
  );
  return (
    <div
      data-tag={letter}
      className={clsx(
        "flex min-w-0 items-center gap-2 text-sm",
        isOver && "rounded-md bg-black/65 py-1 ps-1.5 pe-1 text-white",
        rest.className,
      )}
      style={{ ...rest.style, height: rest.height }}
    >
      <span
        className={clsx(
          "grid size-5.5 shrink-0 place-items-center rounded-sm font-semibold text-xs",
          isOver ? "bg-white text-black" : "bg-ink text-canvas",
        )}
      >
        {letter}
      </span>
      <span className="flex min-w-0 flex-1 flex-col leading-snug">
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="max-w-full shrink-0 truncate font-medium">{visibleLine(job.model ?? "—")}</span>
          <span className={clsx("min-w-0 truncate tabular-nums max-sm:hidden", quiet)}>
            <JobPrice job={job} />
            {hasPrice && facts.length > 0 && " · "}
            {facts.join(" · ")}
          </span>
        </span>
        {hasPrompt && (
          <span dir="auto" className={clsx("truncate text-left text-xs", quiet)}>
            {jobName(job)}
          </span>
        )}
      </span>
      {isHeard !== undefined && (
        <button
          type="button"
          data-field=""
          aria-label={`Listen to ${letter}`}
          title={`Listen to ${letter}`}
          aria-pressed={isHeard}
          onClick={rest.onListen}
          className={buttonLook}
        >
          {isHeard ? <Volume2 aria-hidden className="size-4" /> : <VolumeX aria-hidden className="size-4 opacity-60" />}
        </button>
      )}
      <button
        type="button"
        data-field=""
        aria-label={`Star ${letter}`}
        title={`Star ${letter}`}
        aria-pressed={isStarred}
        onClick={() => marks.toggleStar([job.requestId])}
        className={buttonLook}
      >
        <Star aria-hidden className={clsx("size-4", isStarred && "fill-current")} />
      </button>
    </div>
  );
}
