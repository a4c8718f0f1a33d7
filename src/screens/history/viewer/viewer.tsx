import { clsx } from "clsx";
import { useCallback, useEffect, useRef, useState } from "react";
import { JobStatus } from "#jobs/job-status.tsx";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { AsInput } from "#jobs/reuse/as-input.tsx";
import { useReuse } from "#jobs/reuse/use-reuse.ts";
import { isMediaDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { stepVideos } from "#media/show/video-tools.tsx";
import { FIT, type Zoom, zoomAt } from "#media/show/zoom-pane.tsx";
import { entryName, type HistoryEntry } from "../history-entry.ts";
import { inputOf } from "../run-again.tsx";
import { FullDialog } from "./full-dialog.tsx";
import { ViewerBar } from "./viewer-bar.tsx";
import { type ViewerAct, viewerCommands } from "./viewer-commands.ts";
import { ViewerDetails } from "./viewer-details.tsx";
import { movedPlace, type ViewerPlace } from "./viewer-place.ts";
import { ViewerPreview } from "./viewer-preview.tsx";

interface ViewerProps {
  entries: readonly HistoryEntry[];
  place: ViewerPlace;
  onPlace: (place: ViewerPlace) => void;
  onClose: () => void;
  onCompare: (requestId: string) => void;
  marks: Marks;
  nowMs: number;
}

const ZOOM_STEP = 1.5;

/** One file over the whole window, with its neighbours, its details, and a key for everything. */
export function Viewer({ entries, place, onPlace, onClose, onCompare, marks, nowMs }: ViewerProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const [isDetailed, setIsDetailed] = useState(false);
  const [zoomed, setZoomed] = useState<{ of: string; zoom: Zoom }>({ of: "", zoom: FIT });
  const clip = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const reuse = useReuse();
  const index = entries.findIndex((entry) => entry.requestId === place.requestId);
  const entry = entries[index];
  const shown = `${place.requestId} ${place.file}`;
  // Another file begins at the size at which it fits.
  const zoom = zoomed.of === shown ? zoomed.zoom : FIT;
  const onZoom = useCallback(
    (make: (zoom: Zoom) => Zoom) => setZoomed((now) => ({ of: shown, zoom: make(now.of === shown ? now.zoom : FIT) })),
    [shown],
  );
  if (!entry) return null;
  const input = inputOf(entry, place.file);
  const pane = { width: frame.current?.clientWidth ?? 0, height: frame.current?.clientHeight ?? 0 };
  const videos = () => [...(clip.current?.querySelectorAll("video") ?? [])];
  const goTo = (index: number) => {
    const other = entries[index];
    if (other) onPlace({ requestId: other.requestId, file: 0 });
  };

  const hasFile = entry.media.length > 0 && !isMediaDeleted(entry.requestId);
  const kind = entry.media[place.file]?.kind;
  const acts: Partial<Record<ViewerAct, () => unknown>> = {
    previous: () => onPlace(movedPlace(place, -1, entries)),
    next: () => onPlace(movedPlace(place, 1, entries)),
    first: () => goTo(0),
    last: () => goTo(entries.length - 1),
    details: () => setIsDetailed(!isDetailed),
    star: () => marks.toggleStar([entry.requestId]),
    "full-screen": () => toggleFullScreen(frame.current),
    ...(entry.model !== undefined && {
      "reuse-all": () => reuse(entry, "all"),
      remix: () => reuse(entry, "noseed"),
      "reuse-prompt": () => reuse(entry, "prompt"),
      "reuse-seed": () => reuse(entry, "seed"),
    }),
    ...(input && { "as-input": () => setIsChoosing(true) }),
    ...(hasFile && { compare: () => onCompare(entry.requestId) }),
    ...(kind === "image" && {
      "zoom-in": () => onZoom((now) => zoomAt(now, ZOOM_STEP, { x: 0, y: 0 }, pane)),
      "zoom-out": () => onZoom((now) => zoomAt(now, 1 / ZOOM_STEP, { x: 0, y: 0 }, pane)),
      fit: () => onZoom(() => FIT),
    }),
    ...((kind === "video" || kind === "other") && {
      "frame-back": () => stepVideos(videos(), -1),
      "frame-on": () => stepVideos(videos(), 1),
      play: () => {
        for (const video of videos()) void (video.paused ? video.play()?.catch(() => undefined) : video.pause());
      },
    }),
  };

  return (
    <FullDialog title={entryName(entry)} onClose={onClose} place="viewer" commands={viewerCommands(acts)}>
      <ViewerBar
        entry={entry}
        file={place.file}
        position={`${index + 1} of ${entries.length.toLocaleString("en-US")}`}
        marks={marks}
        isDetailed={isDetailed}
        onAct={(act) => acts[act]?.()}
        onClose={onClose}
      />
      <div className="flex min-h-0 flex-1 max-md:flex-col short:flex-none">
        <div
          ref={frame}
          tabIndex={-1}
          className="min-h-0 min-w-0 flex-1 bg-canvas outline-none short:h-[90dvh] short:max-md:flex-none"
        >
          <ViewerPreview key={shown} entry={entry} file={place.file} zoom={zoom} onZoom={onZoom} clip={clip} />
        </div>
        {isDetailed && <ViewerDetails entry={entry} marks={marks} nowMs={nowMs} />}
      </div>
      <Filmstrip entries={entries} index={index} onPick={goTo} />
      {isChoosing && input && <AsInput item={input} onClose={() => setIsChoosing(false)} />}
    </FullDialog>
  );
}

async function toggleFullScreen(node: HTMLElement | null): Promise<void> {
  const isFull = document.fullscreenElement !== null;
  // A browser may refuse; the viewer already fills the window.
  await (isFull ? document.exitFullscreen() : node?.requestFullscreen?.())?.catch(() => undefined);
  // Full screen takes the focus from elements outside it, and with it the keys of the viewer.
  node?.focus();
}

/** How many neighbours are shown on each side. */
const AROUND = 8;

interface FilmstripProps {
  entries: readonly HistoryEntry[];
  index: number;
  onPick: (index: number) => void;
}

/** The jobs around the one that is shown. */
function Filmstrip({ entries, index, onPick }: FilmstripProps) {
  const current = useRef<HTMLButtonElement>(null);
  const deleted = useDeletedMedia().jobs;
  useEffect(() => {
    void index;
    current.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [index]);
  const from = Math.max(0, index - AROUND);
  return (
    <nav
      aria-label="Filmstrip"
      className="flex shrink-0 gap-2 overflow-x-auto border-line border-t px-4 py-2.5 [scrollbar-width:none]"
    >
      {entries.slice(from, index + AROUND + 1).map((entry, place) => {
        const isCurrent = from + place === index;
        const first = entry.media[0];
        return (
          <button
            key={entry.requestId}
            ref={isCurrent ? current : undefined}
            type="button"
            aria-current={isCurrent || undefined}
            onClick={() => onPick(from + place)}
            className={clsx(
              "relative h-14 w-20 shrink-0 cursor-pointer overflow-hidden rounded-sm border-0 bg-hover p-0 text-ink-2 outline-offset-2 focus-visible:outline-focus",
              // Forced colours would show an outline that is only transparent.
              isCurrent ? "outline-2 outline-accent" : "hover:brightness-110 focus-visible:outline-2",
            )}
          >
            <span className="sr-only">{entryName(entry)}</span>
            {first ? (
              <MediaThumb
                key={first.url}
                item={first}
                alt=""
                createdAtSeconds={entry.createdAtSeconds}
                isDeleted={deleted.has(entry.requestId)}
                isSmall
              />
            ) : (
              <JobStatus status={entry.status} className="text-[11px]" />
            )}
          </button>
        );
      })}
    </nav>
  );
}
