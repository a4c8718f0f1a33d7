import type { JsonRecord } from "#lib/read.ts";
import { sentText } from "./answer-parts.ts";
import { type Column, DEFAULT_MAX_TOKENS } from "./conversations/conversation.ts";
import type { Picture } from "./conversations/pictures.ts";
import type { Turn } from "./conversations/thread.ts";
import { type PromptTurn, writePrompt } from "./prompt-template.ts";

/** Whether /v1/responses is given the conversation as typed items or written out as one text (spec 4.2: a string). */
export type InputForm = "items" | "text";

/** Fields that the conversation itself fills; set by hand they would contradict it. */
export const OWN_FIELDS = ["model", "messages", "input", "prompt", "system", "instructions", "stream"] as const;

interface PathTurn extends PromptTurn {
  isPinned: boolean;
  pictures: readonly Picture[];
}

interface BodyOptions {
  /** For /v1/responses. */
  inputForm?: InputForm;
  /** The Base64 of the pictures that are sent as bytes, by id. One that is missing is left out. */
  pictures?: ReadonlyMap<string, string>;
}

const CACHED = { cache_control: { type: "ephemeral" } };
/** The messages format takes at most four marks in one request. */
const MAX_MARKS = 4;

/**
 * The body of one request: the model, the messages on the way to the answer but those that are left out (`sentPath`), and
 * only those fields that were set. A path that ends with an answer asks for its continuation.
 */
export function requestBody(
  column: Column,
  path: readonly Turn[],
  { inputForm = "items", pictures = new Map() }: BodyOptions = {},
): JsonRecord {
  const params = Object.fromEntries(
    Object.entries(column.params).filter(([name]) => !OWN_FIELDS.some((own) => own === name)),
  );
  const turns = joinTurns(sentPath(path));
  switch (column.endpoint) {
    case "messages":
      return messagesBody(column, turns, params, pictures);
    case "responses":
      return responsesBody(column, turns, params, { inputForm, pictures });
    case "completions":
      return completionsBody(column, turns, params);
  }
}

/** The body that continues a document from `text` on. */
export function documentBody(column: Column, text: string): JsonRecord {
  return { ...requestBody(column, []), prompt: text };
}

/** The ids of the pictures whose bytes a request needs. None on completions, whose format is text alone. */
export function sentPictures({ endpoint }: Column, path: readonly Turn[]): string[] {
  if (endpoint === "completions") return [];
  return sentPath(path).flatMap(({ pictures = [] }) => pictures.flatMap(({ id, url }) => (url ? [] : [id])));
}

/** Without empty messages, and with neighbours of one role joined: the formats want the roles in turn. */
function joinTurns(path: readonly Turn[]): PathTurn[] {
  const turns: PathTurn[] = [];
  for (const { id, role, text: own, parts, isPinned = false, pictures = [] } of path) {
    // An answer that is continued goes on behind its own last word.
    const text = role === "assistant" && id === path.at(-1)?.id ? own : sentText(own, parts);
    if (text.trim() === "" && pictures.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role !== role) turns.push({ role, text, isPinned, pictures });
    else {
      turns[turns.length - 1] = {
        role,
        text: [last.text, text].filter((one) => one !== "").join("\n\n"),
        isPinned: last.isPinned || isPinned,
        pictures: [...last.pictures, ...pictures],
      };
    }
  }
  return turns;
}

type Bytes = ReadonlyMap<string, string>;

function messagesBody(column: Column, turns: readonly PathTurn[], params: JsonRecord, bytes: Bytes): JsonRecord {
  const { system, model, cacheMode } = column;
  const isSystemCached = cacheMode === "auto" || (cacheMode === "pins" && column.isSystemPinned);
  const marks = marksOf(column, turns, isSystemCached && system !== "" ? MAX_MARKS - 1 : MAX_MARKS);
  const messages = turns.map(({ role, text, pictures }, index) => {
    // The end of a prefilled answer must not be white space.
    const content = role === "assistant" && index === turns.length - 1 ? text.trimEnd() : text;
    const mark = marks.has(index) ? CACHED : {};
    const images = pictures.flatMap((picture) => imageBlock(picture, bytes));
    if (images.length === 0 && !marks.has(index)) return { role, content };
    // A block of text must not be empty.
    const words = content === "" ? [] : [{ type: "text", text: content, ...mark }];
    return { role, content: [...images, ...words] };
  });
  return {
    model,
    max_tokens: DEFAULT_MAX_TOKENS,
    ...(system === "" ? {} : { system: isSystemCached ? [{ type: "text", text: system, ...CACHED }] : system }),
    ...params,
    messages,
  };
}

/** Places of messages that end a prefix to cache; the last ones where there are more than the format takes. */
function marksOf({ cacheMode }: Column, turns: readonly PathTurn[], max: number): Set<number> {
  const positions = turns.flatMap(({ role, isPinned }, index) => {
    if (cacheMode === "auto") return role === "user" ? [index] : [];
    return cacheMode === "pins" && isPinned ? [index] : [];
  });
  // The newest question writes the cache, the one before it is where the last request wrote.
  return new Set(positions.slice(cacheMode === "auto" ? -2 : -max));
}

function imageBlock({ id, url, mimeType }: Picture, bytes: Bytes): JsonRecord[] {
  if (url !== undefined) return [{ type: "image", source: { type: "url", url } }];
  const data = bytes.get(id);
  return data === undefined ? [] : [{ type: "image", source: { type: "base64", media_type: mimeType, data } }];
}

function inputImage({ id, url, mimeType }: Picture, bytes: Bytes): JsonRecord[] {
  const data = bytes.get(id);
  const address = url ?? (data === undefined ? undefined : `data:${mimeType};base64,${data}`);
  return address === undefined ? [] : [{ type: "input_image", image_url: address, detail: "auto" }];
}

function responsesBody(
  { model, system }: Column,
  turns: readonly PathTurn[],
  params: JsonRecord,
  { inputForm, pictures: bytes }: Required<BodyOptions>,
): JsonRecord {
  const asked = turns.at(-1)?.role === "assistant" ? [...turns, CONTINUE] : turns;
  const items = asked.map(({ role, text, pictures }) => ({
    type: "message",
    role,
    content: [
      ...pictures.flatMap((picture) => inputImage(picture, bytes)),
      ...(text === "" ? [] : [{ type: role === "user" ? "input_text" : "output_text", text }]),
    ],
  }));
  const hasPictures = items.some(({ content }) => content.some(({ type }) => type === "input_image"));
  const isText = inputForm === "text" || asked.length === 1;
  const input = isText && !hasPictures ? writtenOut(asked) : items;
  return { model, ...(system === "" ? {} : { instructions: system }), ...params, input };
}

/** One question as it is; several turns with who said what. */
function writtenOut(turns: readonly PathTurn[]): string {
  const only = turns.length === 1 ? turns[0] : undefined;
  return only?.text ?? turns.map(({ role, text }) => `${role === "user" ? "User" : "Assistant"}: ${text}`).join("\n\n");
}

/** The format has no prefilled answer, so the continuation is asked for in words. */
const CONTINUE: PathTurn = { role: "user", text: "Continue exactly where you stopped.", isPinned: false, pictures: [] };

function completionsBody(column: Column, turns: readonly PathTurn[], params: JsonRecord): JsonRecord {
  const { model, template, system } = column;
  const stop = column.isDocument || template.stop.length === 0 ? {} : { stop: template.stop };
  const prompt = writePrompt(template, system, turns);
  return { model, max_tokens: DEFAULT_MAX_TOKENS, ...stop, ...params, prompt };
}

/**
 * Whether an answer is a refusal: the service's before any text, or the model's own. One that broke off, or that the
 * person stopped, is none.
 */
export function isRefused({ role, text, outcome, facts, parts = [] }: Turn): boolean {
  if (role !== "assistant") return false;
  if (parts.some(({ kind }) => kind === "refusal") || facts?.stopReason === "refusal") return true;
  const isEmpty = text.trim() === "" && parts.length === 0;
  return isEmpty && (outcome?.how === "failed" || facts?.stopReason === "content_filter");
}

/**
 * A question that was refused would have every later one refused as well, because each goes along with all before it.
 *
 * The questions and answers of a path that do not go along with a later question, by id: those that were refused, unless
 * the person sends them along, and those that the person leaves out. `path` may end in a question; the last pair is what
 * is asked about, so it always goes.
 */
export function leftOut(path: readonly Turn[]): Set<string> {
  const out = new Set<string>();
  for (const [index, turn] of path.entries()) {
    if (turn.role !== "user") continue;
    const next = path[index + 1];
    const answer = next?.role === "assistant" ? next : undefined;
    const isOut = turn.sendAlong === undefined ? answer !== undefined && isRefused(answer) : !turn.sendAlong;
    if (!isOut) continue;
    out.add(turn.id);
    if (answer) out.add(answer.id);
  }
  return out;
}

/** The path as it is sent to have its last message answered or continued. */
export function sentPath(path: readonly Turn[]): Turn[] {
  const last = path.at(-1);
  // The pair that is asked about: a question, or an answer that is continued with the question before it.
  const asked = new Set(path.slice(last?.role === "assistant" ? -2 : -1).map(({ id }) => id));
  const out = leftOut(path);
  return path.filter(({ id }) => asked.has(id) || !out.has(id));
}
