import { useState } from "react";
import type { Zoom } from "#media/viewing/zoom.ts";
import { ZoomPane } from "#media/viewing/zoom-pane.tsx";
import { Pill } from "#ui/pill.tsx";
import { Slider } from "#ui/slider.tsx";
import type { HistoryEntry } from "../history-entry.ts";
import { CompareLayers, CompareMedia } from "./compare-layers.tsx";
import type { CompareMode } from "./compare-mode.ts";
import { letterOf } from "./compare-table.tsx";
import { useFlicker } from "./use-flicker.ts";

interface CompareStageProps {
  entries: readonly HistoryEntry[];
  mode: CompareMode;
  zoom: Zoom;
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
}

/** The compared files: over each other or side by side. */
export function CompareStage({ entries, mode, zoom, onZoom }: CompareStageProps) {
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
          <p className="m-0 px-4 pt-2 text-[12.5px] text-ink-3">
            A and B of {entries.length}. Swap brings the others in.
          </p>
        )}
        {mode === "slider" && (
          <div className="flex items-center gap-3 px-4 py-2 text-[12.5px] text-ink-3">
            A
            <Slider
              aria-label="How much of A is shown, in percent"
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
