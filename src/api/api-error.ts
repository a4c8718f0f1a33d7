/** The service answered with a refusal (spec 7). `message` is the service's own text. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly status: number;
  /** `error.type`, where the service sends one (spec 7: optional). */
  readonly type: string | undefined;
  /** The body as parsed JSON, or as text where it is not JSON. */
  readonly body: unknown;
  /** Whether the body was a JSON object with an `error`, and not, say, a gateway's page. */
  readonly hasEnvelope: boolean;
  /** Why the studio's own host answered instead of the service (`X-Safelight-Relay`). */
  readonly hostReason: string | undefined;
  /** How long the answer asked to wait (`Retry-After`), in ms, where it did and a page may read it. */
  readonly retryAfterMs: number | undefined;

  constructor({
    status,
    message,
    type,
    body,
    hasEnvelope = false,
    hostReason,
    retryAfterMs,
  }: {
    status: number;
    message: string;
    type?: string | undefined;
    body?: unknown;
    hasEnvelope?: boolean;
    hostReason?: string | undefined;
    retryAfterMs?: number | undefined;
  }) {
    super(message);
    this.status = status;
    this.type = type;
    this.body = body;
    this.hasEnvelope = hasEnvelope;
    this.hostReason = hostReason;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The request left, or tried to, and no complete answer came. The browser does not say why: an address that does not
 * exist, a lost connection, and a service that does not admit this page all look the same.
 */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly timedOut: boolean;

  constructor({ cause, timedOut = false }: { cause?: unknown; timedOut?: boolean } = {}) {
    super(timedOut ? "No response in time." : "No response.", { cause });
    this.timedOut = timedOut;
  }
}

/** What an answer to a submit said that could be read and proves no job. */
export interface UnprovenJob {
  /** An id that may be the job's, or a trace's, or a portal's. */
  id: string | undefined;
  /** The words of the answer, as they may be shown; empty where it had none. */
  words: string;
  /** It spoke of an error and described no job of its own, so the id may be that of another job. */
  needsEcho: boolean;
}

/**
 * An answer came with a good status, and this client cannot use it: not JSON, too large, of the wrong shape, or, to a submit,
 * without proof of a job.
 */
export class UnreadableAnswerError extends Error {
  override readonly name = "UnreadableAnswerError";
  readonly status: number;
  /** The start of what came, at most 200 characters. */
  readonly excerpt: string;
  /** What the answer to a submit said, where it could be read and proves no job. Undefined for every other answer. */
  readonly unproven: UnprovenJob | undefined;
  /** Why the studio's host answered, as in `RefusedError`: it repeated the service's first answer, for instance. */
  hostReason: string | undefined;

  constructor({
    status,
    excerpt,
    reason,
    unproven,
  }: {
    status: number;
    excerpt: string;
    reason: string;
    unproven?: UnprovenJob | undefined;
  }) {
    super(reason);
    this.status = status;
    this.excerpt = excerpt.slice(0, 200);
    this.unproven = unproven;
  }
}

/** The service began to answer with status 200 and then reported an error, inside the stream or as the only body. */
export class StreamedError extends Error {
  override readonly name = "StreamedError";
  readonly type: string | undefined;
  readonly code: string | undefined;

  constructor({ message, type, code }: { message: string; type?: string | undefined; code?: string | undefined }) {
    super(message);
    this.type = type;
    this.code = code;
  }
}

/** An id that cannot be put into an address safely, such as `..`. No request was made. */
export class UnusableIdError extends Error {
  override readonly name = "UnusableIdError";
}

export type ApiError = RefusedError | NoAnswerError | UnreadableAnswerError | StreamedError | UnusableIdError;

/** Whether an error is one of the five that a request of this folder throws. */
export function isApiError(error: unknown): error is ApiError {
  return (
    error instanceof RefusedError ||
    error instanceof NoAnswerError ||
    error instanceof UnreadableAnswerError ||
    error instanceof StreamedError ||
    error instanceof UnusableIdError
  );
}

/** What was thrown, where it is one of the five; undefined for anything else. */
export const asApiError = (error: unknown): ApiError | undefined => (isApiError(error) ? error : undefined);

/**
 * Whether somebody stopped the request on purpose. An abort is no error: it is neither shown nor retried.
 */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
