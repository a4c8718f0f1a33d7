/** How fast sandbox time runs against the given clock. */
export const SPEEDS = [1, 10, 60] as const;
export type Speed = (typeof SPEEDS)[number];

export function isSpeed(value: unknown): value is Speed {
  return SPEEDS.some((speed) => speed === value);
}

/** Sandbox time: the start, plus what has passed since, times the speed. Nothing here waits or fires. */
export interface SandboxClock {
  /** Sandbox time in milliseconds. */
  now(): number;
  /** Sandbox time in whole seconds, as records carry it. */
  nowSeconds(): number;
  /** The injected clock itself, in milliseconds: for what is about real waiting, such as rate limits. */
  realNow(): number;
  speed(): Speed;
  /** Changes the speed from now on; time neither jumps nor runs backwards. */
  setSpeed(speed: Speed): void;
}

export function createSandboxClock(realNow: () => number, initialSpeed: Speed): SandboxClock {
  let speed = initialSpeed;
  let anchorReal = realNow();
  let anchorSandbox = anchorReal;
  const now = () => anchorSandbox + (realNow() - anchorReal) * speed;
  return {
    now,
    nowSeconds: () => Math.floor(now() / 1000),
    realNow,
    speed: () => speed,
    setSpeed(next) {
      anchorSandbox = now();
      anchorReal = realNow();
      speed = next;
    },
  };
}
