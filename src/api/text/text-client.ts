import { createParser } from "eventsource-parser";
import { abortableDelay, afterSilence } from "#lib/delay.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { createKeyFilter, redactKey } from "#lib/redact-secret.ts";
import { KEY_PLACEHOLDER, type KeyShape } from "#lib/secret-shape.ts";
import { definiteRefusal } from "#runs/rules/answers.ts";
import {
  isAbort,
  isApiError,
  NoAnswerError,
  RefusedError,
  StreamedError,
  UnreadableAnswerError,
} from "../api-error.ts";
import { readChunk, readJson } from "../read-body.ts";
import { mayRetryRead, retryDelayMs } from "../retry-policy.ts";
import { absoluteUrl, refusal } from "../transport.ts";
import {
  createCompletionReader,
  createMessageReader,
  createResponseReader,
  type TextFinding,
  type TextReader,
} from "./text-readers.ts";
import type { TextEndpoint, TextEvent, TextUsage } from "./text-types.ts";

export interface TextOptions {
  signal?: AbortSignal;
  /** A stream is asked for unless this is false. */
  stream?: boolean;
  /** Longest silence before the first byte and between bytes, in ms. */
  idleMs?: number;
}

/** One reader for each of the endpoints (spec 4.2): completions takes a prompt, responses typed items, messages blocks. */
const READERS: Record<TextEndpoint, () => TextReader> = {
  completions: createCompletionReader,
  responses: createResponseReader,
  messages: createMessageReader,
};

/** After the format's end was seen, how long trailing events such as usage are waited for. */
const TRAILING_MS = 3000;

/**
 * Asks one text endpoint and yields everything that happens as events with times. A failure is an event, too: the last
 * one is `end` or `error`. What the service refuses for the moment (429, or 502 and 503 in its own words) is sent again
 * as reads are (`retry-policy.ts`). After the first byte, a network error or any other answer, nothing is sent again,
 * because it may have been billed. Aborting the signal, or leaving the loop, ends the request.
 */
export async function* streamText(
  endpoint: TextEndpoint,
  target: TextTarget,
  body: JsonRecord,
  { signal = new AbortController().signal, stream = true, idleMs = 120_000 }: TextOptions = {},
): AsyncGenerator<TextEvent> {
  const callerLeft = new AbortController();
  const ended = AbortSignal.any([signal, callerLeft.signal]);
  let onWait = () => {};
  const waits = new Promise<"waits">((resolve) => {
    onWait = () => resolve("waits");
  });
  const transferSlot = target.openTransfer?.({ signal: ended, onWait });
  try {
    if (transferSlot && (await Promise.race([transferSlot, waits])) === "waits") yield { kind: "queued", atMs: 0 };
    await transferSlot;
    yield* redactEvents(streamNow({ endpoint, target, body: { ...body, stream }, signal, idleMs }), target.keyShape);
  } catch {
    // Only the wait for a connection rejects, and only when it is stopped.
    yield { kind: "end", atMs: 0, how: "stopped", stopReason: undefined };
  } finally {
    callerLeft.abort();
    transferSlot?.then(
      (release) => release(),
      () => {},
    );
  }
}

interface TextRequest {
  endpoint: TextEndpoint;
  target: TextTarget;
  body: JsonRecord;
  signal: AbortSignal;
  idleMs: number;
}

/** The events whose texts are fragments: a key may be spread over several of them. */
type FragmentEvent = Extract<TextEvent, { kind: "text" | "reasoning" | "part-text" }>;

/** Takes the key out of texts that come in fragments. Whoever holds the key has taken it out of each one already. */
async function* redactEvents(
  events: AsyncGenerator<TextEvent>,
  shape: KeyShape | undefined,
): AsyncGenerator<TextEvent> {
  if (shape === undefined) {
    yield* events;
    return;
  }
  const filters = new Map<string, { filter: ReturnType<typeof createKeyFilter>; last: FragmentEvent }>();
  for await (const event of events) {
    // A `part` event has the whole text of its fragments, also what still waits in their filter.
    if (event.kind === "part") {
      filters.delete(`part ${event.key}`);
      const { part } = event;
      yield part.kind === "picture" ? event : { ...event, part: redactKey(part, shape) };
      continue;
    }
    if (event.kind === "text" || event.kind === "reasoning" || event.kind === "part-text") {
      const name = getFilterName(event);
      const { filter } = filters.get(name) ?? { filter: createKeyFilter(shape) };
      filters.set(name, { filter, last: event });
      const text = filter.push(event.text);
      if (text !== "") yield { ...event, text };
      continue;
    }
    if (event.kind === "end" || event.kind === "error") {
      for (const { filter, last } of filters.values()) {
        const text = filter.end();
        if (text !== "") yield { ...last, text, atMs: event.atMs };
      }
    }
    yield event;
  }
}

/** Fragments with the same name continue each other. */
function getFilterName(event: FragmentEvent): string {
  if (event.kind === "part-text") return `part ${event.key}`;
  return event.kind === "text" ? `text ${event.choice}` : event.kind;
}

async function* streamNow(request: TextRequest): AsyncGenerator<TextEvent> {
  const { endpoint, signal, idleMs } = request;
  const startedAt = performance.now();
  const atMs = () => performance.now() - startedAt;
  const reader = READERS[endpoint]();
  let hasBytes = false;
  let stopReason: string | undefined;
  try {
    const sent = yield* sendUntilTaken(request, atMs);
    if (sent.body === null) {
      yield { kind: "end", atMs: atMs(), how: "early", stopReason };
      return;
    }
    let usage: JsonRecord = {};
    let isWhole = false;
    const maxSilenceMs = () => (reader.isComplete() ? Math.min(idleMs, TRAILING_MS) : idleMs);
    for await (const event of readServerEvents(sent.body, { signal, idleMs: maxSilenceMs })) {
      if (!hasBytes) yield { kind: "delivery", atMs: atMs(), isStream: event.kind === "event" };
      hasBytes = true;
      // An answer in one piece that could be parsed is all there, whether or not it names its end.
      isWhole ||= event.kind === "document";
      const data = event.kind === "event" ? event.data : event.text;
      yield { kind: "raw", atMs: atMs(), name: event.kind === "event" ? event.name : undefined, data };
      if (isDone(event)) {
        yield { kind: "end", atMs: atMs(), how: "complete", stopReason };
        return;
      }
      for (const finding of findingsOf(reader, event)) {
        if (finding.kind === "failure") {
          yield { kind: "error", atMs: atMs(), error: new StreamedError(finding) };
          return;
        }
        if (finding.kind === "stop") stopReason = finding.reason;
        else if (finding.kind === "usage") {
          usage = mergeUsage(usage, finding.raw);
          yield { kind: "usage", atMs: atMs(), usage: readUsage(usage) };
        } else yield { ...finding, atMs: atMs() };
      }
      if (reader.mayStopReading()) break;
    }
    yield { kind: "end", atMs: atMs(), how: isWhole || reader.isComplete() ? "complete" : "early", stopReason };
  } catch (thrown) {
    if (signal.aborted || isAbort(thrown)) {
      yield { kind: "end", atMs: atMs(), how: "stopped", stopReason };
      return;
    }
    const error = isApiError(thrown) ? thrown : new NoAnswerError({ cause: thrown });
    if (reader.isComplete()) yield { kind: "end", atMs: atMs(), how: "complete", stopReason };
    else if (hasBytes && error instanceof NoAnswerError) {
      yield { kind: "end", atMs: atMs(), how: "early", stopReason, error };
    } else yield { kind: "error", atMs: atMs(), error };
  }
}

/** Sends, and sends again what was refused for the moment, until the service begins to answer. */
async function* sendUntilTaken(request: TextRequest, atMs: () => number): AsyncGenerator<TextEvent, Response> {
  const { signal } = request;
  for (let retries = 0; ; retries++) {
    const { description, send } = sendText(request);
    yield { kind: "request", atMs: atMs(), ...description };
    try {
      const response = await send();
      yield { kind: "start", atMs: atMs(), status: response.status, headers: Object.fromEntries(response.headers) };
      return response;
    } catch (error) {
      const mayRetry =
        error instanceof RefusedError && definiteRefusal(error) === "retryable" && mayRetryRead(retries, error);
      if (!mayRetry || signal.aborted) throw error;
      const waitMs = retryDelayMs(retries, error);
      yield { kind: "retry", atMs: atMs(), error, waitMs };
      await abortableDelay(waitMs, signal);
    }
  }
}

/** `[DONE]` is no JSON; it may end any of the three formats, or none. */
function isDone(event: ServerEvent): boolean {
  return event.kind === "event" && event.data.trim() === "[DONE]";
}

function findingsOf(reader: TextReader, event: ServerEvent): TextFinding[] {
  const value = event.kind === "document" ? readJson(event.text, 200) : tryReadJson(event.data);
  if (isRecord(value)) {
    const findings = reader.take(value, event.kind === "event" ? event.name : undefined);
    // A document with nothing but an id, a model or usage is no answer.
    if (event.kind === "event" || findings.some(({ kind }) => kind !== "identity" && kind !== "usage")) return findings;
  }
  if (event.kind === "event") return [];
  throw new UnreadableAnswerError({
    status: 200,
    excerpt: event.text,
    reason: "The response has an unexpected format.",
  });
}

/** An event that is no JSON is a heartbeat, or was cut off: it is ignored. */
function tryReadJson(data: string): unknown {
  try {
    return readJson(data, 200);
  } catch {
    return undefined;
  }
}

/** Where text is asked for. */
interface TextTarget {
  inferenceBaseUrl: string;
  /** The fetch of whoever holds the key: requests have `[key]` in its place. */
  fetch: typeof globalThis.fetch;
  /** The shape of the key, to find it where an answer repeats it spread over several fragments. */
  keyShape?: KeyShape | undefined;
  /** Sends the key as `x-api-key` instead: the messages endpoint alone accepts it (spec 5.3). Never the default. */
  usesApiKeyHeader?: boolean;
  /**
   * Headers that one particular server wants, such as a version. Servers elsewhere may not allow them to a page, and by way
   * of the Safelight server only those pass that its list names (`src/host/relay/passed-headers.ts`).
   */
  extraHeaders?: Record<string, string>;
  /**
   * Headers with an idempotency key for the studio's own host, which forwards each key only once. Made anew for each
   * sending. They are in no event, because the service does not get them.
   */
  attemptHeaders?: () => Record<string, string>;
  /**
   * Resolves, with the function to call afterwards, once an answer may hold a connection. Rejects with the signal's
   * reason.
   */
  openTransfer?: (options: { signal: AbortSignal; onWait: () => void }) => Promise<() => void>;
}

/**
 * One POST, described for the request log with `[key]` for the key, and ready to be sent once. `send` rejects with
 * `RefusedError`, with `NoAnswerError` after `idleMs` without a first byte, or with the signal's reason.
 */
function sendText({ endpoint, target, body, signal, idleMs }: TextRequest) {
  const url = `${absoluteUrl(target.inferenceBaseUrl).replace(/\/+$/, "")}/v1/${endpoint}`;
  const text = JSON.stringify(body);
  const headers: Record<string, string> = {
    ...target.extraHeaders,
    "Content-Type": "application/json",
    Accept: "text/event-stream, application/json",
    ...(target.usesApiKeyHeader && endpoint === "messages"
      ? { "x-api-key": KEY_PLACEHOLDER }
      : { Authorization: `Bearer ${KEY_PLACEHOLDER}` }),
  };

  const send = async (): Promise<Response> => {
    const silence = new AbortController();
    const ended = AbortSignal.any([signal, silence.signal]);
    const stopTimer = afterSilence(idleMs, () => silence.abort());
    try {
      const response = await target.fetch(url, {
        method: "POST",
        headers: { ...headers, ...target.attemptHeaders?.() },
        body: text,
        signal: ended,
        redirect: "error",
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
      });
      if (!response.ok) throw await refusal(response, ended);
      return response;
    } catch (error) {
      signal.throwIfAborted();
      if (silence.signal.aborted) throw new NoAnswerError({ cause: error, timedOut: true });
      throw isApiError(error) ? error : new NoAnswerError({ cause: error });
    } finally {
      stopTimer();
    }
  };
  return { description: { method: "POST" as const, url, headers, body: text }, send };
}

/** One server-sent event, or the complete body of an answer that is no stream. */
type ServerEvent = { kind: "event"; name: string | undefined; data: string } | { kind: "document"; text: string };

/** The most characters of one event, and of an answer in one piece. */
const MAX_PENDING = 8 * 1024 * 1024;
const MAX_DOCUMENT = 32 * 1024 * 1024;

/**
 * Reads a body as server-sent events by the standard, or, when it starts like JSON or a page, as one document: servers
 * answer in one piece where a stream was asked, whatever their Content-Type says. An event at the very end counts also
 * without its blank line. `idleMs` is asked before each read. Throws `NoAnswerError` when the connection breaks or nothing
 * comes in time, `UnreadableAnswerError` when it is too large or neither form, and the signal's reason on an abort. Leaving
 * the loop ends the request.
 */
async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  { signal, idleMs }: { signal: AbortSignal; idleMs: () => number },
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const ready: ServerEvent[] = [];
  let tooLarge = false;
  const parser = createParser({
    onEvent: ({ event, data }) => ready.push({ kind: "event", name: event, data }),
    onError: ({ type }) => {
      tooLarge ||= type === "max-buffer-size-exceeded";
    },
    maxBufferSize: MAX_PENDING,
  });
  let head = "";
  let form: "stream" | "document" | undefined;
  let hasEvents = false;

  const take = (text: string) => {
    if (form === "stream") parser.feed(text);
    else {
      head += text;
      form ??= formOf(head);
      if (form === "stream") parser.feed(head);
    }
    if (tooLarge || (form !== "stream" && head.length > MAX_DOCUMENT))
      throw unreadable(head, "The response is too large.");
  };

  try {
    for (;;) {
      const { done, value } = await readWithin(reader, { signal, ms: idleMs() });
      take(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      // Two line ends dispatch what is pending: the last event may be the one that says how it ended.
      if (done && form === "stream" && !tooLarge) parser.feed("\n\n");
      hasEvents ||= ready.length > 0;
      yield* ready.splice(0);
      if (done) break;
    }
    if (form === "document") yield { kind: "document", text: head };
    else if (!hasEvents && head.trim() !== "" && !/^(data|event|id|retry)?:/m.test(head)) {
      throw unreadable(head, "The response is neither a stream nor JSON.");
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A stream starts with a field's name or a colon; JSON and pages start with a sign of their own. */
function formOf(head: string): "stream" | "document" | undefined {
  const first = /[^\s\ufeff]/.exec(head)?.[0];
  if (first === undefined) return undefined;
  return "{[<".includes(first) ? "document" : "stream";
}

function unreadable(head: string, reason: string): UnreadableAnswerError {
  return new UnreadableAnswerError({ status: 200, excerpt: head, reason });
}

/** One read, ended at once by an abort and by too long a silence. */
function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { signal, ms }: { signal: AbortSignal; ms: number },
): Promise<ReadableStreamReadResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const stopTimer = afterSilence(ms, () => reject(new NoAnswerError({ timedOut: true })));
    readChunk(reader, signal).finally(stopTimer).then(resolve, reject);
  });
}

/**
 * Adds the usage of one more event to what is known: the last value of each field wins, null changes nothing.
 */
function mergeUsage(known: JsonRecord, more: JsonRecord): JsonRecord {
  const merged = { ...known };
  for (const [name, value] of Object.entries(more)) {
    const before = merged[name];
    if (value === null || value === undefined) continue;
    merged[name] = isRecord(value) && isRecord(before) ? mergeUsage(before, value) : value;
  }
  return merged;
}

/**
 * Tokens from a usage object of any of the three formats. The messages format counts cached input apart from
 * `input_tokens`; the other two count it within. A count that is missing or no number is undefined.
 */
function readUsage(raw: JsonRecord): TextUsage {
  const inDetails = firstRecord(raw.input_tokens_details, raw.prompt_tokens_details);
  const outDetails = firstRecord(raw.output_tokens_details, raw.completion_tokens_details);
  const cacheRead = count(raw.cache_read_input_tokens);
  const cacheWrite = count(raw.cache_creation_input_tokens);
  const input = count(raw.input_tokens) ?? count(raw.prompt_tokens);
  return withoutUndefined({
    raw,
    inputTokens: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    outputTokens: count(raw.output_tokens) ?? count(raw.completion_tokens),
    cachedTokens: cacheRead ?? count(inDetails.cached_tokens),
    cacheWriteTokens: cacheWrite ?? count(inDetails.cache_write_tokens),
    reasoningTokens: count(outDetails.reasoning_tokens) ?? count(outDetails.thinking_tokens),
  });
}

function firstRecord(...values: unknown[]): JsonRecord {
  return values.find(isRecord) ?? {};
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function withoutUndefined(usage: { [Name in keyof TextUsage]: TextUsage[Name] | undefined }): TextUsage {
  const { raw = {}, ...counts } = usage;
  return { raw, ...Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined)) };
}
