const MOST_KEPT = 20;

const places = new Map<string, number>();

/** Where a list stood when it was last left, in pixels; 0 where it was not seen in this session. */
export function keptScroll(placeKey: string): number {
  return places.get(placeKey) ?? 0;
}

/** Keeps where a list stands. */
export function keepScroll(placeKey: string, top: number): void {
  places.delete(placeKey);
  places.set(placeKey, top);
  const oldest = places.keys().next();
  if (places.size > MOST_KEPT && !oldest.done) places.delete(oldest.value);
}
