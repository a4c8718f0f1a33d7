const SECOND = 1000;
const MINUTE = 60 * SECOND;
const SLOWEST_MS = MINUTE;

/** How long until the next poll of a job, in ms, and why it is longer than the 10 s that the specification recommends. */
export interface PollPace {
  minMs: number;
  maxMs: number;
  /**
   * `old`: the job has run for half an hour. `limited`: the service limits our rate. `failing`: polls failed in a row.
   * The screen says it (`results/waiting/poll-times.ts`).
   */
  slowBecause?: "old" | "limited" | "failing";
}

/** Spec 8: 5 to 10 s. The spread lies within, so that many jobs do not ask at the same moment. */
const FAST: PollPace = { minMs: 5.2 * SECOND, maxMs: 6.2 * SECOND };
const USUAL: PollPace = { minMs: 8 * SECOND, maxMs: 10 * SECOND };
const SLOW = { minMs: 13 * SECOND, maxMs: 15 * SECOND };
const VERY_SLOW = { minMs: 0.8 * SLOWEST_MS, maxMs: SLOWEST_MS };
const OLD_AFTER_MS = 30 * MINUTE;
const VERY_OLD_AFTER_MS = 6 * 60 * MINUTE;

function paceOfAge(ageMs: number): PollPace {
  if (ageMs < MINUTE) return FAST;
  if (ageMs < OLD_AFTER_MS) return USUAL;
  return { ...(ageMs < VERY_OLD_AFTER_MS ? SLOW : VERY_SLOW), slowBecause: "old" };
}

/**
 * The pace of a job's polls: within 5 to 10 s for half an hour, then 15 s, and once a minute after six hours. Under a rate
 * limit 15 s. From the second failure in a row on it doubles, up to a minute; a failed poll is never the last one.
 */
export function pollPace({
  ageMs,
  failures = 0,
  isLimited = false,
}: {
  /** How long the job has run. */
  ageMs: number;
  /** Polls that failed in a row. */
  failures?: number;
  isLimited?: boolean;
}): PollPace {
  const byAge = paceOfAge(ageMs);
  const pace: PollPace = isLimited && byAge.maxMs < SLOW.maxMs ? { ...SLOW, slowBecause: "limited" } : byAge;
  if (failures < 2) return pace;
  const factor = 2 ** Math.min(failures - 1, 6);
  return {
    minMs: Math.min(VERY_SLOW.minMs, pace.minMs * factor),
    maxMs: Math.min(SLOWEST_MS, pace.maxMs * factor),
    slowBecause: "failing",
  };
}

/**
 * A number in [0, 1) that follows from the text, so that polls are spread without a new random number at every render.
 */
export function spreadOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

const SHORTEST_PAUSE_MS = 2 * SECOND;

/**
 * How long after an answer the next poll goes, in ms. The pace counts from one request to the next, so the time that the
 * last one took is part of it. `spread` is in [0, 1).
 */
export function pollWaitMs({ minMs, maxMs }: PollPace, spread: number, tookMs = 0): number {
  return Math.round(Math.max(SHORTEST_PAUSE_MS, minMs + (maxMs - minMs) * spread - tookMs));
}
