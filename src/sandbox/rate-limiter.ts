import type { Caller } from "./authenticate.ts";
import { statusError } from "./faults.ts";
import type { RateLimits } from "./settings.ts";

const WINDOW_MS = 60_000;

/** Counts requests per key and per organisation in windows of one minute of real time (spec 5.4). */
export interface RateLimiter {
  /** Throws 429 of type rate_limit_exceeded; spec 7: no Retry-After header goes with it. */
  count(caller: Caller, limits: RateLimits): void;
}

export function createRateLimiter(realNow: () => number): RateLimiter {
  let window = 0;
  const counts = new Map<string, number>();
  const isOver = (name: string, limit: number | null) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return limit !== null && count > limit;
  };
  return {
    count(caller, limits) {
      const current = Math.floor(realNow() / WINDOW_MS);
      if (current !== window) counts.clear();
      window = current;
      const keyIsOver = isOver(`key ${caller.key}`, limits.perKey);
      const organisationIsOver = isOver(`organisation ${caller.organisation}`, limits.perOrganisation);
      if (keyIsOver || organisationIsOver) throw statusError(429, "");
    },
  };
}
