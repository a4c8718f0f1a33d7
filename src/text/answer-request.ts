import { type ApiError, RefusedError, StreamedError } from "#api/api-error.ts";
import { streamText, type TextOptions } from "#api/text/text-client.ts";
import type { TextEndpoint, TextEvent } from "#api/text/text-types.ts";
import { getApiTarget, useClient } from "#connection/client.ts";
import { type Connection, findConnection } from "#connection/connection-store.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { perConnection } from "#connection/per-connection.ts";
import { isServedByHost } from "#connection/relay.ts";
import { noteStream } from "#connection/request-history.ts";
import { randomId } from "#lib/random-id.ts";
import { asRecord, isRecord, type JsonRecord } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { type StoredError, sentText, toStoredError } from "./answer.ts";
import {
  type Column,
  DEFAULT_MAX_TOKENS,
  type EndpointModel,
  type PromptTemplate,
  type Turn,
} from "./conversations/conversation.ts";
import { holdPicture, loadPictures, type Picture, pictureTokens } from "./conversations/pictures.ts";

/** The three text endpoints of a connection. Its events never hold the key. */
export interface TextClient {
  stream(endpoint: TextEndpoint, body: JsonRecord, options?: TextOptions): AsyncGenerator<TextEvent>;
}

/** The text endpoints of the current connection, below a `ConnectionProvider`. Without one, every call is refused. */
export function useTextClient(): TextClient {
  const client = useClient();
  return getTextClient(client, client.connection);
}

const getTextClient = perConnection((_client: object, connection: Connection | null) => createTextClient(connection));

/** The text endpoints of a connection. Without one, every call is refused. */
export function createTextClient(connection: Connection | null): TextClient {
  const target = getApiTarget(connection);
  return {
    stream(endpoint, body, options) {
      const { usesApiKeyHeader = false } = (connection && findConnection(connection.id)) ?? {};
      const events = streamText(endpoint, { ...target, ...BY_HOST, usesApiKeyHeader }, body, options);
      return connection === null ? events : noteStream(connection.accountId, events);
    },
  };
}

/** How answers of text models travel where the studio's own host served the page. */
const BY_HOST = {
  openTransfer: (options: Parameters<typeof openTransfer>[1]) => openTransfer("stream", options),
  // Over HTTP/1.1 a browser may send a broken POST again by itself. The host forwards each name once.
  attemptHeaders: () => (isServedByHost() ? { "x-safelight-intent": randomId() } : {}),
};

interface AnswerRequest {
  client: TextClient;
  /** The connection's key fingerprint. */
  accountId: string;
  conversationId: string;
  column: Column;
  /** The messages down to the question, or to the answer that is continued. */
  path: readonly Turn[];
  signal: AbortSignal;
}

/**
 * Streams the answer that follows a path. Of /v1/responses the specification shows only a string as `input` (spec 4.2). A
 * single question is sent so. Several turns are sent as typed items, which keep the roles apart; if the service refuses
 * them for a reason that a string could cure, the conversation is sent once more, written out as one text. A refusal
 * before any token is not charged as far as is known. What was answered is remembered for the service and the model.
 */
export async function* streamAnswer(request: AnswerRequest): AsyncGenerator<TextEvent> {
  const pictureIds = new Map<string, string>();
  for await (const event of streamForms(request)) {
    if (event.kind !== "part" || event.part.kind !== "picture") yield event;
    else {
      // An answer names its picture: the bytes are stored beside the conversation.
      const { base64, mimeType } = event.part;
      const pictureId = pictureIds.get(event.key) ?? randomId();
      pictureIds.set(event.key, pictureId);
      if (base64 !== undefined) holdPicture(pictureId, base64);
      yield { ...event, part: { kind: "picture", mimeType, pictureId } };
    }
  }
}

async function* streamForms(request: AnswerRequest): AsyncGenerator<TextEvent> {
  const { client, accountId, conversationId, column, path, signal } = request;
  const { endpoint } = column;
  const { inputForm, isWhole: wasWhole = false } = getCapabilities(accountId, column);
  const pictures = await loadPictures(accountId, conversationId, sentPictures(column, path));
  const body = requestBody(column, path, { inputForm: inputForm ?? "items", pictures });
  const text = Array.isArray(body.input) ? requestBody(column, path, { inputForm: "text" }) : undefined;
  // Written out as a text, the pictures would be lost in silence.
  const mayFallBack = text !== undefined && !hasPictures(path);
  let hasBegun = false;
  for await (const event of client.stream(endpoint, body, { signal })) {
    if (event.kind === "delivery") {
      noteForm(request, !event.isStream, wasWhole);
      if (text !== undefined) rememberCapability(accountId, column, { inputForm: "items" });
    }
    hasBegun ||= event.kind === "text" || event.kind === "reasoning" || event.kind === "part";
    if (event.kind === "error" && mayFallBack && !hasBegun && isCuredByText(event.error, inputForm === "items")) {
      const { error, atMs } = event;
      if (error instanceof RefusedError) yield { kind: "retry", atMs, error, waitMs: 0 };
      for await (const next of client.stream(endpoint, text, { signal })) {
        if (next.kind === "delivery") {
          noteForm(request, !next.isStream, wasWhole);
          // Only what was answered: where the text is refused as well, the reason was another one.
          rememberCapability(accountId, column, { inputForm: "text" });
        }
        yield next;
      }
      return;
    }
    yield event;
  }
}

function noteForm({ accountId, column }: AnswerRequest, isWhole: boolean, wasWhole: boolean): void {
  if (isWhole !== wasWhole) rememberCapability(accountId, column, { isWhole });
}

/** Whether a request has pictures in its questions. */
function hasPictures(path: readonly Turn[]): boolean {
  return sentPath(path).some(({ pictures = [] }) => pictures.length > 0);
}

/** Another reason, whatever else the words say. */
const OTHER_REASONS =
  /moderat|safety|content[ _-]?(policy|filter)|flagged|violat|prohibited|context[ _-]?(length|window)|too long|too many tokens|maximum (context|number of tokens)|token limit|credit|balance|quota|billing|api key|rate limit/i;
/** Words about the kind of a value, as frameworks and decoders write them. */
const TYPE_WORDS =
  /\binput\b.*\b(string|str|text|type|array|list|format|invalid|valid|unsupported|required|must|should)\b|\b(invalid|wrong|unexpected|unsupported) (data )?type\b|\b(expected|valid|must be|should be|not|requires?|only) (an? |of type )?"?(string|str|text)\b|string_type|\b(cannot|could not|failed to|can't) (un)?(marshal|deseriali[sz]e|parse|decode|convert)|\b(array|list|slice|sequence)\b.*\b(not|unsupported|into|for|instead)\b|did not match any variant|\bunion\b|unhashable|has no attribute|not (iterable|callable)|must be str|content type/i;

/**
 * Whether a refusal of typed items may be one that a string would cure. A framework that names the field decides it.
 * Without a field, 400, 415 and 422 are taken for it unless they give another reason; other statuses, and an error inside
 * an answer of status 200, only where their words are about the kind of a value. `wasTaken`: this model has answered
 * items before, so only such words count. A 5xx without words does not count: it may have been charged.
 */
export function isCuredByText(error: Error, wasTaken = false): boolean {
  const isStreamed = error instanceof StreamedError;
  if (!isStreamed && !(error instanceof RefusedError)) return false;
  const status = isStreamed ? 200 : error.status;
  if ([401, 402, 403, 405, 408, 409, 413, 425, 429, 502, 503, 504].includes(status)) return false;
  const body = isStreamed ? undefined : error.body;
  // A page of HTML is a gateway's, perhaps after the answer was written.
  if (typeof body === "string" && /^\s*</.test(body)) return false;
  const named = namesInput(body);
  if (named !== undefined) return named;
  const words = `${error.message} ${wordsOf(body)}`;
  if (OTHER_REASONS.test(words)) return false;
  if (TYPE_WORDS.test(words)) return true;
  return (
    isRecord(body) && !wasTaken && (status === 400 || status === 415 || status === 422) && !OTHER_FIELDS.test(words)
  );
}

/** What a refusal says, without what it repeats of the request: a conversation may speak of anything. */
function wordsOf(body: unknown): string {
  const isEcho = (name: string) => name === "input" || name === "ctx" || name === "body";
  const text = JSON.stringify(body, (name, value: unknown) => (isEcho(name) ? undefined : value)) ?? "";
  return text.slice(0, 4000);
}

/** Other fields of the body, and the model: a text would be refused as well. */
const OTHER_FIELDS =
  /\b(model|max_output_tokens|max_tokens|temperature|top_p|reasoning|instructions|stream|metadata|tools?)\b/i;

/** Whether a refusal that names a field names `input`: `detail[].loc`, `error.param`. Undefined where it names none. */
function namesInput(body: unknown): boolean | undefined {
  if (!isRecord(body)) return undefined;
  const error = isRecord(body.error) ? body.error : body;
  const { param } = error;
  if (typeof param === "string" && param !== "") return /^(body[./])?input\b/.test(param);
  for (const list of [body.detail, body.errors, error.detail, error.details, error.errors]) {
    if (!Array.isArray(list)) continue;
    const locations = list.flatMap((one) => (isRecord(one) ? [one.loc ?? one.path ?? one.field] : [])).filter(Boolean);
    if (locations.length > 0) return locations.some((place) => /(^|[\W_])input\b/.test([place].flat().join(".")));
  }
  return undefined;
}

/** The messages endpoint of some services takes the key in one of two headers only (spec 5.3). */
function withHeaderHint(stored: StoredError, error: ApiError, { endpoint }: Column): StoredError {
  if (!(error instanceof RefusedError) || error.status !== 401 || endpoint !== "messages") return stored;
  return {
    ...stored,
    nextStep: `${stored.nextStep} If other endpoints accept the key, choose the other key header for messages in Settings.`,
  };
}

const PICTURE_WORDS = /\b(images?|pictures?|vision|multi-?modal|modalit(y|ies)|media[_ ]type|input_image|image_url)\b/i;

/** Does what `toStoredError` does; a refusal that may be about the request's pictures says what to do about them. */
export function explainWithPictures(error: ApiError, column: Column, path: readonly Turn[]): StoredError {
  const stored = withHeaderHint(toStoredError(error), error, column);
  const isRefused = error instanceof RefusedError && ![401, 402, 403, 429].includes(error.status);
  const isAbout = isRefused && (error.status === 413 || PICTURE_WORDS.test(error.message));
  if (!isAbout || column.endpoint === "completions" || !hasPictures(path)) return stored;
  const nextStep =
    error.status === 413
      ? "The images may be too large for this service. Send fewer or smaller images."
      : "This model or service may not accept images of this type. Choose another model, or send the message without images.";
  return { ...stored, title: "The request with images was refused", nextStep };
}

/** Whether /v1/responses is given the conversation as typed items or written out as one text (spec 4.2: a string). */
type InputForm = "items" | "text";

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
function sentPictures({ endpoint }: Column, path: readonly Turn[]): string[] {
  if (endpoint === "completions") return [];
  return sentPath(path).flatMap(({ pictures = [] }) => pictures.flatMap(({ id, url }) => (url ? [] : [id])));
}

/** Leaves out empty messages and joins neighbours of one role: the formats want the roles in turn. */
function joinTurns(path: readonly Turn[]): PathTurn[] {
  const turns: PathTurn[] = [];
  for (const { id, role, text: own, parts, isPinned = false, pictures = [] } of path) {
    // An answer that is continued goes on after its own last word.
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

interface PromptTurn {
  role: Turn["role"];
  text: string;
}

/** Writes a chat as one text. If the last message is the assistant's, the text ends inside it, to be continued. */
function writePrompt(template: PromptTemplate, system: string, turns: readonly PromptTurn[]): string {
  // A function as the replacement: `$&` and the like in a message are only text.
  const fill = (pattern: string, text: string) => pattern.replace("{text}", () => text);
  const last = turns.at(-1);
  const isContinued = last?.role === "assistant";
  const whole = isContinued ? turns.slice(0, -1) : turns;
  const written = whole.map(({ role, text }) => fill(template[role], text)).join("");
  const opening = system === "" ? "" : fill(template.system, system);
  const open = template.assistant.split("{text}", 1)[0] ?? "";
  return `${opening}${written}${isContinued ? open + last.text : template.start}`;
}

/**
 * Whether an answer is a refusal: the service's before any text, or the model's own. One that broke off, or that the
 * person stopped, does not count.
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
function sentPath(path: readonly Turn[]): Turn[] {
  const last = path.at(-1);
  // The pair that is asked about: a question, or an answer that is continued with the question before it.
  const asked = new Set(path.slice(last?.role === "assistant" ? -2 : -1).map(({ id }) => id));
  const out = leftOut(path);
  return path.filter(({ id }) => asked.has(id) || !out.has(id));
}

/** How full a model's context will be with the next question. */
export interface ContextSize {
  /** Tokens that go along: those that the service counted, and an estimate of what is new. */
  tokens: number;
  /** Most tokens of the answer, as they are set; undefined where nothing is sent. */
  answerTokens: number | undefined;
  /** True where the whole was estimated: no answer has reported a count yet. */
  isEstimated: boolean;
}

/** About four characters of most texts are a token; signs of scripts without letters are one each. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4) + wide;
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Roles and marks around each message. */
const AROUND = 4;

/**
 * What would be sent of a column's messages, in tokens. `path`: the messages that are shown. Of the newest answer whose
 * counts the service gave, its prompt and its text are known, and only what follows is estimated.
 */
export function contextOfPath(column: Column, path: readonly Turn[]): ContextSize {
  // What a next question would have with it.
  const sent = sentPath([...path, NEXT]).slice(0, -1);
  const at = sent.findLastIndex((turn) => knownTokens(turn) !== undefined);
  const known = at < 0 ? undefined : knownTokens(sent[at] ?? NEXT);
  const rest = sent.slice(at + 1).reduce((sum, turn) => sum + turnTokens(turn, column), 0);
  const start = known ?? (column.system === "" ? 0 : estimateTokens(column.system) + AROUND);
  return { tokens: start + rest, answerTokens: answerTokens(column.params, column), isEstimated: known === undefined };
}

const NEXT: Turn = { id: "", parentId: null, role: "user", text: "", createdAtMs: 0 };

/** The same with a question that is being written. */
export function withQuestion(size: ContextSize, text: string, pictures: readonly Picture[]): ContextSize {
  const trimmed = text.trim();
  const words = trimmed === "" ? 0 : estimateTokens(trimmed) + AROUND;
  return { ...size, tokens: size.tokens + words + pictures.reduce((sum, one) => sum + pictureTokens(one), 0) };
}

/** Reasoning is counted and not sent back. */
function knownTokens({ facts }: Turn): number | undefined {
  if (facts?.contextTokens !== undefined) return facts.contextTokens;
  if (facts?.inputTokens === undefined || facts.outputTokens === undefined) return undefined;
  return facts.inputTokens + Math.max(0, facts.outputTokens - (facts.reasoningTokens ?? 0));
}

function turnTokens({ text, parts, pictures = [] }: Turn, { endpoint }: Column): number {
  const words = estimateTokens(sentText(text, parts));
  const seen = endpoint === "completions" ? [] : pictures;
  return (words === 0 ? 0 : words + AROUND) + seen.reduce((sum, one) => sum + pictureTokens(one), 0);
}

function answerTokens(params: JsonRecord, { endpoint }: Column): number | undefined {
  const set = endpoint === "responses" ? params.max_output_tokens : params.max_tokens;
  if (typeof set === "number" && Number.isFinite(set)) return set;
  return endpoint === "responses" ? undefined : DEFAULT_MAX_TOKENS;
}

/** What the answers of one model on one endpoint have shown, so that it is not tried again each time. */
interface EndpointCapabilities {
  /** How /v1/responses takes a conversation. */
  inputForm?: InputForm;
  /** A stream was asked for and the answer came in one piece. */
  isWhole?: boolean;
}

const MAX_ENDPOINTS = 300;

const nameOf = (accountId: string, { endpoint, model }: EndpointModel) => `${accountId}|${endpoint}|${model}`;

/** `accountId` is the connection's key fingerprint: another service may have other capabilities. */
export function getCapabilities(accountId: string, asked: EndpointModel): EndpointCapabilities {
  const raw = readAll()[nameOf(accountId, asked)];
  if (!isRecord(raw)) return {};
  return {
    ...(raw.inputForm === "items" || raw.inputForm === "text" ? { inputForm: raw.inputForm } : {}),
    ...(typeof raw.isWhole === "boolean" ? { isWhole: raw.isWhole } : {}),
  };
}

export function rememberCapability(accountId: string, asked: EndpointModel, found: EndpointCapabilities): void {
  const name = nameOf(accountId, asked);
  const { [name]: _, ...others } = readAll();
  const newest = Object.entries(others).slice(-MAX_ENDPOINTS);
  const all = { ...Object.fromEntries(newest), [name]: { ...getCapabilities(accountId, asked), ...found } };
  writeJson(KEYS.textCapabilities, all);
}

function readAll(): Record<string, unknown> {
  return asRecord(readJson(KEYS.textCapabilities));
}
