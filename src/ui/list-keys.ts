/** About what is in sight of a list in a dialog. */
const PAGE_ITEMS = 6;

/**
 * The index that a key leads to in a list of `count` items; undefined where it is no key for moving. `index` is -1 while none is
 * active. The arrows stop at the ends, or go around them with `wraps`.
 */
export function indexAfterKey(
  key: string,
  index: number,
  count: number,
  { wraps = false }: { wraps?: boolean } = {},
): number | undefined {
  const last = count - 1;
  const within = (to: number) => Math.max(0, Math.min(last, to));
  switch (key) {
    case "ArrowDown":
      return wraps && index === last ? 0 : within(index + 1);
    case "ArrowUp":
      return wraps && index <= 0 ? last : within(index - 1);
    case "PageDown":
      return within(index + PAGE_ITEMS);
    case "PageUp":
      return within(index - PAGE_ITEMS);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
