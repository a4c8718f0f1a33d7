import { type ApiError, isApiError, RefusedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";

/** What the one POST came to. Nothing here looks at an error's text: browsers give the same one for everything. */
export type SendOutcome =
  | { kind: "accepted"; job: Job }
  | { kind: "rejected"; error: RefusedError }
  /** A definite refusal that the specification asks to try again (spec 7 rule 1). */
  | { kind: "retry"; error: RefusedError; lookFirst: boolean; mostAttempts: number }
  | { kind: "unconfirmed"; surelyCharged: boolean; error: ApiError | undefined };

/** Refusals after which no job exists: the service says so itself (spec 7). */
const DEFINITE = new Set([400, 401, 402, 403, 404, 405, 413, 415, 422]);
const MOST_RATE_LIMITED = 6;
const MOST_UNAVAILABLE = 4;

/** Classes an error of the submit POST. Whatever is not surely a refusal is unconfirmed. */
export function classifyError(error: unknown): SendOutcome {
  if (error instanceof RefusedError) {
    if (DEFINITE.has(error.status)) return { kind: "rejected", error };
    if (error.status === 429) return { kind: "retry", error, lookFirst: false, mostAttempts: MOST_RATE_LIMITED };
    if ((error.status === 502 || error.status === 503) && error.hasEnvelope) {
      return { kind: "retry", error, lookFirst: true, mostAttempts: MOST_UNAVAILABLE };
    }
    return { kind: "unconfirmed", surelyCharged: false, error };
  }
  const surelyCharged = error instanceof UnreadableAnswerError || error instanceof UnusableIdError;
  return { kind: "unconfirmed", surelyCharged, error: isApiError(error) ? error : undefined };
}

/** Classes a readable answer: accepted, with an id that can be used. */
export function classifyAnswer(job: Job): SendOutcome {
  return job.requestId === ""
    ? { kind: "unconfirmed", surelyCharged: true, error: undefined }
    : { kind: "accepted", job };
}
