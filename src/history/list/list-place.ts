import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { JobRecord } from "#storage/job-records.ts";
import { type ListLine, lineOf } from "../list-layout.ts";
import { lineAt } from "../use-line-window.ts";

/** Pixels between the tops of two elements. */
export const heightAbove = (element: HTMLElement, within: HTMLElement) =>
  element.getBoundingClientRect().top - within.getBoundingClientRect().top;

/** Nearer to the top than this the newest jobs are looked at, and new ones may push them down. */
const AT_TOP = 60;

/**
 * Scrolls a new layout so that the first job in view stays where it is: when jobs came in above it, or when the width of
 * the list changed.
 */
export function useStayingPut(entries: readonly JobRecord[], lines: readonly ListLine[]) {
  const before = useRef<{ entries: readonly JobRecord[]; lines: readonly ListLine[]; tops: Float64Array }>(undefined);
  return (scroller: HTMLElement, tops: Float64Array) => {
    const old = before.current;
    before.current = { entries, lines, tops };
    const top = scroller.scrollTop;
    if (!old || old.lines.length === 0 || lines.length === 0 || top < AT_TOP) return;
    const first = old.lines[lineAt(old.tops, top)]?.first ?? -1;
    const line = lineOf(first, old.lines);
    const id = old.entries[first]?.requestId;
    const place = entries.findIndex(({ requestId }) => requestId === id);
    if (place < 0) return;
    const moved = (tops[lineOf(place, lines)] ?? 0) - (old.tops[line] ?? 0);
    if (moved !== 0) scroller.scrollTop = top + moved;
  };
}

const MAX_REMEMBERED = 20;

const places = new Map<string, number>();

/** Where a list stood when it was last left, in pixels; 0 where it was not seen in this session. */
export function rememberedScroll(placeKey: string): number {
  return places.get(placeKey) ?? 0;
}

/** Remembers where a list stands, in pixels. */
export function rememberScroll(placeKey: string, top: number): void {
  places.delete(placeKey);
  places.set(placeKey, top);
  const oldest = places.keys().next();
  if (places.size > MAX_REMEMBERED && !oldest.done) places.delete(oldest.value);
}

/** The inner width of an element in pixels, followed as it changes; 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const node = element.current;
    if (!node) return;
    const measure = () => {
      const style = getComputedStyle(node);
      setWidth(
        Math.floor(node.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)),
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
