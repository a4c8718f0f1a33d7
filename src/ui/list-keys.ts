/** How many items Page Up and Page Down move by: about as many as a list in a dialog shows. */
const PAGE_ITEMS = 6;

interface ListKeyOptions {
  /** At an end of the list the arrows go on at the other end. Without it they stop. */
  wraps?: boolean;
  /** The items are beside each other, so left and right move instead of up and down. */
  isHorizontal?: boolean;
  /** How many items Page Up and Page Down move by. 0: they are left to scrolling. */
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
  const clamp = (target: number) => Math.max(0, Math.min(last, target));
  switch (key) {
    case isHorizontal ? "ArrowRight" : "ArrowDown":
      return wraps && index === last ? 0 : clamp(index + 1);
    case isHorizontal ? "ArrowLeft" : "ArrowUp":
      return wraps && index <= 0 ? last : clamp(index - 1);
    case "PageDown":
      return pageItems > 0 ? clamp(index + pageItems) : undefined;
    case "PageUp":
      return pageItems > 0 ? clamp(index - pageItems) : undefined;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
