import { useMemo } from "react";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { useFilesFacts } from "#media/file-facts.ts";
import { MediaView } from "#media/show/media-view.tsx";
import type { Player } from "#media/show/player.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { entryName, tileAspect } from "../job-facts.ts";
import type { Sides } from "./compare-scale.ts";

interface ComparedFileProps {
  entry: JobRecord;
  /** As large as it is shown at the size at which all fit. */
  size: Sides;
  player: Player;
}

/** One file of a comparison, in the middle of the pane around it. */
export function ComparedFile({ entry, size, player }: ComparedFileProps) {
  const isDeleted = useIsMediaDeleted(entry.requestId);
  const item = entry.media[0];
  if (!item) return null;
  return (
    <div
      data-compared={entry.requestId}
      className="absolute top-1/2 left-1/2 -translate-x-1/2 -translate-y-1/2"
      style={item.kind === "audio" || item.kind === "other" ? { width: "100%", height: "100%" } : size}
    >
      <MediaView
        item={item}
        alt={entryName(entry)}
        player={player}
        payload={entry.payload}
        createdAtSeconds={entry.createdAtSeconds}
        isDeleted={isDeleted}
        className="aspect-auto! h-full rounded-none! bg-transparent!"
      />
    </div>
  );
}

/** The pixels of the first file of each job: its own, else as its record says. */
export function useKnownSides(entries: readonly JobRecord[]): (Sides | undefined)[] {
  const facts = useFilesFacts(entries.map(({ media }) => media[0]?.url ?? ""));
  return entries.map(({ media: [file] }, place) => {
    const width = facts[place]?.width ?? file?.width;
    const height = facts[place]?.height ?? file?.height;
    return width && height ? { width, height } : undefined;
  });
}

const SUPPOSED_HEIGHT = 1000;

/** The same, with the shape that was asked for where the pixels are not known yet. */
export function useSupposedSides(entries: readonly JobRecord[], known: readonly (Sides | undefined)[]): Sides[] {
  const text = JSON.stringify(known);
  return useMemo(
    () =>
      entries.map((entry, place) => {
        const sides: (Sides | null)[] = JSON.parse(text);
        return sides[place] ?? { width: SUPPOSED_HEIGHT * tileAspect(entry), height: SUPPOSED_HEIGHT };
      }),
    [entries, text],
  );
}
