import { clsx } from "clsx";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef } from "react";
import { FIT, LARGEST, type Pane, type Point, panBy, type Zoom, zoomAt } from "./zoom.ts";

interface ZoomPaneProps extends Gestures {
  zoom: Zoom;
  className?: string | undefined;
  children: ReactNode;
}

interface Gestures {
  /** Must be the same function at every render. */
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
  /** The largest zoom, times the size at which it fits. */
  largest?: number | undefined;
  /**
   * Asked when one finger or the mouse is pressed, and again while it moves: true takes the drag, which then moves
   * nothing.
   */
  onDrag?: ((event: PointerEvent, isStart: boolean) => boolean) | undefined;
  /** Called by a double press, in place of zooming. */
  onDouble?: (() => void) | undefined;
  /** A finger went sideways over a picture that fits: 1 to the next, -1 to the one before. */
  onSwipe?: ((step: 1 | -1) => void) | undefined;
}

/**
 * A pane whose content is zoomed with wheel or pinch and moved by dragging; a double press toggles between fit and 2.5
 * times.
 */
export function ZoomPane({ zoom, className, children, ...gestures }: ZoomPaneProps) {
  const pane = useZoomGestures(gestures, zoom.scale > 1);
  return (
    <div
      ref={pane}
      className={clsx(
        "relative touch-none select-none overflow-hidden",
        zoom.scale > 1 ? "cursor-grab active:cursor-grabbing" : "",
        className,
      )}
    >
      <Zoomed zoom={zoom}>{children}</Zoomed>
    </div>
  );
}

/** What is zoomed and moved, over all of the pane around it. */
export function Zoomed({ zoom, children }: { zoom: Zoom; children: ReactNode }) {
  return (
    <div className="absolute inset-0" style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}>
      {children}
    </div>
  );
}

const SWIPE_PX = 60;
/** The zoom after a double press. */
const DOUBLE_PRESS_SCALE = 2.5;

/**
 * Wheel and pinch zoom, and dragging pans, on the pane that takes the function. `onZoom` gets a function of the zoom as
 * it is then, so that quick events do not lose each other.
 */
export function useZoomGestures(gestures: Gestures, isZoomed: boolean): (node: HTMLElement | null) => void {
  const latest = useRef({ ...gestures, isZoomed });
  useEffect(() => {
    latest.current = { ...gestures, isZoomed };
  });
  return useCallback((node: HTMLElement | null) => (node ? listen(node, latest) : undefined), []);
}

function listen(node: HTMLElement, latest: RefObject<Gestures & { isZoomed: boolean }>): () => void {
  const fingers = new Map<number, Point>();
  let start: (Point & { isTouch: boolean }) | undefined;
  let isDragTaken = false;
  const change = (make: (zoom: Zoom) => Zoom) => latest.current.onZoom(make);
  const size = (): Pane => ({ width: node.clientWidth, height: node.clientHeight });
  const zoomBy = (factor: number, at: Point) => {
    const box = node.getBoundingClientRect();
    const point = { x: at.x - box.left - box.width / 2, y: at.y - box.top - box.height / 2 };
    change((zoom) => zoomAt(zoom, factor, point, size(), latest.current.largest));
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    // Mode 1: the wheel reports lines, not pixels.
    zoomBy(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), { x: event.clientX, y: event.clientY });
  };
  const onDown = (event: PointerEvent) => {
    const isControl = event.target instanceof Element && event.target.closest("button, input, a");
    if (event.button !== 0 || isControl) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    start =
      fingers.size === 1 ? { x: event.clientX, y: event.clientY, isTouch: event.pointerType === "touch" } : undefined;
    isDragTaken = fingers.size === 1 && latest.current.onDrag?.(event, true) === true;
  };
  // Otherwise the press would move the focus away from what is dragged, which then loses its keys.
  const onPress = (event: MouseEvent) => isDragTaken && event.preventDefault();
  const onMove = (event: PointerEvent) => {
    const previous = fingers.get(event.pointerId);
    if (!previous) return;
    // Captured only once it moves, because a press alone is for the clip.
    if (!node.hasPointerCapture?.(event.pointerId)) node.setPointerCapture?.(event.pointerId);
    const current = { x: event.clientX, y: event.clientY };
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, current);
    if (other) {
      const factor = distance(current, other) / Math.max(1, distance(previous, other));
      zoomBy(factor, { x: (current.x + other.x) / 2, y: (current.y + other.y) / 2 });
    } else if (isDragTaken) latest.current.onDrag?.(event, false);
    else change((zoom) => panBy(zoom, current.x - previous.x, current.y - previous.y, size()));
  };
  const onUp = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    const { onSwipe, isZoomed } = latest.current;
    if (event.type !== "pointerup" || !start?.isTouch || isDragTaken || isZoomed || !onSwipe) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1);
    start = undefined;
  };
  const onDouble = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest("button, input, a")) return;
    if (latest.current.onDouble) latest.current.onDouble();
    else
      change((zoom) =>
        zoom.scale > 1 ? FIT : { ...FIT, scale: Math.min(DOUBLE_PRESS_SCALE, latest.current.largest ?? LARGEST) },
      );
  };
  node.addEventListener("dblclick", onDouble);
  node.addEventListener("wheel", onWheel, { passive: false });
  node.addEventListener("pointerdown", onDown);
  node.addEventListener("mousedown", onPress);
  node.addEventListener("pointermove", onMove);
  node.addEventListener("pointerup", onUp);
  node.addEventListener("pointercancel", onUp);
  return () => {
    node.removeEventListener("dblclick", onDouble);
    node.removeEventListener("wheel", onWheel);
    node.removeEventListener("pointerdown", onDown);
    node.removeEventListener("mousedown", onPress);
    node.removeEventListener("pointermove", onMove);
    node.removeEventListener("pointerup", onUp);
    node.removeEventListener("pointercancel", onUp);
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
