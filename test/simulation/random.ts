/** A small seeded generator (mulberry32): the same seed gives the same schedule, for ever. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whether something with this probability happens. */
  chance(probability: number): boolean;
  /** In [low, high). */
  between(low: number, high: number): number;
  whole(low: number, high: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    between: (low, high) => low + next() * (high - low),
    whole: (low, high) => Math.floor(low + next() * (high - low)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
}
