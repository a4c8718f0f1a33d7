import { createParser } from "eventsource-parser";
import { afterSilence } from "#lib/delay.ts";
import { asFilledText, asRecords, isRecord, type JsonRecord } from "#lib/read.ts";
import { NoAnswerError, UnreadableAnswerError } from "../api-error.ts";
import { readChunk } from "../read-body.ts";
import { aboutOf, failure, failureOf, type TextFinding, type TextReader, usageOf } from "./text-findings.ts";
import { citationFrom, itemParts, partAt, partText, toolCall } from "./text-readers.ts";

/** One server-sent event, or the complete body of an answer that is no stream. */
export type ServerEvent =
  | { kind: "event"; name: string | undefined; data: string }
  | { kind: "document"; text: string };

const MAX_PENDING = 8 * 1024 * 1024;
const MAX_DOCUMENT = 32 * 1024 * 1024;

/**
 * Reads a body as server-sent events by the standard, or, when it starts like JSON or a page, as one document: servers
 * answer in one piece where a stream was asked, whatever their Content-Type says. An event at the very end counts also
 * without its blank line. `idleMs` is asked before each read. Throws `NoAnswerError` when the connection breaks or nothing
 * comes in time, `UnreadableAnswerError` when it is too large or neither form, and the signal's reason on an abort. Leaving
 * the loop ends the request.
 */
export async function* readServerEvents(
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

const TEXT_PARTS = /^response\.output_text\.(delta|done)$/;
const TRANSCRIPT = /^response\.(output_)?audio_?\.?transcript\.delta$/;
const INPUT_PARTS = /^response\.(function_call_arguments|custom_tool_call_input)\.(delta|done)$/;
const REASONING_PARTS = /^response\.reasoning(_summary)?_text\.(delta|done)$/;

/**
 * Reads answers of POST /v1/responses (spec 4.2): typed events, or a complete response object. Text that only comes in
 * a `done` event or in the final object is taken from there; text that came before is not taken twice.
 */
export function createResponseReader(): TextReader {
  const partial = new Map<string, string>();
  const parts = createItemParts();
  let hasText = false;
  let hasReasoning = false;
  let isAbout = false;
  let isTerminal = false;

  const takePart = (record: JsonRecord, type: string, kind: "text" | "reasoning"): TextFinding[] => {
    const key = [kind, record.item_id, record.output_index, record.content_index, record.summary_index].join("/");
    const known = partial.get(key) ?? "";
    let text: string | undefined;
    if (type.endsWith(".delta")) {
      text = asFilledText(record.delta);
      partial.set(key, known + (text ?? ""));
    } else {
      const whole = asFilledText(record.text) ?? "";
      text = whole.startsWith(known) ? asFilledText(whole.slice(known.length)) : undefined;
      partial.delete(key);
    }
    return text === undefined ? [] : [found(kind, text)];
  };

  const found = (kind: "text" | "reasoning", text: string): TextFinding => {
    if (kind === "reasoning") {
      hasReasoning = true;
      return { kind, text };
    }
    hasText = true;
    return { kind, text, choice: 0 };
  };

  const takeResponse = (response: JsonRecord, isEnd: boolean): TextFinding[] => {
    const findings: TextFinding[] = isAbout ? [] : aboutOf(response);
    isAbout ||= findings.length > 0;
    if (!isEnd) return findings;
    isTerminal = true;
    const output = asRecords(response.output);
    const reasoning = hasReasoning ? "" : output.filter(isReasoning).map(reasoningOf).join("");
    const text = hasText ? "" : output.map(messageText).join("");
    if (reasoning !== "") findings.push(found("reasoning", reasoning));
    if (text !== "") findings.push(found("text", text));
    findings.push(...parts.takeOutput(output));
    findings.push(...usageOf(response.usage));
    if (response.status === "failed" || isRecord(response.error)) {
      findings.push(failure(response.error, isRecord(response.error) ? response.error : {}));
    } else findings.push({ kind: "stop", reason: stopReasonOf(response) });
    return findings;
  };

  return {
    take(record, name) {
      const type = asFilledText(record.type) ?? name ?? "";
      if (record.object === "response" || (type === "" && Array.isArray(record.output)))
        return takeResponse(record, true);
      if (TEXT_PARTS.test(type)) return takePart(record, type, "text");
      if (REASONING_PARTS.test(type)) return takePart(record, type, "reasoning");
      if (isRecord(record.response)) {
        return takeResponse(ended(record.response, type), /^response\.(completed|incomplete|failed)$/.test(type));
      }
      const ofParts = parts.take(record, type);
      // Who refused has said what there is to say.
      hasText ||= ofParts?.some(({ kind }) => kind === "part-text") === true && type.includes("refusal");
      if (ofParts !== undefined) return ofParts;
      const failed = failureOf(record, name);
      return failed === undefined ? [] : [failed];
    },
    isComplete: () => isTerminal,
    isOver: () => isTerminal,
  };
}

/** What the items of a response hold besides text and reasoning, in the events of an item and in the final object. */
function createItemParts() {
  /** The key of an item by its place in the output, where its events name one. */
  const byPlace = new Map<unknown, string>();
  const names = new Map<string, unknown>();
  /** The parts that were given, each as JSON: the final object repeats them, perhaps without the ids. */
  const given = new Map<string, string>();
  let last = "item";

  const keyOf = (item: JsonRecord, place: unknown) => {
    const id = asFilledText(item.id) ?? asFilledText(item.call_id);
    const key = byPlace.get(place) ?? (id === undefined ? `item #${String(place ?? byPlace.size)}` : `item ${id}`);
    if (place !== undefined) byPlace.set(place, key);
    last = key;
    return key;
  };
  const keyOfEvent = ({ item_id, output_index }: JsonRecord) =>
    byPlace.get(output_index) ?? (typeof item_id === "string" ? `item ${item_id}` : last);
  const note = (findings: TextFinding[]) => {
    for (const one of findings) if (one.kind === "part") given.set(one.key, JSON.stringify(one.part));
    return findings;
  };

  return {
    /** Undefined for an event that is about none of them. */
    take(record: JsonRecord, type: string): TextFinding[] | undefined {
      if (/^response\.output_item\.(added|done)$/.test(type) && isRecord(record.item)) {
        const key = keyOf(record.item, record.output_index);
        names.set(key, record.item.name);
        return note(itemParts(record.item, key));
      }
      if (type === "response.output_text.annotation.added") return note(citationFrom(record.annotation));
      if (type === "response.refusal.delta") return partText("refusal", record.delta);
      if (type === "response.refusal.done") {
        return [partAt("refusal", { kind: "refusal", text: asFilledText(record.refusal) ?? "" })];
      }
      if (TRANSCRIPT.test(type)) return partText("audio transcript", record.delta);
      if (!INPUT_PARTS.test(type)) return undefined;
      const key = keyOfEvent(record);
      if (type.endsWith(".delta")) return partText(key, record.delta);
      const name = record.name ?? names.get(key);
      return note([partAt(key, toolCall(name, record.arguments ?? record.input))]);
    },
    takeOutput(output: readonly JsonRecord[]): TextFinding[] {
      const known = new Set(given.values());
      return output
        .flatMap((item, place) => itemParts(item, keyOf(item, place)))
        .filter((one) => one.kind !== "part" || given.has(one.key) || !known.has(JSON.stringify(one.part)));
    },
  };
}

/** The event's own name decides how it ended: the object in it may lack a status. */
function ended(response: JsonRecord, type: string): JsonRecord {
  if (type === "response.failed") return { ...response, status: "failed" };
  return type === "response.incomplete" ? { ...response, status: "incomplete" } : response;
}

function stopReasonOf(response: JsonRecord): string | undefined {
  const details = response.incomplete_details;
  return (isRecord(details) ? asFilledText(details.reason) : undefined) ?? asFilledText(response.status);
}

const isReasoning = (item: JsonRecord) => item.type === "reasoning";

function reasoningOf(item: JsonRecord): string {
  return [...asRecords(item.content), ...asRecords(item.summary)].map(({ text }) => asFilledText(text) ?? "").join("");
}

function messageText(item: JsonRecord): string {
  if (item.type !== undefined && item.type !== "message") return "";
  return asRecords(item.content)
    .map((part) => (isText(part) ? (asFilledText(part.text) ?? "") : ""))
    .join("");
}

const isText = ({ type }: JsonRecord) => type === undefined || type === "output_text" || type === "text";
