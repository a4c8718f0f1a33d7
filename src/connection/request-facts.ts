import { isApiError, NoAnswerError } from "#api/api-error.ts";
import { isHostReason } from "#api/explain-error.ts";
import type { LoggedRequest } from "#api/transport.ts";
import { asNumber, asOneOf, isRecord } from "#lib/read.ts";

// What may be said of a request to somebody else. It is made of words that are written here and of numbers, never of a
// text that a request, an answer or a person brought: what is not known cannot leak.

/** The endpoints, without the address before them: `{model}` and `{id}` stand for what was asked about. */
const PATHS = [
  ["/apikey/models", /\/apikey\/models$/],
  ["/apikey/models/{model}", /\/apikey\/models\/[^/]+$/],
  ["/apikey/requests", /\/apikey\/requests$/],
  ["/apikey/requests/estimate", /\/apikey\/requests\/estimate$/],
  ["/apikey/requests/{id}", /\/apikey\/requests\/[^/]+$/],
  ["/apikey/requests/{id}/media", /\/apikey\/requests\/[^/]+\/media$/],
  ["/apikey/upload-url", /\/apikey\/upload-url$/],
  ["/v1/models", /\/v1\/models$/],
  ["/v1/completions", /\/v1\/completions$/],
  ["/v1/responses", /\/v1\/responses$/],
  ["/v1/messages", /\/v1\/messages$/],
] as const;

const OTHER_PATH = "/…";
const PATH_NAMES = [...PATHS.map(([name]) => name), OTHER_PATH] as const;
const METHODS = ["GET", "POST", "DELETE", "other"] as const;
const ERRORS = [
  "RefusedError",
  "NoAnswerError",
  "UnreadableAnswerError",
  "StreamedError",
  "UnusableIdError",
  "AbortError",
  "TimeoutError",
  "TypeError",
  "SyntaxError",
  "Error",
] as const;

/** A request without what it carried. Sizes are in characters, times in milliseconds. */
export interface RequestFacts {
  /** When it was sent, as `Date.now()` counts. */
  atMs: number;
  method: (typeof METHODS)[number];
  path: (typeof PATH_NAMES)[number];
  /** Undefined where no answer came. */
  status?: number;
  tookMs: number;
  /** Of the body that was sent. */
  sent: number;
  /** Of the body that came, where it was read. */
  received?: number;
  /** Where the studio's own host answered in the service's place: why, as `api/explain-error.ts` lists it, or `other`. */
  hostReason?: string;
  error?: (typeof ERRORS)[number];
}

/** What `redactRequest` reads of a request. */
export type Redactable = Pick<LoggedRequest, "method" | "url" | "body" | "sentAtMs" | "tookMs" | "answer"> & {
  response: Pick<Response, "status"> | undefined;
  /** Of an answer that is no text, such as a stream, in characters. */
  received?: number;
};

/** The facts of a request: nothing of its address, headers, bodies or messages is part of them. */
export function redactRequest(request: Redactable): RequestFacts {
  const { answer } = request;
  const refused = isApiError(answer) && answer.name === "RefusedError" ? answer : undefined;
  return pick({
    atMs: request.sentAtMs,
    method: asOneOf(request.method, METHODS) ?? "other",
    path: pathName(request.url),
    status: request.response?.status ?? refused?.status,
    tookMs: request.tookMs,
    sent: request.body?.length ?? 0,
    received: typeof answer === "string" ? answer.length : request.received,
    hostReason: refused?.hostReason,
    error: errorName(answer),
  });
}

/** Facts that were stored, as untrusted data. Undefined where they are none. */
export function readFacts(raw: unknown): RequestFacts | undefined {
  if (!isRecord(raw) || asNumber(raw.atMs) === undefined) return undefined;
  return pick(raw);
}

function pick(raw: Record<string, unknown>): RequestFacts {
  const status = count(raw.status);
  const received = count(raw.received);
  const error = asOneOf(raw.error, ERRORS);
  const { hostReason } = raw;
  return {
    atMs: count(raw.atMs) ?? 0,
    method: asOneOf(raw.method, METHODS) ?? "other",
    path: asOneOf(raw.path, PATH_NAMES) ?? OTHER_PATH,
    ...(status === undefined || status > 999 ? {} : { status }),
    tookMs: count(raw.tookMs) ?? 0,
    sent: count(raw.sent) ?? 0,
    ...(received === undefined ? {} : { received }),
    ...(typeof hostReason === "string" ? { hostReason: isHostReason(hostReason) ? hostReason : "other" } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

function count(value: unknown): number | undefined {
  const number = asNumber(value);
  return number === undefined ? undefined : Math.max(0, Math.round(number));
}

function pathName(url: string): RequestFacts["path"] {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return PATHS.find(([, ending]) => ending.test(path))?.[0] ?? OTHER_PATH;
}

function errorName(answer: unknown): RequestFacts["error"] {
  if (answer instanceof NoAnswerError && answer.timedOut) return "TimeoutError";
  // Errors of another realm are no instances, and have their name all the same.
  if (typeof answer !== "object" || answer === null || !("name" in answer)) return undefined;
  return asOneOf(answer.name, ERRORS) ?? "Error";
}
