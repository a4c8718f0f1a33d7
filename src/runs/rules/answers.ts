// What one answer of the service proves: a definite no, or a job.
import type { RefusedError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import { asFilledText, isRecord } from "#lib/read.ts";

/** Statuses from 400 to 499 that prove no refusal: they say that a request was cut, raced or misdirected. */
const UNCLEAR = new Set([408, 409, 421, 425, 499]);

/**
 * The service's own words for 502 and 503 (spec 7): every provider failed, or authentication, routing or the rate stands
 * in the way. A gateway's "Bad Gateway" or "Service Temporarily Unavailable" is not one of them.
 */
const OWN_WORDS =
  /\ball (?:upstream )?endpoints failed\b|\b(?:authentication|routing)\b.*\bunavailable\b|\brate limit/i;

/**
 * Whether the answer to a submit, or to a request for text, is a definite no, after which no job exists and nothing was
 * written. `retryable`: the same request may be repeated (spec 7 rule 1). `final`: it may not. Undefined: it proves nothing,
 * because a gateway may have said it after the work was done. That holds for a body that is not a JSON object, whatever its
 * status (errors of the service are objects, spec 7), for a 429 without the words of an `error`, since another attempt would
 * follow, and for any other 5xx.
 */
export function definiteRefusal({ status, body }: RefusedError): "final" | "retryable" | undefined {
  if (!isRecord(body)) return undefined;
  const message = errorMessage(body);
  if (status === 429 && message === "" && !asFilledText(body.error)) return undefined;
  return refusalKind({ status, message });
}

/** What `definiteRefusal` says of a refusal that was read back from storage, with no more than its status and `error.message`. */
export function refusalKind({
  status,
  message,
}: {
  status: number;
  message: string;
}): "final" | "retryable" | undefined {
  if (status === 429) return "retryable";
  if (status === 502 || status === 503) return OWN_WORDS.test(message) ? "retryable" : undefined;
  return status >= 400 && status < 500 && !UNCLEAR.has(status) ? "final" : undefined;
}

/** 401: the key. 402: the balance. 403: a resource pool (spec 7). Most other runs would get the same answer. */
export const STOPS_ALL: ReadonlySet<number> = new Set([401, 402, 403]);

/**
 * Whether a refusal names its model as inactive for now (spec 3, spec 7): no job was made, and nothing was charged.
 */
export function saysInactive({ status, message }: { status: number; message: string }): boolean {
  return status === 404 && /\binactive\b/i.test(message);
}

/** `error.message`, the one place where spec 7 puts the service's words. */
function errorMessage(body: unknown): string {
  const error = isRecord(body) ? body.error : undefined;
  return isRecord(error) && typeof error.message === "string" ? error.message : "";
}

/** The evidence in an answer for and against a job. `#api/jobs.ts` gathers it from all levels of the answer. */
export interface Evidence {
  /** Undefined where nothing in the answer looks like a job. */
  job: Pick<Job, "model" | "status"> | undefined;
  /** An id in the answer: of a job, of a trace, or of something else. */
  id: string | undefined;
  /** It has a model and a status of a job. Then error codes and flags beside them are ignored. */
  hasModelAndStatus: boolean;
  /** Its status is an end without a result. */
  hasNoResult: boolean;
  /** It has more of a record than an id and a status. */
  hasFields: boolean;
  /** Its id stands under a name that only jobs use. */
  namesJob: boolean;
  hasError: boolean;
}

/** Statuses that only a job has, as `readStatus` spells them. Failures are not among them: a request may have failed, too. */
const JOB_STATUS =
  /^(queued|in_queue|enqueued|pending|created|submitted|accepted|received|scheduled|waiting|dispatched|assigned|starting|started|initiali[sz](ed|ing)|preparing|processing|running|in_progress|working|generating|rendering)$/;
/** Statuses that a request may have, so that beside an id they say nothing about a job. */
const REQUEST_STATUS = /^(unknown|ok|okay|\d+)$/;

/** Whether only a job has such a status. */
export const isJobStatus = (status: string) => status === "success" || JOB_STATUS.test(status);

/**
 * Whether the answer to a submit proves that a job was made. A good status and an id do not: servers also answer 200 with an
 * error, with the id of a trace, and portals with a page of their own. Proof is an id beside a model or a status of a job,
 * without an error in the answer; a failure needs the model, and a plain `id` needs more of a job than a status.
 */
export function provesJob({ job, namesJob, hasFields, hasError }: Evidence): boolean {
  if (job === undefined || hasError) return false;
  return job.model !== undefined || (isJobStatus(job.status) && (namesJob || hasFields));
}

/** Whether a job that the answer to a submit names without proof is ours only if its record repeats what was sent. */
export const needsEcho = ({ job, hasModelAndStatus, hasError, hasNoResult }: Evidence) =>
  !hasModelAndStatus && (hasError || job === undefined || hasNoResult);

/**
 * Whether the answer to a request for one job is the record of that very job: it repeats the id, or has none, and says what
 * only a record says of its job. An error, a failure or a word such as "ok" may be those of the request.
 */
export function provesRecord(
  { job, id, hasNoResult, hasFields, namesJob, hasError }: Evidence,
  requestId: string,
): boolean {
  if (job === undefined || (id !== undefined && id !== requestId)) return false;
  const mayBeOfRequest = hasError || hasNoResult || REQUEST_STATUS.test(job.status);
  if (id === undefined) return !mayBeOfRequest && isJobStatus(job.status);
  if (job.model !== undefined || hasFields) return true;
  // A field named just `id` beside "success" may belong to anything.
  return !mayBeOfRequest && isJobStatus(job.status) && (namesJob || job.status !== "success");
}
