import { QUIRKS } from "#sandbox/quirks/queue-quirks.ts";

/** Quirks after which nobody gets on: they are played alone. */
export const NOBODY_GETS_ON = ["truncated-json", "busy-submit"];

/** A row of numbers below one that is always the same, so that a combination that fails can be played again. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** So many times two to six quirks at once, always the same ones. */
export function combinations(count: number): string[][] {
  const random = numbers(14);
  const next = () => random.next().value as number;
  const names = QUIRKS.map(({ name }) => name).filter((name) => !NOBODY_GETS_ON.includes(name));
  return Array.from({ length: count }, () => {
    const size = 2 + Math.floor(next() * 5);
    const chosen = new Set<string>();
    while (chosen.size < size) chosen.add(names[Math.floor(next() * names.length)] ?? "");
    return [...chosen];
  });
}
