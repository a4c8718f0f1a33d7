import type { UsualTime } from "./usual-time.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Where a scale may end: round times that a person would say. */
const SCALE_ENDS = [
  ...[2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 60].map((seconds) => seconds * SECOND_MS),
  ...[2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 60].map((minutes) => minutes * MINUTE_MS),
];

/** The scale is this much longer than the usual range and the elapsed time, so that neither touches its end. */
const AFTER_RANGE = 1.25;
const AFTER_NOW = 1.1;

/** A scale of time from 0 to `endMs`. */
export interface TimeScale {
  endMs: number;
  /** The usual range, in percent of the scale. */
  low: number;
  high: number;
  /** The present moment, in percent. */
  now: number;
  /** The usual range is over. */
  isLate: boolean;
}

/**
 * The scale on which the elapsed time is drawn against the usual range. It ends at a round time after both, and grows
 * in steps when the usual range is over. It shows time, never progress: the service reports none.
 */
export function timeScale(elapsedMs: number, { lowMs, highMs }: Pick<UsualTime, "lowMs" | "highMs">): TimeScale {
  const elapsed = Number.isFinite(elapsedMs) ? Math.max(0, elapsedMs) : 0;
  const minEndMs = Math.max(highMs * AFTER_RANGE, elapsed * AFTER_NOW);
  const endMs = SCALE_ENDS.find((end) => end >= minEndMs) ?? Math.ceil(minEndMs / HOUR_MS) * HOUR_MS;
  const share = (ms: number) => (ms / endMs) * 100;
  return { endMs, low: share(lowMs), high: share(highMs), now: share(elapsed), isLate: elapsed > highMs };
}

/** Labels closer than this, in percent of the scale, would touch on a phone. */
const MIN_LABEL_DISTANCE = 13;

/** One label under the scale. */
interface Tick {
  /** In percent of the scale. */
  at: number;
  ms: number;
  kind: "start" | "low" | "high" | "end";
}

/** The labels under a scale, from left to right, without those that would touch a more important one. */
export function createTicks(scale: TimeScale, { lowMs, highMs }: Pick<UsualTime, "lowMs" | "highMs">): Tick[] {
  const { endMs, low, high } = scale;
  const byImportance: Tick[] = [
    { at: high, ms: highMs, kind: "high" },
    { at: low, ms: lowMs, kind: "low" },
    { at: 0, ms: 0, kind: "start" },
    { at: 100, ms: endMs, kind: "end" },
  ];
  const placed: Tick[] = [];
  for (const tick of byImportance)
    if (placed.every(({ at }) => Math.abs(at - tick.at) >= MIN_LABEL_DISTANCE)) placed.push(tick);
  return placed.sort((a, b) => a.at - b.at);
}
