interface Event {
  atMs: number;
  order: number;
  run: () => void;
}

/** Time that passes only from one event to the next. Events of one moment run in the order they were made. */
export interface VirtualTime {
  nowMs(): number;
  /** Runs something after `ms`. */
  after(ms: number, run: () => void): void;
  /** Runs the next event. False when there is none before `untilMs`. */
  step(untilMs: number): boolean;
}

export function createVirtualTime(): VirtualTime {
  const heap: Event[] = [];
  let now = 0;
  let made = 0;
  const before = (a: Event, b: Event) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  const swap = (a: number, b: number) => {
    const first = heap[a] as Event;
    heap[a] = heap[b] as Event;
    heap[b] = first;
  };
  const rise = () => {
    let index = heap.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(heap[index] as Event, heap[parent] as Event)) return;
      swap(index, parent);
      index = parent;
    }
  };
  const sink = () => {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let least = index;
      if (left < heap.length && before(heap[left] as Event, heap[least] as Event)) least = left;
      if (right < heap.length && before(heap[right] as Event, heap[least] as Event)) least = right;
      if (least === index) return;
      swap(index, least);
      index = least;
    }
  };
  return {
    nowMs: () => now,
    after: (ms, run) => {
      heap.push({ atMs: now + Math.max(0, ms), order: made++, run });
      rise();
    },
    step: (untilMs) => {
      const first = heap[0];
      if (!first || first.atMs > untilMs) return false;
      const last = heap.pop() as Event;
      if (heap.length > 0) {
        heap[0] = last;
        sink();
      }
      now = first.atMs;
      first.run();
      return true;
    },
  };
}

/** A small seeded generator (mulberry32): the same seed gives the same schedule, for ever. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whether something with this probability happens. */
  chance(probability: number): boolean;
  /** In [low, high). */
  between(low: number, high: number): number;
  whole(low: number, high: number): number;
  /** One of at least one. */
  pick<T>(items: readonly T[]): T;
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
    pick: <T>(items: readonly T[]) => items[Math.floor(next() * items.length)] as T,
  };
}
