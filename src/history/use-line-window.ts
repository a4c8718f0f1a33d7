import { observeElementOffset, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { JobRecord } from "#storage/job-records.ts";
import { type ListLine, lineOf } from "./list-layout.ts";

const PADDING = 4;
/** So long after the last scroll event the list stands still. */
const SCROLL_END_DELAY_MS = 120;

interface LineWindow {
  /** What to render, in the order of the document. */
  rendered: readonly RenderedLine[];
  /** Pixels from the top of the list, by line; the last value is the height of all. */
  tops: Float64Array;
  /** The list is scrolled so quickly that no line can be read: what is costly to render waits. */
  isScrollingFast: boolean;
  /** Brings a line into view with as little movement as possible. */
  reveal: (line: number) => void;
}

/**
 * Which lines of a list with known heights are in view. Renders only when another line comes into view: at once, within
 * the frame of the scroll, so that no empty stretch is ever painted. Elements of lines that left are used again for those that
 * come: without that a frame took 1.3 times as long at reading speed, and 1.6 times when scrolled fast (20,000 rows, measured
 * 2026-11-30 with `npm run bench -- history`).
 */
export function useLineWindow(
  scroller: RefObject<HTMLElement | null>,
  lines: readonly ListLine[],
  {
    overscan,
    headHeight,
    aboveHeight,
    onLayout,
  }: {
    /** So many more lines above and below those in view. */
    overscan: number;
    /** Height of what stays in sight above the lines, in pixels. */
    headHeight: number;
    /** Height of what scrolls away above the lines, in pixels. */
    aboveHeight: () => number;
    /** Restores the scroll position before a new layout is painted. */
    onLayout: (scroller: HTMLElement, tops: Float64Array) => void;
  },
): LineWindow {
  const tops = useMemo(() => lineTops(lines, PADDING), [lines]);
  const [isScrollingFast, setIsScrollingFast] = useState(false);
  const wasFast = useRef(false);
  const [slots] = useState(createSlots);
  const latestCallbacks = useRef({ aboveHeight, onLayout });
  useLayoutEffect(() => {
    latestCallbacks.current = { aboveHeight, onLayout };
  });
  /** The offset after the last scroll event or layout, in pixels: a scroll that a new layout causes is not fast scrolling. */
  const lastOffset = useRef(0);
  useLayoutEffect(() => {
    const node = scroller.current;
    if (!node) return;
    latestCallbacks.current.onLayout(node, tops);
    lastOffset.current = node.scrollTop;
  }, [scroller, tops]);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => lines[at]?.height ?? 0,
    getItemKey: useCallback((at: number) => lines[at]?.key ?? at, [lines]),
    paddingStart: PADDING,
    overscan,
    isScrollingResetDelay: SCROLL_END_DELAY_MS,
    observeElementOffset: (list, report) =>
      observeElementOffset(list, (offset, isScrolling) => {
        // Before the lines of the new place are rendered: what is costly in them waits if they are only passed.
        const isFast = Math.abs(offset - lastOffset.current) > (list.scrollRect?.height ?? 0) / 2;
        lastOffset.current = offset;
        const isFastNow = isScrolling && (wasFast.current || isFast);
        if (isFastNow !== wasFast.current) setIsScrollingFast(isFastNow);
        wasFast.current = isFastNow;
        report(offset, isScrolling);
      }),
  });

  const reveal = useCallback(
    (line: number) => {
      const node = scroller.current;
      const [from, to] = [tops[line], tops[line + 1]];
      if (!node || from === undefined || to === undefined) return;
      const space = node.clientHeight - headHeight;
      const above = latestCallbacks.current.aboveHeight();
      // The first line is shown with what stands above it.
      if (line <= 1) node.scrollTop = 0;
      else if (from + above < node.scrollTop) node.scrollTop = from + above - PADDING;
      else if (to + above > node.scrollTop + space) node.scrollTop = to + above - space;
    },
    [scroller, tops, headHeight],
  );

  const inView = virtualizer.getVirtualIndexes();
  const range = { start: inView[0] ?? 0, end: (inView.at(-1) ?? -1) + 1 };
  const rendered = slots(range, virtualizer.isScrolling).filter(({ line }) => line < lines.length);
  return { rendered, tops, isScrollingFast, reveal };
}

/** A half-open range of lines. */
interface LineRange {
  start: number;
  end: number;
}

/** Where each line begins, in pixels from the top, and after the last one where the list ends. */
export function lineTops(lines: readonly ListLine[], padding: number): Float64Array {
  const tops = new Float64Array(lines.length + 1);
  tops[0] = padding;
  for (const [place, line] of lines.entries()) tops[place + 1] = (tops[place] ?? 0) + line.height;
  return tops;
}

/** The line that stands at a height. */
export function lineAt(tops: Float64Array, top: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= top) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A line and the slot that shows it: the React key of its elements. */
interface RenderedLine {
  slot: number;
  line: number;
}

/**
 * Gives each line in view a slot, the same as long as it stays in view. A line that comes in takes the slot of one that
 * left, so that its elements are used again: to make new ones is most of the cost of a scrolled frame. While the list
 * moves no element changes its place in the document and none is taken out; at rest they stand in reading order.
 */
export function createSlots(): (range: LineRange, isMoving: boolean) => readonly RenderedLine[] {
  let rendered: RenderedLine[] = [];
  let made = 0;
  return ({ start, end }, isMoving) => {
    const isIn = ({ line }: RenderedLine) => line >= start && line < end;
    const known = new Set(rendered.map(({ line }) => line));
    const missing: number[] = [];
    for (let line = start; line < end; line++) if (!known.has(line)) missing.push(line);
    const reused = rendered.map((one) => (isIn(one) ? one : { slot: one.slot, line: missing.shift() ?? one.line }));
    const all = [...reused, ...missing.map((line) => ({ slot: made++, line }))];
    rendered = isMoving ? all : all.filter(isIn).sort((a, b) => a.line - b.line);
    return rendered;
  };
}

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
