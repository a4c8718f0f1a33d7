const SECOND = 1000;
const MINUTE = 60 * SECOND;
const SLOWEST_MS = MINUTE;
/** Spec 8: 5 to 10 s is recommended. Old jobs are polled less often, and never given up. */
const STEPS: readonly [untilMs: number, everyMs: number][] = [
  [MINUTE, 5 * SECOND],
  [5 * MINUTE, 10 * SECOND],
  [30 * MINUTE, 15 * SECOND],
];

/**
 * A number in [0, 1) that follows from the text, so that polls are spread without a new random number at every render.
 * Never throws.
 */
export function spreadOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

/**
 * How long until the next poll of a job, in ms, from how old it is: 5 s at first, 10 s after a minute, 15 s after five,
 * 60 s after thirty, each ±20 %. Failures double it up to a minute; a failed poll is never the last one.
 */
export function pollIntervalMs({
  ageMs,
  failures,
  spread,
  slow = 1,
}: {
  ageMs: number;
  /** Polls that failed in a row. */
  failures: number;
  /** In [0, 1). */
  spread: number;
  /** Above 1 while the service limits our rate. */
  slow?: number;
}): number {
  const base = STEPS.find(([untilMs]) => ageMs < untilMs)?.[1] ?? SLOWEST_MS;
  const backedOff = Math.min(SLOWEST_MS, base * slow * 2 ** Math.min(failures, 6));
  return Math.round(Math.max(base, backedOff) * (0.8 + 0.4 * spread));
}
