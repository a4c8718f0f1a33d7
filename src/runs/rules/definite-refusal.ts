import type { RefusedError } from "#api/api-error.ts";
import { asFilledText, isRecord } from "#lib/read.ts";

/** Statuses of a client's mistake that are none: they say that a request was cut, raced or misdirected. */
const UNCLEAR = new Set([408, 409, 421, 425, 499]);

/**
 * The service's own words for 502 and 503 (spec 7): every provider failed, or authentication, routing or the rate stands
 * in the way. A gateway's "Bad Gateway" or "Service Temporarily Unavailable" is none of them.
 */
const OWN_WORDS =
  /\ball (?:upstream )?endpoints failed\b|\b(?:authentication|routing)\b.*\bunavailable\b|\brate limit/i;

/**
 * Whether an answer to a submit or a text is a definite no, after which no job exists and nothing was written. `passing`:
 * the same request may be repeated (spec 7 rule 1). `final`: it may not. Undefined: it proves nothing, because a gateway may
 * have said it after the work was done. That holds for a body that is not a JSON object, whatever its status (errors of the
 * service are objects, spec 7), for a 429 without the words of an `error`, since another attempt would follow, and for any
 * other 5xx. Never throws.
 */
export function definiteRefusal({ status, body }: RefusedError): "final" | "passing" | undefined {
  if (!isRecord(body)) return undefined;
  const message = errorMessage(body);
  if (status === 429 && message === "" && !asFilledText(body.error)) return undefined;
  return definiteWords({ status, message });
}

/** The same for a status and the words of `error.message`, as a record of an earlier page holds them. Never throws. */
export function definiteWords({
  status,
  message,
}: {
  status: number;
  message: string;
}): "final" | "passing" | undefined {
  if (status === 429) return "passing";
  if (status === 502 || status === 503) return OWN_WORDS.test(message) ? "passing" : undefined;
  return status >= 400 && status < 500 && !UNCLEAR.has(status) ? "final" : undefined;
}

/**
 * Whether a refusal names its model as inactive for now (spec 3, spec 7): no job was made, and nothing was charged. Never
 * throws.
 */
export function saysInactive({ status, message }: { status: number; message: string }): boolean {
  return status === 404 && /\binactive\b/i.test(message);
}

/** `error.message`, the one place where spec 7 puts the service's words. */
function errorMessage(body: unknown): string {
  const error = isRecord(body) ? body.error : undefined;
  return isRecord(error) && typeof error.message === "string" ? error.message : "";
}
