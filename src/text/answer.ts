import type { StoreApi } from "zustand/vanilla";
import { type ApiError, RefusedError } from "#api/api-error.ts";
import { asSentence, type Explanation, explainError } from "#api/explain-error.ts";
import type { AnswerPart, TextEvent, TextUsage } from "#api/text/text-types.ts";
import type { MarkdownSource } from "./markdown/markdown-source.ts";

/** An error as it is stored: what happened, whether anything was charged, what to do. */
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
 * page was closed in the middle. In all cases the text that arrived stays.
 */
export interface AnswerOutcome {
  how: "complete" | "early" | "stopped" | "failed" | "lost";
  error?: StoredError;
}

/** `queued`: it waits for a free connection, and nothing has been sent. */
export type LivePhase = "queued" | "waiting" | "retrying" | "reasoning" | "answering" | "over";

/** What a component follows of an answer that is coming, besides its text. */
export interface LiveAnswer {
  phase: LivePhase;
  facts: AnswerFacts;
  /** The same list until more comes. */
  parts: readonly AnswerPart[];
}

/** An answer that is coming. It lives outside React; a component follows the part that it shows. */
export interface AnswerRun {
  text: MarkdownSource;
  reasoning: MarkdownSource;
  /** Set when the phase changes, and at most four times a second while text comes. */
  live: StoreApi<LiveAnswer>;
  /** Commits what has arrived so far: before the page goes away. */
  save(): void;
  /** Ends the request at once. What arrived stays. */
  stop(): void;
  /** Settles after the last commit. Never rejects. */
  done: Promise<void>;
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

/** What was measured of one answer. What the service did not report is absent, never guessed. */
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
  /** Of a continued answer: what its last request and its last part came to, which the sums do not show. */
  contextTokens?: number;
  stopReason?: string;
  /** False where a stream was asked for and the answer came in one piece. */
  isStream?: boolean;
  /** Events that carried text: near the number of tokens on most servers, exact on none. */
  pieces: number;
}

export const NO_FACTS: AnswerFacts = { pieces: 0 };

/** The measurements with one more event of the answer. */
export function measure(facts: AnswerFacts, event: TextEvent): AnswerFacts {
  switch (event.kind) {
    case "text":
    case "reasoning":
      return { ...facts, firstTokenMs: facts.firstTokenMs ?? event.atMs, pieces: facts.pieces + 1 };
    case "part":
      return { ...facts, firstTokenMs: facts.firstTokenMs ?? event.atMs };
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

/** Without the counts of output: those of an answer that broke off came before its end, and are too small. */
export function interrupted({ outputTokens: _, reasoningTokens: __, ...facts }: AnswerFacts): AnswerFacts {
  return facts;
}

/**
 * An answer and its continuation as one. Counts of input and output are summed only if both parts have one; cached and
 * reasoning tokens, which services leave out when there are none, are summed as they come.
 */
export function joinFacts(before: AnswerFacts, after: AnswerFacts): AnswerFacts {
  const sums = SUMMED.flatMap((name) => {
    const counts = [before[name], after[name]].filter((count) => count !== undefined);
    const isPart = name !== "inputTokens" && name !== "outputTokens";
    return counts.length === 2 || (isPart && counts.length === 1)
      ? [[name, counts.reduce((a, b) => a + b)] as const]
      : [];
  });
  const { firstTokenMs } = before;
  const { stopReason, isStream, inputTokens, outputTokens, reasoningTokens = 0 } = after;
  const isKnown = inputTokens !== undefined && outputTokens !== undefined;
  return {
    ...Object.fromEntries(sums),
    ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
    ...(isKnown ? { contextTokens: inputTokens + outputTokens - reasoningTokens } : {}),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(isStream === undefined ? {} : { isStream }),
    pieces: before.pieces + after.pieces,
  };
}

/** Counts that are summed when an answer is continued. */
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
 * piece, whose pace cannot be seen.
 */
export function tokensPerSecond({ outputTokens, firstTokenMs, totalMs, isStream }: AnswerFacts): number | undefined {
  if (outputTokens === undefined || firstTokenMs === undefined || totalMs === undefined || isStream === false) return;
  const seconds = (totalMs - firstTokenMs) / 1000;
  return seconds > 0.01 && outputTokens > 1 ? (outputTokens - 1) / seconds : undefined;
}

function countsOf({ raw: _, ...counts }: TextUsage): Omit<TextUsage, "raw"> {
  return counts;
}
