import { type ApiError, RefusedError } from "#api/api-error.ts";
import { type Explanation, explainError } from "#api/explain-error.ts";

/** An error as it can be kept: what happened, whether anything was charged, what to do. */
export interface KeptError extends Pick<Explanation, "title" | "body" | "chargedText" | "nextStep"> {
  /** Where the next act is done, if not here. */
  place?: ErrorPlace;
}

/**
 * `connect`: the key was refused. `create`: the model is a generation model (spec 7). `models`: another model may do.
 */
export type ErrorPlace = (typeof ERROR_PLACES)[number];
export const ERROR_PLACES = ["connect", "create", "models"] as const;

/**
 * How an answer ended. `early`: the stream stopped without the format's own end. `stopped`: by the person. `lost`: the
 * page was closed in the middle. In all cases the text that came is kept.
 */
export interface AnswerOutcome {
  how: "complete" | "early" | "stopped" | "failed" | "lost";
  error?: KeptError;
}

const NO_ENDPOINT = /no endpoint for model/i;

/** Explains an error of a text endpoint once, so that it can be shown again after a reload. */
export function keepError(error: ApiError): KeptError {
  const { title, body, chargedText, nextStep } = explainError(error, "text");
  const place = placeOf(error);
  return { title, body: asSentence(body), chargedText, nextStep, ...(place === undefined ? {} : { place }) };
}

function placeOf(error: ApiError): ErrorPlace | undefined {
  if (!(error instanceof RefusedError)) return undefined;
  if (error.status === 401) return "connect";
  if (error.status === 404) return NO_ENDPOINT.test(error.message) ? "create" : "models";
  return error.status === 403 ? "models" : undefined;
}

/** The service's own words may lack their full stop, and more sentences follow. */
function asSentence(text: string): string {
  return /[.!?…]$/.test(text.trim()) ? text : `${text.trim()}.`;
}
