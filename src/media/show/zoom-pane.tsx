import { clsx } from "clsx";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";

interface ZoomPaneProps {
  zoom: Zoom;
  /** Must be the same function at every render. */
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A pane whose content is zoomed with wheel or pinch and moved by dragging; a double press toggles between fit and 2.5
 * times.
 */
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

interface Point {
  x: number;
  y: number;
}

/**
 * Wheel and pinch zoom, and dragging pans, on a pane. `change` gets a function of the zoom as it is then, so that quick
 * events do not lose each other.
 */
function useZoomGestures(pane: RefObject<HTMLElement | null>, change: (make: (zoom: Zoom) => Zoom) => void): void {
  useEffect(() => {
    const node = pane.current;
    if (!node) return;
    const fingers = new Map<number, Point>();
    const size = (): Pane => ({ width: node.clientWidth, height: node.clientHeight });
    const fromMiddle = (x: number, y: number): Point => {
      const box = node.getBoundingClientRect();
      return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002));
      change((zoom) => zoomAt(zoom, factor, fromMiddle(event.clientX, event.clientY), size()));
    };
    const onDown = (event: PointerEvent) => {
      if (
        event.button !== 0 ||
        (event.target instanceof Element && event.target.closest("button, video, audio, input"))
      )
        return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      node.setPointerCapture?.(event.pointerId);
    };
    const onMove = (event: PointerEvent) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      fingers.set(event.pointerId, now);
      if (!other) return change((zoom) => panBy(zoom, now.x - before.x, now.y - before.y, size()));
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      const middle = fromMiddle((now.x + other.x) / 2, (now.y + other.y) / 2);
      change((zoom) => zoomAt(zoom, factor, middle, size()));
    };
    const onUp = (event: PointerEvent) => fingers.delete(event.pointerId);
    const onDouble = () => change((zoom) => (zoom.scale > 1 ? FIT : { ...FIT, scale: 2.5 }));
    node.addEventListener("dblclick", onDouble);
    node.addEventListener("wheel", onWheel, { passive: false });
    node.addEventListener("pointerdown", onDown);
    node.addEventListener("pointermove", onMove);
    node.addEventListener("pointerup", onUp);
    node.addEventListener("pointercancel", onUp);
    return () => {
      node.removeEventListener("dblclick", onDouble);
      node.removeEventListener("wheel", onWheel);
      node.removeEventListener("pointerdown", onDown);
      node.removeEventListener("pointermove", onMove);
      node.removeEventListener("pointerup", onUp);
      node.removeEventListener("pointercancel", onUp);
    };
  }, [pane, change]);
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** How a picture stands in its pane: 1 is the size at which it fits; x and y move its middle, in pixels of the pane. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

interface Pane {
  width: number;
  height: number;
}

export const FIT: Zoom = { scale: 1, x: 0, y: 0 };
const LARGEST = 16;

/**
 * Zooms by a factor around a point of the pane (from its middle), which stays where it is on the picture. Never throws.
 */
export function zoomAt(zoom: Zoom, factor: number, point: { x: number; y: number }, pane: Pane): Zoom {
  const scale = Math.min(LARGEST, Math.max(1, zoom.scale * factor));
  const change = scale / zoom.scale;
  return held({ scale, x: point.x - (point.x - zoom.x) * change, y: point.y - (point.y - zoom.y) * change }, pane);
}

/** Moves the picture, as far as it is larger than its pane. Never throws. */
export function panBy(zoom: Zoom, dx: number, dy: number, pane: Pane): Zoom {
  return held({ ...zoom, x: zoom.x + dx, y: zoom.y + dy }, pane);
}

// A picture never leaves its pane: at the size at which it fits it stands in the middle.
function held(zoom: Zoom, pane: Pane): Zoom {
  const reachX = (pane.width * (zoom.scale - 1)) / 2;
  const reachY = (pane.height * (zoom.scale - 1)) / 2;
  return { scale: zoom.scale, x: clamp(zoom.x, reachX), y: clamp(zoom.y, reachY) };
}

function clamp(value: number, reach: number): number {
  // Adding zero turns -0 into 0.
  return Math.min(reach, Math.max(-reach, value)) + 0;
}
