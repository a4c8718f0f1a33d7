import { KEY_PLACEHOLDER } from "#lib/secret-shape.ts";
import { isApiError, NoAnswerError, type RefusedError } from "./api-error.ts";
import { readBody, readJson } from "./read-body.ts";
import { readError } from "./read-error.ts";
import type { LearningClock } from "./service-clock.ts";

const MEGABYTE = 1024 * 1024;
/** A refusal may repeat all that was sent, and proves nothing where it is cut. */
const ERROR_BYTES = 8 * MEGABYTE;

interface Call {
  method: "GET" | "POST" | "DELETE";
  /** Below the base address, starting with a slash. Ids in it are already encoded segments. */
  path: string;
  query?: URLSearchParams;
  body?: unknown;
  /** For the whole exchange, from sending to the last byte read. */
  timeoutMs: number;
  maxBytes?: number;
  /** Headers beside the usual ones. */
  headers?: Record<string, string>;
  /**
   * Sends the body as a stream, which a browser's network stack cannot send twice. Only over HTTP/2; over HTTP/1.1 it
   * fails before anything leaves.
   */
  streamBody?: boolean;
  /** The status is enough; the body is not read. */
  ignoreBody?: boolean;
  /** Called with the headers of an answer of a good status, before its body is read. */
  onHeaders?: (headers: Headers) => void;
  signal?: AbortSignal | undefined;
}

/** One finished request for the request log, as this page sent it and was answered: `[key]` stands for the key. */
export interface LoggedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** When it was sent, as `Date.now()` counts. */
  sentAtMs: number;
  tookMs: number;
  /** Status and headers, where an answer came. Its body is read already. */
  response: Response | undefined;
  /** The body as text, or what was thrown. */
  answer: unknown;
}

/** Sends exactly one request and reads its answer. Never retries: who calls decides, because who calls knows the cost. */
type Send = (call: Call) => Promise<unknown>;

/**
 * Makes a `Send` for one base address. Requests have `[key]` where the key goes: `fetch` belongs to whoever has it, and
 * redacts it in answers. Redirects are errors (a redirect must not carry the key elsewhere), nothing is cached. Throws
 * `RefusedError`, `NoAnswerError` or `UnreadableAnswerError`, or the signal's own reason when the caller aborts.
 */
export function createTransport({
  baseUrl,
  fetch,
  clock,
  onCall,
}: {
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  /** Learns the service's time from every answer. */
  clock?: LearningClock | undefined;
  /** Called with every request once it is over. What it throws changes nothing about the request. */
  onCall?: ((call: LoggedRequest) => void) | undefined;
}): Send {
  const base = absoluteUrl(baseUrl).replace(/\/+$/, "");
  return async (call) => {
    const { method, path, query, body, timeoutMs, maxBytes = 8 * MEGABYTE, ignoreBody = false, signal } = call;
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const search = query !== undefined && query.size > 0 ? `?${query}` : "";
    const bodyText = body === undefined ? undefined : JSON.stringify(body);
    const url = `${base}${path}${search}`;
    const headers = {
      Authorization: `Bearer ${KEY_PLACEHOLDER}`,
      Accept: "application/json",
      ...(bodyText === undefined ? {} : { "Content-Type": "application/json" }),
      ...call.headers,
    };
    const sentAtMs = Date.now();
    let response: Response | undefined;
    let answer: unknown;
    try {
      response = await fetch(url, {
        method,
        headers,
        ...(bodyText === undefined ? {} : requestBody(bodyText, call.streamBody === true)),
        signal: ended,
        redirect: "error",
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
      });
      // The host may answer an attempt from its memory, with the headers of hours ago.
      if (call.headers === undefined) clock?.noteAnswer(response.headers);
      if (!response.ok) throw await refusal(response, ended);
      call.onHeaders?.(response.headers);
      if (ignoreBody) {
        response.body?.cancel().catch(() => {});
        return undefined;
      }
      const text = await readBody(response, { maxBytes, signal: ended });
      answer = text;
      return text.trim() === "" ? undefined : readJson(text, response.status);
    } catch (error) {
      answer ??= error;
      signal?.throwIfAborted();
      if (timeout.aborted) throw new NoAnswerError({ cause: error, timedOut: true });
      throw isApiError(error) ? error : new NoAnswerError({ cause: error });
    } finally {
      const tookMs = Date.now() - sentAtMs;
      try {
        onCall?.({ method, url, headers, body: bodyText, sentAtMs, tookMs, response, answer });
      } catch {
        // `onCall` only writes a log: thrown from here, its error would take the place of the answer to a charged submit.
      }
    }
  };
}

/** `duplex` is not in the DOM's types yet; a stream body needs it. */
function requestBody(text: string, asStream: boolean): RequestInit & { duplex?: "half" } {
  return asStream ? { body: new Blob([text]).stream(), duplex: "half" } : { body: text };
}

/**
 * The error of an answer that is not 2xx. Rejects with `NoAnswerError` when the connection breaks, and with the signal's
 * reason on an abort.
 */
export async function refusal(response: Response, signal: AbortSignal): Promise<RefusedError> {
  const text = await readBody(response, { maxBytes: ERROR_BYTES, truncate: true, signal });
  return readError(response.status, text, response.headers);
}

/** An address that may be given relative to the page, made absolute. Throws `TypeError` where it is no address. */
export function absoluteUrl(address: string): string {
  return new URL(address, globalThis.location?.href).href;
}
