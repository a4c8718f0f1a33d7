import {
  defaultRangeExtractor,
  type Range as IndexRange,
  useVirtualizer,
  type Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/react-virtual";
import { type RefObject, useCallback } from "react";

type OwnOptions = Pick<
  VirtualizerOptions<HTMLElement, Element>,
  | "horizontal"
  | "paddingStart"
  | "paddingEnd"
  | "scrollPaddingStart"
  | "scrollPaddingEnd"
  | "isScrollingResetDelay"
  | "observeElementOffset"
>;

interface ListWindowOptions<Line> extends Partial<OwnOptions> {
  /** How high a line is, or how wide in a horizontal list; in pixels. */
  sizeOf: (line: Line) => number;
  /** A key of the line that no other has; its index without one. */
  keyOf?: (line: Line) => string | number;
  /** How many lines before and after those in sight are rendered. */
  overscan: number;
  /** The index of the line that is the tab stop, which is rendered also out of sight. Negative: there is none. */
  tabStop?: number;
}

/**
 * Which lines of a list are rendered: those in sight of `scroller`, and a few around them. Sizes follow from the lines and are
 * not measured on the page. So `lines`, `sizeOf` and `keyOf` must stay the same objects as long as nothing changes: all places are
 * computed anew when one of them is another.
 */
export function useListWindow<Line>(
  scroller: RefObject<HTMLElement | null>,
  lines: readonly Line[],
  { sizeOf, keyOf, overscan, tabStop = -1, ...options }: ListWindowOptions<Line>,
): Virtualizer<HTMLElement, Element> {
  return useVirtualizer<HTMLElement, Element>({
    ...options,
    count: lines.length,
    overscan,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (index < lines.length ? sizeOf(lines[index] as Line) : 0),
    // The virtualizer computes all places anew when it is given another function here.
    // biome-ignore lint/correctness/useExhaustiveDependencies: another one for other sizes, too
    getItemKey: useCallback(
      (index: number) => (keyOf === undefined || index >= lines.length ? index : keyOf(lines[index] as Line)),
      [lines, sizeOf, keyOf],
    ),
    rangeExtractor: useCallback(
      (range: IndexRange) => {
        const inSight = defaultRangeExtractor(range);
        return tabStop < 0 || inSight.includes(tabStop) ? inSight : [...inSight, tabStop];
      },
      [tabStop],
    ),
  });
}
