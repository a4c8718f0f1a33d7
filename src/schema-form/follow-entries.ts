import { sameJson } from "#lib/read.ts";

/**
 * The new position of each entry of a list that something else than its own control changed; undefined where an entry
 * is gone or cannot be recognized. If only one entry differs, it is the same entry with new content. Of equal entries
 * the order stays, unless one of them is gone.
 */
export function followEntries(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  if (before.length === after.length) {
    const differing = before.filter((entry, at) => !sameJson(entry, after[at]));
    if (differing.length <= 1) return before.map((_, at) => at);
  }
  const newByText = positionsByText(after);
  const newPositions: (number | undefined)[] = before.map(() => undefined);
  for (const [text, oldOfText] of positionsByText(before)) {
    const newOfText = newByText.get(text) ?? [];
    if (newOfText.length < oldOfText.length) continue;
    for (const [order, oldPosition] of oldOfText.entries()) newPositions[oldPosition] = newOfText[order];
  }
  return newPositions;
}

/** The positions of equal entries, by their JSON text. */
function positionsByText(entries: readonly unknown[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, entry] of entries.entries()) {
    const text = JSON.stringify(entry);
    positions.set(text, [...(positions.get(text) ?? []), at]);
  }
  return positions;
}
