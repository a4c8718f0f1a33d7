import type { ListLine } from "./list-layout.ts";

/** A half-open range of lines. */
export interface LineRange {
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

/** The lines in view and so many more above and below. */
export function lineRange(tops: Float64Array, top: number, height: number, overscan: number): LineRange {
  const count = tops.length - 1;
  const start = Math.max(0, lineAt(tops, top) - overscan);
  const end = Math.min(count, lineAt(tops, top + height) + 1 + overscan);
  return { start: Math.min(start, count), end };
}

/** The line that stands at a height. */
function lineAt(tops: Float64Array, top: number): number {
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
export interface HeldLine {
  slot: number;
  line: number;
}

/**
 * Gives each line in view a slot and keeps it while the line stays in view. A line that comes in takes the slot of one
 * that left, so that its elements are used again: to make new ones is most of the cost of a scrolled frame. While the
 * list moves no element changes its place in the document and none is taken out; at rest they stand in reading order.
 */
export function createSlots(): (range: LineRange, isMoving: boolean) => readonly HeldLine[] {
  let held: HeldLine[] = [];
  let made = 0;
  return ({ start, end }, isMoving) => {
    const isIn = ({ line }: HeldLine) => line >= start && line < end;
    const known = new Set(held.map(({ line }) => line));
    const missing: number[] = [];
    for (let line = start; line < end; line++) if (!known.has(line)) missing.push(line);
    const reused = held.map((one) => (isIn(one) ? one : { slot: one.slot, line: missing.shift() ?? one.line }));
    const all = [...reused, ...missing.map((line) => ({ slot: made++, line }))];
    held = isMoving ? all : all.filter(isIn).sort((a, b) => a.line - b.line);
    return held;
  };
}
