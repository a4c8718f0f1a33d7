import { sameJson } from "#lib/read.ts";

/**
 * Where each entry of a list is after the list was changed by anything but its own control; undefined where it is
 * gone or cannot be recognized. One entry that differs while all others stay is the same entry with another content. Equal
 * entries keep their order while their number stays.
 */
export function followEntries(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  if (before.length === after.length) {
    const others = before.filter((entry, at) => !sameJson(entry, after[at]));
    if (others.length <= 1) return before.map((_, at) => at);
  }
  const was = positionsOf(before);
  const is = positionsOf(after);
  const found: (number | undefined)[] = before.map(() => undefined);
  for (const [text, positions] of was) {
    const now = is.get(text) ?? [];
    if (now.length < positions.length) continue;
    for (const [order, place] of positions.entries()) found[place] = now[order];
  }
  return found;
}

function positionsOf(entries: readonly unknown[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, entry] of entries.entries()) {
    const text = JSON.stringify(entry);
    positions.set(text, [...(positions.get(text) ?? []), at]);
  }
  return positions;
}
