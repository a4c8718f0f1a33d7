import { fullJitterMs } from "#lib/delay.ts";
import { NoAnswerError, RefusedError } from "./api-error.ts";

const MOST_RETRIES = 3;
const SHORTEST_WAIT_MS = 250;
const RETRIED_STATUSES = [429, 502, 503];

/**
 * Whether a failed read is tried again. Spec 7 rules 1 and 2: 429, 502 and 503 are, so is a read without an answer;
 * 400, 401, 404 and everything else never. `failureCount` counts the failures before this one, as React Query does.
 * Only for requests that cost nothing.
 */
export function retryRead(failureCount: number, error: unknown): boolean {
  return failureCount < MOST_RETRIES && isTransient(error);
}

/** Whether waiting may cure the error: the service is busy or unavailable, or no answer came. Never throws. */
export function isTransient(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof RefusedError && RETRIED_STATUSES.includes(error.status));
}

/**
 * How long to wait before the next try, in ms: full jitter from one second, doubling, at least 250 ms (spec 7 rule 1).
 * Never throws.
 */
export function retryDelayMs(failureCount: number): number {
  return Math.max(SHORTEST_WAIT_MS, fullJitterMs({ attempt: failureCount }));
}
