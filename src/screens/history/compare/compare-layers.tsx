import { clsx } from "clsx";
import { useEffect, useState } from "react";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { MediaView } from "#media/media-view.tsx";
import { entryName } from "../entry-name.ts";
import type { HistoryEntry } from "../history-entry.ts";
import type { CompareMode } from "./compare-mode.ts";

interface CompareLayersProps {
  /** The two that lie over each other, the first above. */
  pair: readonly [HistoryEntry, HistoryEntry];
  mode: Exclude<CompareMode, "side">;
  /** Where the slider stands, 0 to 100. */
  split: number;
}

const FLICKER_MS = 600;

/** Two pictures or clips over each other: cut by a slider, shown in turn, or as their difference. */
export function CompareLayers({ pair, mode, split }: CompareLayersProps) {
  const isFirst = useFlicker(mode === "flicker");
  const [top, bottom] = pair;
  return (
    <>
      <CompareMedia entry={bottom} />
      <div
        className={clsx(
          "absolute inset-0",
          mode === "difference" && "mix-blend-difference",
          mode === "flicker" && !isFirst && "invisible",
        )}
        style={mode === "slider" ? { clipPath: `inset(0 ${100 - split}% 0 0)` } : undefined}
      >
        <CompareMedia entry={top} />
      </div>
    </>
  );
}

/** One file of a comparison, filling its place without controls of its own. */
export function CompareMedia({ entry }: { entry: HistoryEntry }) {
  const item = entry.media[0];
  if (!item) return null;
  return (
    <MediaView
      item={item}
      alt={entryName(entry)}
      controls={item.kind === "audio"}
      payload={entry.payload}
      createdAtSeconds={entry.createdAtSeconds}
      isDeleted={isMediaDeleted(entry.requestId)}
      className="aspect-auto! pointer-events-none absolute! inset-0 h-full rounded-none! bg-transparent! [&_audio]:pointer-events-auto [&_button]:pointer-events-auto"
    />
  );
}

function useFlicker(isOn: boolean): boolean {
  const [isFirst, setIsFirst] = useState(true);
  useEffect(() => {
    if (!isOn) return;
    const turn = setInterval(() => setIsFirst((now) => !now), FLICKER_MS);
    return () => clearInterval(turn);
  }, [isOn]);
  return !isOn || isFirst;
}
