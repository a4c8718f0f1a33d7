import { type RefObject, useEffect } from "react";
import { FIT, type Pane, panBy, type Zoom, zoomAt } from "./zoom.ts";

interface Point {
  x: number;
  y: number;
}

/**
 * Wheel and pinch zoom, and dragging pans, on a pane. `change` gets a function of the zoom as it is then, so that quick
 * events do not lose each other.
 */
export function useZoomGestures(
  pane: RefObject<HTMLElement | null>,
  change: (make: (zoom: Zoom) => Zoom) => void,
): void {
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
