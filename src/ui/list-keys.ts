/** About what is in sight of a list in a dialog. */
const PAGE_ITEMS = 6;

interface ListKeyOptions {
  /** The arrows go around the ends, where they stop without it. */
  wraps?: boolean;
  /** The items stand beside each other: left and right move, in place of up and down. */
  isHorizontal?: boolean;
  /** How many items Page Up and Page Down go over. 0: they move nothing, and scroll. */
  pageItems?: number;
}

/**
 * The index that a key leads to in a list of `count` items; undefined where it is no key for moving. `index` is -1 while none is
 * active.
 */
export function indexAfterKey(
  key: string,
  index: number,
  count: number,
  { wraps = false, isHorizontal = false, pageItems = PAGE_ITEMS }: ListKeyOptions = {},
): number | undefined {
  const last = count - 1;
  const within = (to: number) => Math.max(0, Math.min(last, to));
  switch (key) {
    case isHorizontal ? "ArrowRight" : "ArrowDown":
      return wraps && index === last ? 0 : within(index + 1);
    case isHorizontal ? "ArrowLeft" : "ArrowUp":
      return wraps && index <= 0 ? last : within(index - 1);
    case "PageDown":
      return pageItems > 0 ? within(index + pageItems) : undefined;
    case "PageUp":
      return pageItems > 0 ? within(index - pageItems) : undefined;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
