import { asFilledText, asRecord, asRecords, isRecord, type JsonRecord } from "#lib/read.ts";
import type { TextFinding } from "./text-findings.ts";
import type { AnswerPart } from "./text-types.ts";

// Parts of an answer besides its text and reasoning, from the blocks and items of all three formats. Nothing here throws.

type PartFinding = Extract<TextFinding, { kind: "part" | "part-text" }>;

/** In characters. What is longer is cut: it is shown, and never sent. */
const LONGEST_JSON = 20_000;
const LONGEST_INPUT = 200_000;
/** Base64 of about 15 MB. */
const LARGEST_PICTURE = 20_000_000;

/** A finding for one part at a place of the answer. */
export const partAt = (key: string, part: AnswerPart): PartFinding => ({ kind: "part", key, part });

/** More text of the part at a place; none where there is no text. */
export function partText(key: string, text: unknown): PartFinding[] {
  const more = asFilledText(text);
  return more === undefined ? [] : [{ kind: "part-text", key, text: more }];
}

/** A block or item of a kind that has no form of its own here. */
export function otherPart(type: string, value: unknown): AnswerPart {
  const json = JSON.stringify(value, shortBase64, 2) ?? "";
  return { kind: "other", type, json: json.length > LONGEST_JSON ? `${json.slice(0, LONGEST_JSON)}…` : json };
}

/** Bytes and ciphers say nothing to a reader. */
function shortBase64(_name: string, value: unknown): unknown {
  const isLong = typeof value === "string" && value.length > 500;
  return isLong && /^[\w+/=-]+$/.test(value) ? `${value.slice(0, 40)}… (${value.length} characters)` : value;
}

/** The call of a tool, whose input is JSON text, a JSON value, or nothing yet. */
export function toolCall(name: unknown, input: unknown): AnswerPart {
  const text = typeof input === "string" ? input : isRecord(input) && Object.keys(input).length === 0 ? "" : input;
  const written = typeof text === "string" ? text : (JSON.stringify(text, null, 2) ?? "");
  return { kind: "tool-call", name: asFilledText(name) ?? "unnamed", input: written.slice(0, LONGEST_INPUT) };
}

/** A citation of any of the formats, by its address; undefined where it names neither an address nor a title. */
export function citationFrom(raw: unknown): PartFinding[] {
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

/** By the first bytes, as Base64 writes them. */
function mimeOf(base64: string): string {
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("UklGR")) return "image/webp";
  return base64.startsWith("R0lGOD") ? "image/gif" : "image/png";
}

/**
 * A content block of the messages format that is neither text nor thinking: the call of a tool, a picture, or a block as
 * it came. A text block gives its citations alone.
 */
export function blockParts(block: JsonRecord, key: string): PartFinding[] {
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
export function itemParts(item: JsonRecord, key: string): PartFinding[] {
  const type = asFilledText(item.type) ?? "message";
  if (type === "function_call") return [partAt(key, toolCall(item.name, item.arguments))];
  if (type === "custom_tool_call") return [partAt(key, toolCall(item.name, item.input))];
  if (type === "reasoning") {
    const isHidden = typeof item.encrypted_content === "string" && item.encrypted_content !== "";
    return isHidden ? [partAt(key, otherPart("reasoning, encrypted", item))] : [];
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
export function choiceParts(choice: JsonRecord, begun: Set<string>): PartFinding[] {
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
