import type { JsonRecord } from "#lib/read.ts";
import type { ApiError, RefusedError } from "../api-error.ts";

/** The text endpoints that stream (spec 4.2), in the order in which they are offered. */
export const TEXT_ENDPOINTS = ["messages", "responses", "completions"] as const;
export type TextEndpoint = (typeof TEXT_ENDPOINTS)[number];

/**
 * Tokens of one answer, as far as the service gives them. `inputTokens` is the whole prompt, cached parts included, on
 * all three endpoints, so that columns can be compared.
 */
export interface TextUsage {
  inputTokens?: number;
  outputTokens?: number;
  /** Part of the input that was read from a cache. */
  cachedTokens?: number;
  /** Part of the input that was written to a cache. */
  cacheWriteTokens?: number;
  /** Part of the output that was reasoning. */
  reasoningTokens?: number;
  /** The usage object as it came, merged over the whole answer. */
  raw: JsonRecord;
}

/**
 * What an answer holds besides its text, as far as the studio knows the kind; anything else is `other`, with its type and
 * its JSON. Texts are a service's own: they are shown through `visibleText`.
 */
export type AnswerPart =
  /** A tool that the model wants to be run. `input` is its JSON as it came, or a text where the tool takes one. */
  | { kind: "tool-call"; name: string; input: string }
  | { kind: "refusal"; text: string }
  /** A source that the answer names. `url` is untrusted. */
  | { kind: "citation"; title: string; url: string; quote: string }
  /** A picture in Base64 until it is stored; then the id of its row. */
  | { kind: "picture"; mimeType: string; base64?: string; pictureId?: string }
  | { kind: "other"; type: string; json: string };

/**
 * Everything that happens in one exchange, in order. `atMs` counts from the moment in which a connection is free; that of
 * `queued`, which is before it, is 0.
 */
export type TextEvent =
  /** The first event of a request that waits for a free connection: nothing has been sent. */
  | { kind: "queued"; atMs: number }
  /** About to be sent. The key is redacted from the headers. */
  | { kind: "request"; atMs: number; method: "POST"; url: string; headers: Record<string, string>; body: string }
  /** Refused before the first byte of an answer, and sent again after `waitMs`. */
  | { kind: "retry"; atMs: number; error: RefusedError; waitMs: number }
  /** Headers came. `id` and `model` follow in an event of their own where the service gives them. */
  | { kind: "start"; atMs: number; status: number; headers: Record<string, string> }
  /** Id and model of the answer. */
  | { kind: "identity"; atMs: number; id: string | undefined; model: string | undefined }
  /** Whether the answer comes as a stream or in one piece, known with its first character. */
  | { kind: "delivery"; atMs: number; isStream: boolean }
  /** More text. `choice` is the number of the completion, from 0, where several were asked for. */
  | { kind: "text"; atMs: number; text: string; choice: number }
  | { kind: "reasoning"; atMs: number; text: string }
  /** A part besides the text, whole as far as it is known; one with the same `key` is replaced. */
  | { kind: "part"; atMs: number; key: string; part: AnswerPart }
  /** More of a part's own text: of a tool call's input, or of a refusal. */
  | { kind: "part-text"; atMs: number; key: string; text: string }
  /** All usage known so far. */
  | { kind: "usage"; atMs: number; usage: TextUsage }
  /** One event as it came, or the complete body of an answer in one piece. */
  | { kind: "raw"; atMs: number; name: string | undefined; data: string }
  /**
   * The last event when the answer ended without an error: `complete` by the format's own end, `early` without it (the
   * text so far stays; `error` is the reason where it is known), `stopped` by the caller.
   */
  | {
      kind: "end";
      atMs: number;
      how: "complete" | "early" | "stopped";
      stopReason: string | undefined;
      error?: ApiError;
    }
  /** The last event when the service refused or failed, before or within the answer. */
  | { kind: "error"; atMs: number; error: ApiError };
