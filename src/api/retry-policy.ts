import { backoffMs } from "#lib/delay.ts";
import { NoAnswerError, RefusedError } from "./api-error.ts";

/** Five tries in all, over about 15 s where the service asks for no longer waits. */
const MAX_RETRIES = 4;
/** A longer `Retry-After` is cut to this: nobody looks at a screen for longer. */
export const LONGEST_RETRY_AFTER_MS = 120_000;
const RETRIED_STATUSES = [429, 502, 503];

/**
 * Whether a failed read is tried again. Spec 7 rules 1 and 2: 429, 502 and 503 are, so is a read without an answer;
 * 400, 401, 404 and everything else never. `failureCount` counts the failures before this one, as React Query does.
 * Only for requests that cost nothing.
 */
export function mayRetryRead(failureCount: number, error: unknown): boolean {
  return failureCount < MAX_RETRIES && isTransient(error);
}

/** Whether waiting may cure the error: the service is busy or unavailable, or no answer came. */
export function isTransient(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof RefusedError && RETRIED_STATUSES.includes(error.status));
}

/**
 * How long to wait before the next try, in ms: about a second, doubling, ±25 % (spec 7 rule 1), and at least what the
 * answer's own `Retry-After` asks for, up to two minutes.
 */
export function retryDelayMs(failureCount: number, error?: unknown, random: () => number = Math.random): number {
  const askedMs = error instanceof RefusedError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(backoffMs({ attempt: failureCount, random }), Math.min(LONGEST_RETRY_AFTER_MS, askedMs));
}
