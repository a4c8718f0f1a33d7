import { clsx } from "clsx";
import { type ReactNode, useRef } from "react";
import { useZoomGestures } from "./use-zoom-gestures.ts";
import type { Zoom } from "./zoom.ts";

interface ZoomPaneProps {
  zoom: Zoom;
  /** Must keep its identity. */
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
  className?: string | undefined;
  children: ReactNode;
}

/** A pane whose content is zoomed with wheel or pinch and moved by dragging; a double press toggles between fit and 2.5 times. */
export function ZoomPane({ zoom, onZoom, className, children }: ZoomPaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  useZoomGestures(pane, onZoom);
  return (
    <div
      ref={pane}
      className={clsx(
        "relative touch-none select-none overflow-hidden",
        zoom.scale > 1 ? "cursor-grab active:cursor-grabbing" : "",
        className,
      )}
    >
      <div
        className="absolute inset-0"
        style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
      >
        {children}
      </div>
    </div>
  );
}
