import { clsx } from "clsx";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { MediaView } from "#media/media-view.tsx";
import { entryName } from "../entry-name.ts";
import type { HistoryEntry } from "../history-entry.ts";
import type { CompareMode } from "./compare-mode.ts";

interface CompareLayersProps {
  /** What lies over each other, the first above: all in turn when they flicker, else the first two. */
  entries: readonly HistoryEntry[];
  mode: Exclude<CompareMode, "side">;
  /** Where the slider stands, 0 to 100. */
  split: number;
  /** Whose turn it is when they flicker. */
  turn: number;
}

/** Pictures or clips over each other: cut by a slider, shown in turn, or as their difference. */
export function CompareLayers({ entries, mode, split, turn }: CompareLayersProps) {
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
