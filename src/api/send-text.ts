import type { JsonRecord } from "#lib/json.ts";
import { isApiError, NoAnswerError } from "./api-error.ts";
import type { TextEndpoint } from "./text-types.ts";
import { absoluteUrl, refusal } from "./transport.ts";

/** Where text is asked, and with which key. */
export interface TextTarget {
  inferenceBaseUrl: string;
  key: string;
  /** Sends the key as `x-api-key` instead: the messages endpoint alone accepts it (spec 5.3). Never the default. */
  usesApiKeyHeader?: boolean;
  /** Headers that one particular server wants, such as a version. Servers elsewhere may not allow them to a page. */
  extraHeaders?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
}

/** One POST, described for the wire panel with the key struck out, and ready to be sent once. */
export function sendText({
  endpoint,
  target,
  body,
  signal,
  idleMs,
}: {
  endpoint: TextEndpoint;
  target: TextTarget;
  body: JsonRecord;
  signal: AbortSignal;
  idleMs: number;
}) {
  const { key, fetch = globalThis.fetch } = target;
  const url = `${absoluteUrl(target.inferenceBaseUrl).replace(/\/+$/, "")}/v1/${endpoint}`;
  const text = JSON.stringify(body);
  const headersFor = (shownKey: string): Record<string, string> => ({
    ...target.extraHeaders,
    "Content-Type": "application/json",
    Accept: "text/event-stream, application/json",
    ...(target.usesApiKeyHeader && endpoint === "messages"
      ? { "x-api-key": shownKey }
      : { Authorization: `Bearer ${shownKey}` }),
  });

  const send = async (): Promise<Response> => {
    const silence = new AbortController();
    const ended = AbortSignal.any([signal, silence.signal]);
    const timer = setTimeout(() => silence.abort(), idleMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: headersFor(key),
        body: text,
        signal: ended,
        redirect: "error",
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
      });
      if (!response.ok) throw await refusal(response, key, ended);
      return response;
    } catch (error) {
      signal.throwIfAborted();
      if (silence.signal.aborted) throw new NoAnswerError({ cause: error, timedOut: true });
      throw isApiError(error) ? error : new NoAnswerError({ cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
  return { description: { method: "POST" as const, url, headers: headersFor("[key]"), body: text }, send };
}
