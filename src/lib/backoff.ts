const DEFAULT_BASE_MS = 1000;
const DEFAULT_CAP_MS = 60_000;

/**
 * Full jitter: a random wait in ms between nothing and a ceiling that starts at `baseMs` and doubles with each attempt.
 * `attempt` counts from 0. Spec 7 rule 1: exponential backoff and jitter, from around one second, doubling.
 */
export function fullJitterMs({
  attempt,
  baseMs = DEFAULT_BASE_MS,
  capMs = DEFAULT_CAP_MS,
  random = Math.random,
}: {
  attempt: number;
  baseMs?: number;
  capMs?: number;
  random?: () => number;
}): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.max(0, attempt));
  return Math.round(random() * ceiling);
}
