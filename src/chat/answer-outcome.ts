import { type ApiError, RefusedError } from "#api/api-error.ts";
import { type Explanation, explainError } from "#api/explain-error.ts";

/** An error as it can be kept: what happened, whether anything was charged, what to do. */
export interface KeptError extends Pick<Explanation, "title" | "body" | "chargedText" | "nextStep"> {
  /** Spec 7: the model is a generation model, which runs in Create. */
  isOtherCatalogue: boolean;
}

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
  const isOtherCatalogue = error instanceof RefusedError && error.status === 404 && NO_ENDPOINT.test(error.message);
  return { title, body: asSentence(body), chargedText, nextStep, isOtherCatalogue };
}

/** The service's own words may lack their full stop, and more sentences follow. */
function asSentence(text: string): string {
  return /[.!?…]$/.test(text.trim()) ? text : `${text.trim()}.`;
}
