/** How many times as fast as the clock jobs are worked on. */
export const SPEEDS = [1, 10, 60] as const;
export type Speed = (typeof SPEEDS)[number];

export function isSpeed(value: unknown): value is Speed {
  return SPEEDS.some((speed) => speed === value);
}

/**
 * The one time of the sandbox: records, the ledger, limits, signatures and `Date` headers all carry it, so that they agree
 * with the clock of whoever reads them. The speed shortens work alone. The clock has no timers.
 */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** The same in whole seconds, as records carry it. */
  nowSeconds(): number;
  speed(): Speed;
  /** When work of `seconds` ends that begins at `fromMs`, at the present speed. In milliseconds. */
  endOfWork(fromMs: number, seconds: number): number;
  /** Changes the speed from now on. Listeners move the ends of work under way. */
  setSpeed(speed: Speed): void;
  /** Called at a change of speed: what is left of any work then takes `ratio` times as long. */
  onSpeed(listener: (ratio: number, nowMs: number) => void): void;
}

export function createSandboxClock(now: () => number, initialSpeed: Speed): SandboxClock {
  let speed = initialSpeed;
  const listeners: ((ratio: number, nowMs: number) => void)[] = [];
  return {
    now,
    nowSeconds: () => Math.floor(now() / 1000),
    speed: () => speed,
    endOfWork: (fromMs, seconds) => fromMs + Math.round((seconds * 1000) / speed),
    setSpeed(next) {
      const ratio = speed / next;
      speed = next;
      for (const listener of listeners) listener(ratio, now());
    },
    onSpeed: (listener) => void listeners.push(listener),
  };
}
