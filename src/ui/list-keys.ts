const PAGE = 6;

/**
 * The place that a key leads to in a list of so many, from 0; undefined where it is no key of a list. `at`: where one is, -1 for
 * nowhere. The arrows end at the ends of the list, or lead around them with `wraps`. A page is six places.
 */
export function placeAfterKey(
  key: string,
  at: number,
  count: number,
  { wraps = false }: { wraps?: boolean } = {},
): number | undefined {
  const last = count - 1;
  const within = (place: number) => Math.max(0, Math.min(last, place));
  switch (key) {
    case "ArrowDown":
      return wraps && at === last ? 0 : within(at + 1);
    case "ArrowUp":
      return wraps && at <= 0 ? last : within(at - 1);
    case "PageDown":
      return within(at + PAGE);
    case "PageUp":
      return within(at - PAGE);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
