/** Resolves after `ms`. Rejects at once with the signal's reason when it aborts, and leaves no timer behind. */
export function abortableDelay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

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
