import { clsx } from "clsx";
import { useEffect, useState } from "react";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { MediaView } from "#media/show/media-view.tsx";
import { type Zoom, ZoomPane } from "#media/show/zoom-pane.tsx";
import { Pill } from "#ui/indicators.tsx";
import { Slider } from "#ui/slider.tsx";
import { entryName, type HistoryEntry } from "../history-entry.ts";
import { letterOf } from "./compare-table.tsx";

interface ComparePreviewProps {
  entries: readonly HistoryEntry[];
  mode: CompareMode;
  zoom: Zoom;
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
}

/** The compared files: over each other or side by side. */
export function ComparePreview({ entries, mode, zoom, onZoom }: ComparePreviewProps) {
  const [split, setSplit] = useState(50);
  const turn = useFlicker(mode === "flicker" ? entries.length : 0);
  if (mode !== "side") {
    return (
      <div className="relative flex h-full flex-col">
        <ZoomPane zoom={zoom} onZoom={onZoom} className="isolate min-h-0 flex-1 bg-canvas">
          <CompareLayers entries={entries} mode={mode} split={split} turn={turn} />
        </ZoomPane>
        {mode === "flicker" && (
          <Pill overMedia className="absolute top-2 left-2">
            {letterOf(turn)}
          </Pill>
        )}
        {mode !== "flicker" && entries.length > 2 && (
          <p className="m-0 px-4 pt-2 text-[12.5px] text-ink-3">A and B of {entries.length}. Swap shows the others.</p>
        )}
        {mode === "slider" && (
          <div className="flex items-center gap-3 px-4 py-2 text-[12.5px] text-ink-3">
            A
            <Slider
              aria-label="Share of A, in percent"
              min={0}
              max={100}
              value={split}
              onChange={(event) => setSplit(Number(event.target.value))}
              className="flex-1"
            />
            B
          </div>
        )}
      </div>
    );
  }
  return (
    <div
      className="grid h-full gap-px bg-line"
      style={{ gridTemplateColumns: `repeat(${entries.length === 4 ? 2 : entries.length}, minmax(0, 1fr))` }}
    >
      {entries.map((entry, place) => (
        <div key={entry.requestId} className="relative min-h-0 bg-canvas">
          <ZoomPane zoom={zoom} onZoom={onZoom} className="absolute! inset-0">
            <CompareMedia entry={entry} />
          </ZoomPane>
          <Pill overMedia className="absolute top-2 left-2">
            {letterOf(place)}
          </Pill>
        </div>
      ))}
    </div>
  );
}

interface CompareLayersProps {
  /** The layers, the first on top: all in turn when they flicker, else the first two. */
  entries: readonly HistoryEntry[];
  mode: Exclude<CompareMode, "side">;
  /** Where the slider stands, 0 to 100. */
  split: number;
  /** Whose turn it is when they flicker. */
  turn: number;
}

/** Pictures or clips over each other: cut by a slider, shown in turn, or as their difference. */
function CompareLayers({ entries, mode, split, turn }: CompareLayersProps) {
  const layers = mode === "flicker" ? entries : entries.slice(0, 2).toReversed();
  return (
    <>
      {layers.map((entry, place) => {
        const isTop = place === 1;
        return (
          <div
            key={entry.requestId}
            className={clsx(
              "absolute inset-0",
              mode === "difference" && isTop && "mix-blend-difference",
              mode === "flicker" && place !== turn && "invisible",
            )}
            style={mode === "slider" && isTop ? { clipPath: `inset(0 ${100 - split}% 0 0)` } : undefined}
          >
            <CompareMedia entry={entry} />
          </div>
        );
      })}
    </>
  );
}

/** One file of a comparison, filling its place without controls of its own. */
function CompareMedia({ entry }: { entry: HistoryEntry }) {
  const isDeleted = useIsMediaDeleted(entry.requestId);
  const item = entry.media[0];
  if (!item) return null;
  return (
    <MediaView
      item={item}
      alt={entryName(entry)}
      controls={item.kind === "audio"}
      payload={entry.payload}
      createdAtSeconds={entry.createdAtSeconds}
      isDeleted={isDeleted}
      className="aspect-auto! pointer-events-none absolute! inset-0 h-full rounded-none! bg-transparent! [&_audio]:pointer-events-auto [&_button]:pointer-events-auto"
    />
  );
}

const FLICKER_MS = 600;

/** The layer to show now, of `count`; 0 while nothing flickers. */
function useFlicker(count: number): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (count === 0) return;
    const flicker = setInterval(() => setTurn((now) => now + 1), FLICKER_MS);
    return () => clearInterval(flicker);
  }, [count]);
  return count === 0 ? 0 : turn % count;
}

export const COMPARE_MODES = [
  { value: "slider", label: "Slider" },
  { value: "side", label: "Side by side" },
  { value: "flicker", label: "Flicker" },
  { value: "difference", label: "Difference" },
] as const;
export type CompareMode = (typeof COMPARE_MODES)[number]["value"];

/** The next mode, for the key `M`. */
export function nextMode(mode: CompareMode): CompareMode {
  const place = COMPARE_MODES.findIndex((one) => one.value === mode);
  return COMPARE_MODES[(place + 1) % COMPARE_MODES.length]?.value ?? "slider";
}
