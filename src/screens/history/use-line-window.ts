import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { createSlots, type HeldLine, type LineRange, lineRange, lineTops } from "./line-window.ts";
import type { ListLine } from "./list-layout.ts";

const PADDING = 4;
const OVERSCAN = 3;
/** So long after the last quick step the list stands still. */
const REST_MS = 120;

/** How the list moves: quickly, so that lines are only passed by, or so that they can be read. */
type Pace = "still" | "moving" | "passing";

export interface LineWindow {
  /** What to render, in the order of the document. */
  held: readonly HeldLine[];
  /** Pixels from the top of the list, by line; the last value is the height of all. */
  tops: Float64Array;
  /** The list is moved so quickly that its lines are only passed by. */
  isPassing: boolean;
  /** Brings a line into view with as little movement as possible. */
  reveal: (line: number) => void;
}

/**
 * Which lines of a list with known heights are in view. Renders only when another line comes into view: at once, within
 * the frame of the scroll, so that no empty stretch is ever painted.
 */
export function useLineWindow(
  scroller: RefObject<HTMLElement | null>,
  lines: readonly ListLine[],
  /** Height of what stays in sight above the lines, in pixels. */
  headHeight: number,
): LineWindow {
  const tops = useMemo(() => lineTops(lines, PADDING), [lines]);
  const [range, setRange] = useState<LineRange>({ start: 0, end: 0 });
  const [pace, setPace] = useState<Pace>("still");
  const [slots] = useState(createSlots);
  const shown = useRef(range);

  useLayoutEffect(() => {
    const node = scroller.current;
    if (!node) return;
    let height = node.clientHeight;
    let top = node.scrollTop;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const next = lineRange(tops, top, height, OVERSCAN);
      const { start, end } = shown.current;
      if (next.start === start && next.end === end) return;
      shown.current = next;
      setRange(next);
    };
    const onScroll = () => {
      const step = Math.abs(node.scrollTop - top);
      top = node.scrollTop;
      flushSync(() => {
        look();
        setPace((now) => (step > height / 2 || now === "passing" ? "passing" : "moving"));
      });
      clearTimeout(rest);
      rest = setTimeout(() => setPace("still"), REST_MS);
    };
    const onResize = () => {
      height = node.clientHeight;
      top = node.scrollTop;
      look();
    };
    onResize();
    node.addEventListener("scroll", onScroll, { passive: true });
    const observer = new ResizeObserver(onResize);
    observer.observe(node);
    return () => {
      clearTimeout(rest);
      setPace("still");
      node.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, [scroller, tops]);

  const reveal = useCallback(
    (line: number) => {
      const node = scroller.current;
      const [from, to] = [tops[line], tops[line + 1]];
      if (!node || from === undefined || to === undefined) return;
      const space = node.clientHeight - headHeight;
      if (from < node.scrollTop) node.scrollTop = from - PADDING;
      else if (to > node.scrollTop + space) node.scrollTop = to - space;
    },
    [scroller, tops, headHeight],
  );

  const isMoving = pace !== "still";
  const held = slots(range, isMoving).filter(({ line }) => line < lines.length);
  return { held, tops, isPassing: pace === "passing", reveal };
}
