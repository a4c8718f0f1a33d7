import { useCallback, useState } from "react";
import type { MediaItem } from "#api/types.ts";
import { useFileFacts } from "#media/file-facts.ts";
import { FIT, type Pane, type Zoom, zoomAt } from "#media/show/zoom.ts";

const ZOOM_STEP = 1.5;
/** Times the pixels of the file. */
const LARGEST = 8;
const MIDDLE = { x: 0, y: 0 };

export interface KeptZoom {
  zoom: Zoom;
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
  largest: number;
  /** Screen pixels for each pixel of the file, in percent; undefined while its size is not known. */
  percent: number | undefined;
  zoomIn: () => void;
  zoomOut: () => void;
  fit: () => void;
  actualSize: () => void;
}

/**
 * The zoom of the file in a pane. It stays while files of equal size follow each other, so that a detail is compared by
 * stepping; a file of another size begins at the size at which it fits.
 */
export function useKeptZoom(item: MediaItem | undefined, pane: Pane): KeptZoom {
  const [kept, setKept] = useState({ of: "", zoom: FIT });
  const sides = useSides(item);
  const of = sides ? `${sides.width}x${sides.height}` : (item?.url ?? "");
  const zoom = kept.of === of ? kept.zoom : FIT;
  const onZoom = useCallback(
    (make: (zoom: Zoom) => Zoom) => setKept((now) => ({ of, zoom: make(now.of === of ? now.zoom : FIT) })),
    [of],
  );
  const fitted = sides && Math.min(pane.width / sides.width, pane.height / sides.height);
  const largest = fitted ? Math.max(2, LARGEST / fitted) : 16;
  const by = (factor: number) => onZoom((now) => zoomAt(now, factor, MIDDLE, pane, largest));
  return {
    zoom,
    onZoom,
    largest,
    percent: fitted && fitted * zoom.scale * 100,
    zoomIn: () => by(ZOOM_STEP),
    zoomOut: () => by(1 / ZOOM_STEP),
    fit: () => onZoom(() => FIT),
    actualSize: () => onZoom((now) => zoomAt(now, 1 / (fitted ?? 1) / now.scale, MIDDLE, pane, largest)),
  };
}

/** The pixels of a file: its own, else as its record says. */
function useSides(item: MediaItem | undefined): { width: number; height: number } | undefined {
  const facts = useFileFacts(item?.url ?? "");
  const width = facts?.width ?? item?.width;
  const height = facts?.height ?? item?.height;
  return width && height ? { width, height } : undefined;
}
