import { Minus, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { FIT, type Pane, type Zoom, zoomAt } from "#media/show/zoom.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Acts } from "#ui/commands.ts";
import { resultCommands } from "../commands.ts";

const ZOOM_STEP = 1.5;
/** The limit of the zoom: 8 times actual size, or 8 times the fitted size of a file that is smaller than its pane. */
const MAX_ZOOM = 8;
const MIDDLE = { x: 0, y: 0 };

export interface ViewerZoom {
  zoom: Zoom;
  /** Passed to `ZoomPane`. */
  onZoom: (update: (zoom: Zoom) => Zoom) => void;
  largest: number;
  /** Screen pixels for each pixel of the file, in percent; undefined while its size is not known. */
  percent: number | undefined;
  /** By keys, buttons and the palette. */
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
      setLast((now) => ({ subject, zoom: update(now.subject === subject ? now.zoom : FIT) })),
    [subject],
  );
  const largest = fitted ? Math.max(MAX_ZOOM, MAX_ZOOM / fitted) : 2 * MAX_ZOOM;
  const zoomBy = (factor: number) => onZoom((now) => zoomAt(now, factor, MIDDLE, pane, largest));
  return {
    zoom,
    onZoom,
    largest,
    percent: fitted && fitted * zoom.scale * 100,
    acts: {
      zoomIn: () => zoomBy(ZOOM_STEP),
      zoomOut: () => zoomBy(1 / ZOOM_STEP),
      fit: () => onZoom(() => FIT),
      actualSize: () => onZoom((now) => zoomAt(now, 1 / (fitted ?? 1) / now.scale, MIDDLE, pane, largest)),
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
  const words = percent === undefined ? "Fit" : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
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
        className="min-w-[58px] tabular-nums"
      >
        {words}
      </Button>
      <IconButton {...inProps} label={zoomIn.label} onClick={acts.zoomIn}>
        <Plus aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}
