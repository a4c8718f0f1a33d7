import { Minus, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { formatDecimals, formatNumber } from "#lib/numbers.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { MediaView } from "#media/show/media-view.tsx";
import { PlayedMedia } from "#media/show/played-media.tsx";
import { FIT, type Pane, type Zoom, zoomAt } from "#media/show/zoom.ts";
import { ZoomPane } from "#media/show/zoom-pane.tsx";
import { useShownKind } from "#media/use-media-state.ts";
import { JobStatus } from "#runs/job-status.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Acts } from "#ui/commands.ts";
import { resultCommands } from "../commands.ts";
import { NoResult } from "../no-result.tsx";
import { canRehost, RehostButton } from "../reuse/rehost-button.tsx";
import type { StripItem, ViewedResult } from "./strip.ts";

interface ViewerStageProps {
  result: ViewedResult;
  file: number;
  zoom: ViewerZoom;
  onSwipe: (step: 1 | -1) => void;
  onFullScreen: () => void;
}

/** From here on pixels are shown as squares, so that they can be judged. Percent. */
const SQUARES_FROM = 300;

/**
 * The file in full: an image zooms and moves, a video or audio has its bar below. Without a file, the job's status and
 * why.
 */
export function ViewerStage({ result, file, zoom, onSwipe, onFullScreen }: ViewerStageProps) {
  const { job } = result;
  const isDeleted = useIsMediaDeleted(job?.requestId ?? "");
  const item = result.files[file];
  const kind = useShownKind(item);
  if (!item) return job && <MissingFile job={job} />;
  const view = {
    item,
    alt: result.name,
    payload: job?.payload,
    createdAtSeconds: job?.createdAtSeconds,
    isDeleted,
    className: "rounded-none! bg-transparent!",
  };
  if (kind !== "image") {
    return (
      <PlayedMedia
        {...view}
        key={item.url}
        hasCommands
        frameName={`${job?.model ?? "video"}-${(job?.requestId ?? result.id).slice(0, 8)}`}
        fullScreen={kind === "video" ? { run: onFullScreen, command: resultCommands.fullScreen } : undefined}
      />
    );
  }
  const hasSquares = zoom.percent !== undefined && zoom.percent >= SQUARES_FROM;
  return (
    <ZoomPane
      zoom={zoom.zoom}
      onZoom={zoom.onZoom}
      largest={zoom.largest}
      onSwipe={onSwipe}
      className={hasSquares ? "h-full [&_img]:[image-rendering:pixelated]" : "h-full"}
    >
      <MediaView key={item.url} {...view} className="aspect-auto! h-full rounded-none! bg-transparent!" />
    </ZoomPane>
  );
}

function MissingFile({ job }: { job: JobRecord }) {
  return (
    <div className="grid h-full place-items-center p-6 text-center">
      <div className="grid max-w-md justify-items-center gap-2">
        <JobStatus status={job.status} />
        <div className="text-ink-2 empty:hidden">
          <NoResult job={job} />
        </div>
        {canRehost(job) && <RehostButton showsTrouble job={job} />}
      </div>
    </div>
  );
}

/** Loads the images beside the shown file, so that a step shows them at once. A video would cost too much to load ahead. */
export function PreloadNeighbors({ items }: { items: readonly StripItem[] }) {
  return (
    <div aria-hidden inert className="pointer-events-none fixed top-[200vh] left-0 size-px overflow-hidden">
      {items.map(({ result: { files, job }, file }) => {
        const item = files[file];
        return (
          item?.kind === "image" && (
            <MediaView
              key={item.url}
              item={item}
              alt=""
              payload={job?.payload}
              createdAtSeconds={job?.createdAtSeconds}
            />
          )
        );
      })}
    </div>
  );
}

/** The factor of one press of "Zoom in". */
const ZOOM_STEP = 1.5;
/** The limit of the zoom: 8 times actual size, or 8 times the fitted size of a file that is smaller than its pane. */
const MAX_ZOOM = 8;
const MIDDLE = { x: 0, y: 0 };

/** The zoom of a viewer or a comparison, and the acts that change it. */
export interface ViewerZoom {
  zoom: Zoom;
  /** Passed to `ZoomPane`. */
  onZoom: (update: (zoom: Zoom) => Zoom) => void;
  /** The upper limit of `zoom.scale`. */
  largest: number;
  /** Screen pixels for each pixel of the file, in percent; undefined while its size is not known. */
  percent: number | undefined;
  /** The acts of keys, buttons and the palette. */
  acts: Pick<Required<Acts<typeof resultCommands>>, "zoomIn" | "zoomOut" | "actualSize" | "fit">;
}

/**
 * The zoom in a pane.
 * @param fitted Screen pixels for each pixel of the file when all of it fits into the pane, where that is known.
 * @param subject The zoom stays while this is the same, such as the size of a file, so that a detail can be compared by
 * stepping from file to file. Anything else begins fitted.
 */
export function useZoom(pane: Pane, fitted: number | undefined, subject = ""): ViewerZoom {
  const [last, setLast] = useState({ subject, zoom: FIT });
  const zoom = last.subject === subject ? last.zoom : FIT;
  const onZoom = useCallback(
    (update: (zoom: Zoom) => Zoom) =>
      setLast((previous) => ({ subject, zoom: update(previous.subject === subject ? previous.zoom : FIT) })),
    [subject],
  );
  const largest = fitted ? Math.max(MAX_ZOOM, MAX_ZOOM / fitted) : 2 * MAX_ZOOM;
  const zoomBy = (factor: number) => onZoom((current) => zoomAt(current, factor, MIDDLE, pane, largest));
  return {
    zoom,
    onZoom,
    largest,
    percent: fitted && fitted * zoom.scale * 100,
    acts: {
      zoomIn: () => zoomBy(ZOOM_STEP),
      zoomOut: () => zoomBy(1 / ZOOM_STEP),
      fit: () => onZoom(() => FIT),
      actualSize: () => onZoom((current) => zoomAt(current, 1 / (fitted ?? 1) / current.scale, MIDDLE, pane, largest)),
    },
  };
}

interface ZoomControlProps {
  zoom: ViewerZoom;
}

/** How large the pixels of a file are shown, and the way to change it. */
export function ZoomControl({ zoom: { zoom, percent, acts } }: ZoomControlProps) {
  const isFit = zoom.scale === 1;
  const { zoomIn, zoomOut, actualSize, fit } = resultCommands;
  const toggle = isFit ? actualSize : fit;
  const outProps = useCommandProps(zoomOut);
  const inProps = useCommandProps(zoomIn);
  const toggleProps = useCommandProps(toggle);
  const words =
    percent === undefined ? "Fit" : `${percent < 10 ? formatDecimals(percent, 1) : formatNumber(Math.round(percent))}%`;
  return (
    <span className="flex items-center max-lg:hidden">
      <IconButton {...outProps} label={zoomOut.label} aria-disabled={isFit || undefined} onClick={acts.zoomOut}>
        <Minus aria-hidden className="size-4" />
      </IconButton>
      <Button
        {...toggleProps}
        variant="ghost"
        size="sm"
        title={toggle.label}
        aria-label={`${toggle.label}, now ${words}`}
        onClick={isFit ? acts.actualSize : acts.fit}
        className="min-w-14.5 tabular-nums"
      >
        {words}
      </Button>
      <IconButton {...inProps} label={zoomIn.label} onClick={acts.zoomIn}>
        <Plus aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}
