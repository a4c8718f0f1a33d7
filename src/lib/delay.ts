/** Resolves after `ms`. Rejects with the signal's reason as soon as it aborts, and clears its timer. */
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

/** Ends many waits at once: `ring` aborts the signal that they got from `signal`. Later waits get a new one. */
export function createAlarm() {
  let next = new AbortController();
  return {
    signal: () => next.signal,
    ring: () => {
      next.abort("woken");
      next = new AbortController();
    },
  };
}

/** A timer that fires so much too late says that the page was asleep. */
const OVERSLEPT_MS = 5_000;
/** What such a page gets for reading what arrived meanwhile. */
const MOMENT_MS = 1_000;

/**
 * Calls back after `ms`. When a page wakes from sleep, its timers are due before it has read what arrived meanwhile, so
 * the call then waits a second more. Returns a function that cancels it.
 */
export function afterSilence(ms: number, callback: () => void): () => void {
  const dueMs = performance.now() + ms;
  let timer = setTimeout(() => {
    if (performance.now() - dueMs < OVERSLEPT_MS) callback();
    else timer = setTimeout(callback, MOMENT_MS);
  }, ms);
  return () => clearTimeout(timer);
}

const FIRST_MS = 1000;
const JITTER = 0.25;
const LONGEST_MS = 60_000;

/**
 * How long to wait before another try, in ms: one second, doubling with each attempt, ±25 % so that clients which failed
 * together do not come back together (spec 7 rule 1). Never more than 60 s. `attempt` counts from 0; `random` gives
 * numbers from 0 to 1.
 */
export function backoffMs({ attempt, random = Math.random }: { attempt: number; random?: () => number }): number {
  const middle = Math.min(LONGEST_MS / (1 + JITTER), FIRST_MS * 2 ** Math.max(0, attempt));
  return Math.round(middle * (1 - JITTER + 2 * JITTER * random()));
}
