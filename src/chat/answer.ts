import { type ApiError, RefusedError } from "#api/api-error.ts";
import { type Explanation, explainError } from "#api/explain-error.ts";
import type { TextEvent, TextUsage } from "#api/text-types.ts";

/** An error as it can be kept: what happened, whether anything was charged, what to do. */
export interface StoredError extends Pick<Explanation, "title" | "body" | "chargedText" | "nextStep"> {
  /** Where the next act is done, if not here. */
  place?: ErrorPlace;
}

/**
 * `connect`: the key was refused. `create`: the model is a generation model (spec 7). `models`: another model may do.
 */
type ErrorPlace = (typeof ERROR_PLACES)[number];
export const ERROR_PLACES = ["connect", "create", "models"] as const;

/**
 * How an answer ended. `early`: the stream stopped without the format's own end. `stopped`: by the person. `lost`: the
 * page was closed in the middle. In all cases the text that came is kept.
 */
export interface AnswerOutcome {
  how: "complete" | "early" | "stopped" | "failed" | "lost";
  error?: StoredError;
}

const NO_ENDPOINT = /no endpoint for model/i;

/** Explains an error of a text endpoint once, so that it can be shown again after a reload. */
export function toStoredError(error: ApiError): StoredError {
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

/** What was measured of one answer. Everything the service did not tell is absent, never guessed. */
export interface AnswerFacts {
  /** From sending to the first character of text or reasoning, in ms. */
  firstTokenMs?: number;
  /** From sending to the end, in ms. */
  totalMs?: number;
  inputTokens?: number;
  outputTokens?: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
  stopReason?: string;
  /** False where a stream was asked for and the answer came in one piece. */
  isStream?: boolean;
  /** Events that carried text: near the number of tokens on most servers, exact on none. */
  pieces: number;
}

export const NO_FACTS: AnswerFacts = { pieces: 0 };

/** Takes one more event of an answer into what is measured. */
export function measure(facts: AnswerFacts, event: TextEvent): AnswerFacts {
  switch (event.kind) {
    case "text":
    case "reasoning":
      return { ...facts, firstTokenMs: facts.firstTokenMs ?? event.atMs, pieces: facts.pieces + 1 };
    case "form":
      return { ...facts, isStream: event.isStream };
    case "usage":
      return { ...facts, ...countsOf(event.usage) };
    case "end":
      return {
        ...(event.how === "complete" ? facts : interrupted(facts)),
        totalMs: event.atMs,
        ...(event.stopReason === undefined ? {} : { stopReason: event.stopReason }),
      };
    case "error":
      return { ...interrupted(facts), totalMs: event.atMs };
    default:
      return facts;
  }
}

/** An answer that broke off: a count of its output that came before the end is not the whole of it. */
export function interrupted({ outputTokens: _, reasoningTokens: __, ...facts }: AnswerFacts): AnswerFacts {
  return facts;
}

/** An answer and its continuation as one. A count of tokens that one of them was not told is not told of both. */
export function joinFacts(before: AnswerFacts, after: AnswerFacts): AnswerFacts {
  const sums = SUMMED.flatMap((name) => {
    const told = [before[name], after[name]].filter((count) => count !== undefined);
    const isPart = name !== "inputTokens" && name !== "outputTokens";
    return told.length === 2 || (isPart && told.length === 1) ? [[name, told.reduce((a, b) => a + b)] as const] : [];
  });
  const { firstTokenMs } = before;
  const { stopReason, isStream } = after;
  return {
    ...Object.fromEntries(sums),
    ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(isStream === undefined ? {} : { isStream }),
    pieces: before.pieces + after.pieces,
  };
}

/** What an answer and its continuation have together. */
export const SUMMED = [
  "totalMs",
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/**
 * Output tokens a second from the first token to the end. Undefined without a token count, and for an answer in one
 * piece, whose pace nobody saw.
 */
export function tokensPerSecond({ outputTokens, firstTokenMs, totalMs, isStream }: AnswerFacts): number | undefined {
  if (outputTokens === undefined || firstTokenMs === undefined || totalMs === undefined || isStream === false) return;
  const seconds = (totalMs - firstTokenMs) / 1000;
  return seconds > 0.01 && outputTokens > 1 ? (outputTokens - 1) / seconds : undefined;
}

function countsOf({ raw: _, ...counts }: TextUsage): Omit<TextUsage, "raw"> {
  return counts;
}
