import { asFilledText, asRecord, asRecords, isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { readErrorMessage } from "../read-error.ts";
import type { AnswerPart } from "./text-types.ts";

/** What one event of an answer means, before it has a time. The three formats share these, and the reading of errors. */
export type TextFinding =
  | { kind: "text"; text: string; choice: number }
  | { kind: "reasoning"; text: string }
  | { kind: "part"; key: string; part: AnswerPart }
  | { kind: "part-text"; key: string; text: string }
  | { kind: "usage"; raw: JsonRecord }
  | { kind: "identity"; id: string | undefined; model: string | undefined }
  | { kind: "stop"; reason: string | undefined }
  | { kind: "failure"; message: string; type: string | undefined; code: string | undefined };

/**
 * Reads the events of one answer on one endpoint, in order, and remembers what it needs of earlier ones.
 */
export interface TextReader {
  take(record: JsonRecord, name: string | undefined): TextFinding[];
  /** The format's own end was seen, or an end that is as good. Usage may still follow. */
  isComplete(): boolean;
  /** Whether nothing that matters can follow. */
  mayStopReading(): boolean;
}

/** Id and model of an answer, where it gives either. Empty where it gives neither. */
function findIdAndModel(record: JsonRecord): TextFinding[] {
  const id = asFilledText(record.id);
  const model = asFilledText(record.model);
  return id === undefined && model === undefined ? [] : [{ kind: "identity", id, model }];
}

/** The usage object of an answer, where there is one. It may be null, come often, or never. */
function findUsage(value: unknown): TextFinding[] {
  return isRecord(value) ? [{ kind: "usage", raw: value }] : [];
}

type Failure = Extract<TextFinding, { kind: "failure" }>;

/**
 * The error in an event or body, in any of its shapes: `{error: {message, type, code}}`, `{error: "text"}`,
 * `{type: "error", …}` flat or nested, `{object: "error", message}`, or any event of that name. Undefined where there is
 * none: `error: null` is the usual sign of success.
 */
function findFailure(record: JsonRecord, name: string | undefined): Failure | undefined {
  const inner = record.error;
  const saysError = record.type === "error" || record.object === "error" || name === "error";
  if (!saysError && (inner === undefined || inner === null || inner === false || inner === "")) return undefined;
  return failure(record, isRecord(inner) ? inner : record);
}

/**
 * An error object at the place where the format has one, such as `response.error`. A message of our own where it has
 * none.
 */
function failure(record: unknown, fields: JsonRecord): Failure {
  const type = typeof fields.type === "string" && fields.type !== "error" ? fields.type : undefined;
  const code = typeof fields.code === "string" || typeof fields.code === "number" ? String(fields.code) : undefined;
  const message = readErrorMessage(record) ?? "The response ended with an error, and the service gave no reason.";
  return { kind: "failure", message, type, code };
}

// Parts of an answer besides its text and reasoning. Nothing here throws.

type PartFinding = Extract<TextFinding, { kind: "part" | "part-text" }>;

/** The longest texts, in characters. What is longer is cut: it is shown, and never sent. */
const LONGEST_JSON = 20_000;
const LONGEST_INPUT = 200_000;
/** Base64 of about 15 MB. */
const LARGEST_PICTURE = 20_000_000;

/** A finding for one part at a place of the answer. */
const partAt = (key: string, part: AnswerPart): PartFinding => ({ kind: "part", key, part });

/** More text of the part at a place; none where there is no text. */
function partText(key: string, text: unknown): PartFinding[] {
  const more = asFilledText(text);
  return more === undefined ? [] : [{ kind: "part-text", key, text: more }];
}

/** A block or item of a kind that has no form of its own here. */
function otherPart(type: string, value: unknown): AnswerPart {
  const json = JSON.stringify(value, shortBase64, 2) ?? "";
  return { kind: "other", type, json: json.length > LONGEST_JSON ? `${json.slice(0, LONGEST_JSON)}…` : json };
}

/** Bytes and ciphers say nothing to a reader. */
function shortBase64(_name: string, value: unknown): unknown {
  const isLong = typeof value === "string" && value.length > 500;
  return isLong && /^[\w+/=-]+$/.test(value) ? `${value.slice(0, 40)}… (${value.length} characters)` : value;
}

/** The call of a tool, whose input is JSON text, a JSON value, or nothing yet. */
function toolCall(name: unknown, input: unknown): AnswerPart {
  const text = typeof input === "string" ? input : isRecord(input) && Object.keys(input).length === 0 ? "" : input;
  const written = typeof text === "string" ? text : (JSON.stringify(text, null, 2) ?? "");
  return { kind: "tool-call", name: asFilledText(name) ?? "unnamed", input: written.slice(0, LONGEST_INPUT) };
}

/** A citation of any of the formats, by its address; empty where it names neither an address nor a title. */
function citationFrom(raw: unknown): PartFinding[] {
  const record = typeof raw === "string" ? { url: raw } : asRecord(raw);
  // One format puts the fields into a record that is named as the type is.
  const inner = isRecord(record.url_citation) ? record.url_citation : record;
  const url = asFilledText(inner.url) ?? asFilledText(inner.source) ?? "";
  const title =
    asFilledText(inner.title) ??
    asFilledText(inner.document_title) ??
    asFilledText(inner.filename) ??
    asFilledText(inner.file_id) ??
    "";
  if (url === "" && title === "") return [];
  const quote = (asFilledText(inner.cited_text) ?? asFilledText(inner.quote) ?? "").slice(0, 1000);
  const key = `citation ${url} ${title}`.slice(0, 600);
  return [partAt(key, { kind: "citation", title: title.slice(0, 500), url: url.slice(0, 4000), quote })];
}

/** A picture in Base64 or as a `data:` address; undefined for anything else, and for one that is too large. */
function pictureFrom(value: unknown, mimeType?: unknown): AnswerPart | undefined {
  if (typeof value !== "string" || value === "" || value.length > LARGEST_PICTURE) return undefined;
  const [, named, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(value) ?? [];
  const base64 = data ?? value;
  if (!/^[A-Za-z0-9+/]{16}/.test(base64)) return undefined;
  const type = named ?? asFilledText(mimeType) ?? mimeOf(base64);
  return /^image\/(png|jpeg|webp|gif)$/.test(type) ? { kind: "picture", mimeType: type, base64 } : undefined;
}

/** The media type that the first bytes tell, as Base64 writes them. */
function mimeOf(base64: string): string {
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("UklGR")) return "image/webp";
  return base64.startsWith("R0lGOD") ? "image/gif" : "image/png";
}

/**
 * A content block of the messages format that is neither text nor thinking: the call of a tool, a picture, or a block as
 * it came. A text block gives its citations alone.
 */
function blockParts(block: JsonRecord, key: string): PartFinding[] {
  const type = asFilledText(block.type) ?? "";
  if (type === "tool_use") return [partAt(key, toolCall(block.name, block.input))];
  if (type === "refusal") return [partAt(key, { kind: "refusal", text: asFilledText(block.refusal) ?? "" })];
  if (type === "image") {
    const source = asRecord(block.source);
    const picture = pictureFrom(source.data, source.media_type);
    return [partAt(key, picture ?? otherPart(type, block))];
  }
  if (type === "" || type === "text" || type === "thinking" || type.endsWith("_delta")) {
    return asRecords(block.citations).flatMap(citationFrom);
  }
  return [partAt(key, otherPart(type, block))];
}

/**
 * An output item of the responses format: the calls, pictures and other items, and of a message what is no text. A
 * refusal in it has the key `refusal`, as its events have.
 */
function itemParts(item: JsonRecord, key: string): PartFinding[] {
  const type = asFilledText(item.type) ?? "message";
  if (type === "function_call") return [partAt(key, toolCall(item.name, item.arguments))];
  if (type === "custom_tool_call") return [partAt(key, toolCall(item.name, item.input))];
  if (type === "reasoning") {
    const isHidden = typeof item.encrypted_content === "string" && item.encrypted_content !== "";
    return isHidden ? [partAt(key, otherPart("encrypted reasoning", item))] : [];
  }
  if (type === "image_generation_call") {
    const picture = pictureFrom(item.result, item.output_format && `image/${String(item.output_format)}`);
    return [partAt(key, picture ?? otherPart(type, item))];
  }
  if (type !== "message") return [partAt(key, otherPart(type, item))];
  return asRecords(item.content).flatMap((part, index) => contentParts(part, `${key}/${index}`));
}

function contentParts(part: JsonRecord, key: string): PartFinding[] {
  const type = asFilledText(part.type) ?? "output_text";
  if (type === "refusal") return [partAt("refusal", { kind: "refusal", text: asFilledText(part.refusal) ?? "" })];
  if (type === "output_text" || type === "text") return asRecords(part.annotations).flatMap(citationFrom);
  return [partAt(key, otherPart(type, part))];
}

/**
 * What a choice in the chat format holds besides its text: calls of either spelling, a refusal, sources, pictures.
 * `begun`: the calls of which a piece came before; some servers name the function in each.
 */
function choiceParts(choice: JsonRecord, begun: Set<string>): PartFinding[] {
  const found: PartFinding[] = [];
  for (const [from, isWhole] of [
    [choice.delta, false],
    [choice.message, true],
    [choice, false],
  ] as const) {
    if (!isRecord(from)) continue;
    for (const [place, call] of asRecords(from.tool_calls).entries()) found.push(...chatCall(call, place, begun));
    if (isRecord(from.function_call)) found.push(...calledFunction(from.function_call, "function", begun));
    const refusal = asFilledText(from.refusal);
    if (refusal !== undefined && isWhole) found.push(partAt("refusal", { kind: "refusal", text: refusal }));
    else found.push(...partText("refusal", refusal));
    found.push(...asRecords(from.annotations).flatMap(citationFrom));
    for (const [place, image] of asRecords(from.images).entries()) {
      const picture = pictureFrom(asRecord(image.image_url).url);
      found.push(partAt(`image ${place}`, picture ?? otherPart("image", image)));
    }
    if (isRecord(from.audio)) found.push(partAt("audio", otherPart("audio", from.audio)));
  }
  return found;
}

function chatCall(call: JsonRecord, place: number, begun: Set<string>): PartFinding[] {
  const key = `call ${typeof call.index === "number" ? call.index : place}`;
  if (isRecord(call.function)) return calledFunction(call.function, key, begun);
  if (isRecord(call.custom)) return calledFunction({ ...call.custom, arguments: call.custom.input }, key, begun);
  return calledFunction(call, key, begun);
}

/** The first piece names the function; the others hold more of its arguments. */
function calledFunction(called: JsonRecord, key: string, begun: Set<string>): PartFinding[] {
  if (begun.has(key) || asFilledText(called.name) === undefined) return partText(key, called.arguments);
  begun.add(key);
  return [partAt(key, toolCall(called.name, called.arguments))];
}

/**
 * Reads answers of POST /v1/completions (spec 4.2). A chunk and a complete body have the same shape. Usage may follow
 * the last choice in a chunk of its own, so an answer is complete with every choice's finish_reason and over with its
 * stream.
 */
export function createCompletionReader(): TextReader {
  const seenChoices = new Set<number>();
  const finished = new Set<number>();
  const begunCalls = new Set<string>();
  let hasIdAndModel = false;

  const takeChoice = (choice: JsonRecord): TextFinding[] => {
    const index = typeof choice.index === "number" ? choice.index : 0;
    const text = asFilledText(choice.text) ?? chatText(choice, "content");
    const reasoning = chatText(choice, "reasoning_content") ?? chatText(choice, "reasoning");
    const reason = asFilledText(choice.finish_reason);
    seenChoices.add(index);
    if (reason !== undefined) finished.add(index);
    return [
      ...(reasoning === undefined ? [] : [{ kind: "reasoning" as const, text: reasoning }]),
      ...(text === undefined ? [] : [{ kind: "text" as const, text, choice: index }]),
      // Of several completions only the first one is shown with its parts.
      ...(index === 0 ? choiceParts(choice, begunCalls) : []),
      ...(reason === undefined
        ? []
        : [reason === "error" ? failure(undefined, {}) : { kind: "stop" as const, reason }]),
    ];
  };

  return {
    take(record, name) {
      const failed = findFailure(record, name);
      const identity = hasIdAndModel ? [] : findIdAndModel(record);
      hasIdAndModel ||= identity.length > 0;
      const sources = Array.isArray(record.citations) ? record.citations.flatMap(citationFrom) : [];
      const choices = asRecords(record.choices).flatMap(takeChoice);
      const findings = [...identity, ...findUsage(record.usage), ...choices, ...sources];
      if (failed === undefined) return findings;
      return [...findings.filter(({ kind }) => kind !== "failure"), failed];
    },
    isComplete: () => finished.size > 0 && [...seenChoices].every((index) => finished.has(index)),
    mayStopReading: () => false,
  };
}

/** The text of a field in the chat format, which some servers use on this endpoint, too. */
function chatText(choice: JsonRecord, field: string): string | undefined {
  for (const part of [choice.delta, choice.message]) {
    const value = isRecord(part) ? part[field] : undefined;
    const text = Array.isArray(value) ? asRecords(value).map(textOf).join("") : value;
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

const textOf = ({ text }: JsonRecord) => asFilledText(text) ?? "";

/**
 * Reads answers of POST /v1/messages (spec 4.2): typed events, or a complete message object. Blocks need not be closed,
 * or opened, in order; unknown events and deltas are ignored.
 */
export function createMessageReader(): TextReader {
  let isTerminal = false;
  const calls = createServiceCalls();
  /** The block that began last, which is meant where an event has no index. */
  let begun = 0;

  const takeMessage = (message: JsonRecord): TextFinding[] => [
    ...findIdAndModel(message),
    ...asRecords(message.content).flatMap((block, place) => [
      ...takeBlock(block),
      ...blockParts(block, `block ${place}`),
    ]),
    ...findUsage(message.usage),
    ...stopOf(message),
  ];
  const keyOf = ({ index }: JsonRecord) => `block ${typeof index === "number" ? index : `#${begun}`}`;
  const takeDelta = (delta: JsonRecord, key: string): TextFinding[] => {
    if (delta.type === "citations_delta") return citationFrom(delta.citation);
    if (typeof delta.partial_json !== "string") return takeBlock(delta);
    return calls.take(key, delta.partial_json) ? [] : partText(key, delta.partial_json);
  };

  return {
    take(record, name) {
      const failed = findFailure(record, name);
      if (failed !== undefined) return [failed];
      const type = asFilledText(record.type) ?? name;
      if (type === "message") {
        isTerminal = true;
        return takeMessage(record);
      }
      if (type === "message_start") return isRecord(record.message) ? takeMessage(withoutOutput(record.message)) : [];
      if (type === "content_block_start") {
        const block = record.content_block;
        if (!isRecord(block)) return [];
        begun += 1;
        const key = keyOf(record);
        calls.begin(key, block);
        return [...takeBlock(block), ...blockParts(block, key)];
      }
      if (type === "content_block_delta") return isRecord(record.delta) ? takeDelta(record.delta, keyOf(record)) : [];
      if (type === "message_delta") {
        return [...calls.end(), ...findUsage(record.usage), ...(isRecord(record.delta) ? stopOf(record.delta) : [])];
      }
      if (type === "content_block_stop") return calls.end();
      if (type === "message_stop") isTerminal = true;
      return [];
    },
    isComplete: () => isTerminal,
    mayStopReading: () => isTerminal,
  };
}

/** The message without its count of output at the start, which is a placeholder, usually 1, and no count of the answer. */
function withoutOutput(message: JsonRecord): JsonRecord {
  if (!isRecord(message.usage)) return message;
  const { output_tokens: _, ...usage } = message.usage;
  return { ...message, usage };
}

/**
 * Calls that the service runs itself (`server_tool_use` and the like): shown as the block that they are, with its input
 * once all of it has come.
 */
function createServiceCalls() {
  const openCalls = new Map<string, { block: JsonRecord; json: string }>();
  return {
    begin(key: string, block: JsonRecord) {
      if (block.type !== "tool_use") openCalls.set(key, { block, json: "" });
    },
    /** False where the block is no such call. */
    take(key: string, json: string): boolean {
      const call = openCalls.get(key);
      if (call) call.json += json;
      return call !== undefined;
    },
    end(): TextFinding[] {
      const ended = [...openCalls].filter(([, { json }]) => json !== "");
      openCalls.clear();
      return ended.map(([key, { block, json }]) =>
        partAt(key, otherPart(asFilledText(block.type) ?? "", { ...block, input: tryParseJson(json) ?? json })),
      );
    },
  };
}

/** Text and thinking of a block, or of a delta to one: `text` or `thinking`, whatever its type is called. */
function takeBlock(block: JsonRecord): TextFinding[] {
  const thinking = asFilledText(block.thinking);
  // Blocks of other kinds, such as results of tools, are parts of their own.
  if (typeof block.type === "string" && !/^(text|thinking)(_delta)?$/.test(block.type)) return [];
  const text = asFilledText(block.text);
  return [
    ...(thinking === undefined ? [] : [{ kind: "reasoning" as const, text: thinking }]),
    ...(text === undefined ? [] : [{ kind: "text" as const, text, choice: 0 }]),
  ];
}

function stopOf(record: JsonRecord): TextFinding[] {
  const reason = asFilledText(record.stop_reason);
  return reason === undefined ? [] : [{ kind: "stop", reason }];
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
  let hasIdAndModel = false;
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
    return text === undefined ? [] : [toFinding(kind, text)];
  };

  const toFinding = (kind: "text" | "reasoning", text: string): TextFinding => {
    if (kind === "reasoning") {
      hasReasoning = true;
      return { kind, text };
    }
    hasText = true;
    return { kind, text, choice: 0 };
  };

  const takeResponse = (response: JsonRecord, isEnd: boolean): TextFinding[] => {
    const findings: TextFinding[] = hasIdAndModel ? [] : findIdAndModel(response);
    hasIdAndModel ||= findings.length > 0;
    if (!isEnd) return findings;
    isTerminal = true;
    const output = asRecords(response.output);
    const reasoning = hasReasoning ? "" : output.filter(isReasoning).map(reasoningOf).join("");
    const text = hasText ? "" : output.map(messageText).join("");
    if (reasoning !== "") findings.push(toFinding("reasoning", reasoning));
    if (text !== "") findings.push(toFinding("text", text));
    findings.push(...parts.takeOutput(output));
    findings.push(...findUsage(response.usage));
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
        return takeResponse(
          withFinalStatus(record.response, type),
          /^response\.(completed|incomplete|failed)$/.test(type),
        );
      }
      const ofParts = parts.take(record, type);
      // A refusal counts as text, so that none of the final object is added to it.
      hasText ||= ofParts?.some(({ kind }) => kind === "part-text") === true && type.includes("refusal");
      if (ofParts !== undefined) return ofParts;
      const failed = findFailure(record, name);
      return failed === undefined ? [] : [failed];
    },
    isComplete: () => isTerminal,
    mayStopReading: () => isTerminal,
  };
}

/** What the items of a response hold besides text and reasoning, in the events of an item and in the final object. */
function createItemParts() {
  /** The key of an item by its place in the output, where its events name one. */
  const byPlace = new Map<unknown, string>();
  const names = new Map<string, unknown>();
  /** The parts that were sentParts, each as JSON: the final object repeats them, perhaps without the ids. */
  const sentParts = new Map<string, string>();
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
    for (const one of findings) if (one.kind === "part") sentParts.set(one.key, JSON.stringify(one.part));
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
      const known = new Set(sentParts.values());
      return output
        .flatMap((item, place) => itemParts(item, keyOf(item, place)))
        .filter((one) => one.kind !== "part" || sentParts.has(one.key) || !known.has(JSON.stringify(one.part)));
    },
  };
}

/** The response with the status that the event's name says: the object in the event may lack it. */
function withFinalStatus(response: JsonRecord, type: string): JsonRecord {
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
