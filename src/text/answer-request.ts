import { type ApiError, RefusedError, StreamedError } from "#api/api-error.ts";
import { streamText, type TextOptions } from "#api/text/text-client.ts";
import type { TextEndpoint, TextEvent } from "#api/text/text-types.ts";
import { getApiTarget, useClient } from "#connection/client.ts";
import { type Connection, findConnection } from "#connection/connection-store.ts";
import { openTransfer, type TransferOptions } from "#connection/open-transfer.ts";
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

// What a conversation sends to a text endpoint: the request body, the streamed response, the size of the context, and
// what each model was seen to accept.

/** The three text endpoints of a connection. No event contains the key. */
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

/** What requests need where the studio's own host served the page: a free connection, and a name for each attempt. */
const BY_HOST = {
  openTransfer: (options: TransferOptions) => openTransfer("stream", options),
  // Over HTTP/1.1 a browser may repeat a broken POST by itself. The host forwards a request of the same name only once.
  attemptHeaders: () => (isServedByHost() ? { "x-safelight-intent": randomId() } : {}),
};

interface ResponseRequest {
  client: TextClient;
  /** The connection's key fingerprint. */
  accountId: string;
  conversationId: string;
  column: Column;
  /** The messages down to the question, or to the response that is continued. */
  path: readonly Turn[];
  signal: AbortSignal;
}

/**
 * Streams the response that follows a path. For /v1/responses the specification shows only a string as `input` (spec
 * 4.2), so a single question is sent as a string. Several turns are sent as typed items, which keep the roles apart. If
 * the service refuses items for a reason that a string could cure, the conversation is sent once more as one text. As
 * far as is known, a refusal before any token is not charged. The form that was accepted is remembered for service and
 * model.
 */
export async function* streamResponse(request: ResponseRequest): AsyncGenerator<TextEvent> {
  const pictureIds = new Map<string, string>();
  for await (const event of streamInAcceptedForm(request)) {
    if (event.kind !== "part" || event.part.kind !== "picture") yield event;
    else {
      // The response stores only the id of its picture. The bytes have a row of their own.
      const { base64, mimeType } = event.part;
      const pictureId = pictureIds.get(event.key) ?? randomId();
      pictureIds.set(event.key, pictureId);
      if (base64 !== undefined) holdPicture(pictureId, base64);
      yield { ...event, part: { kind: "picture", mimeType, pictureId } };
    }
  }
}

async function* streamInAcceptedForm(request: ResponseRequest): AsyncGenerator<TextEvent> {
  const { client, accountId, conversationId, column, path, signal } = request;
  const { endpoint } = column;
  const { inputForm, isWhole: wasWhole = false } = getCapabilities(accountId, column);
  const pictures = await loadPictures(accountId, conversationId, sentPictures(column, path));
  const body = requestBody(column, path, { inputForm: inputForm ?? "items", pictures });
  const text = Array.isArray(body.input) ? requestBody(column, path, { inputForm: "text" }) : undefined;
  // As one text, the conversation would lose its pictures without a word.
  const mayFallBack = text !== undefined && !hasPictures(path);
  let hasBegun = false;
  for await (const event of client.stream(endpoint, body, { signal })) {
    if (event.kind === "delivery") {
      rememberDelivery(request, !event.isStream, wasWhole);
      if (text !== undefined) rememberCapability(accountId, column, { inputForm: "items" });
    }
    hasBegun ||= event.kind === "text" || event.kind === "reasoning" || event.kind === "part";
    if (event.kind === "error" && mayFallBack && !hasBegun && isCuredByText(event.error, inputForm === "items")) {
      const { error, atMs } = event;
      if (error instanceof RefusedError) yield { kind: "retry", atMs, error, waitMs: 0 };
      for await (const next of client.stream(endpoint, text, { signal })) {
        if (next.kind === "delivery") {
          rememberDelivery(request, !next.isStream, wasWhole);
          // Remembered only now: had the text been refused too, its form would not have been the reason.
          rememberCapability(accountId, column, { inputForm: "text" });
        }
        yield next;
      }
      return;
    }
    yield event;
  }
}

function rememberDelivery({ accountId, column }: ResponseRequest, isWhole: boolean, wasWhole: boolean): void {
  if (isWhole !== wasWhole) rememberCapability(accountId, column, { isWhole });
}

/** Whether a request has pictures in its questions. */
function hasPictures(path: readonly Turn[]): boolean {
  return sentPath(path).some(({ pictures = [] }) => pictures.length > 0);
}

/** A refusal with one of these words has another reason than the form of `input`. */
const OTHER_REASONS =
  /moderat|safety|content[ _-]?(policy|filter)|flagged|violat|prohibited|context[ _-]?(length|window)|too long|too many tokens|maximum (context|number of tokens)|token limit|credit|balance|quota|billing|api key|rate limit/i;
/** Words about the kind of a value, as frameworks and decoders write them. */
const TYPE_WORDS =
  /\binput\b.*\b(string|str|text|type|array|list|format|invalid|valid|unsupported|required|must|should)\b|\b(invalid|wrong|unexpected|unsupported) (data )?type\b|\b(expected|valid|must be|should be|not|requires?|only) (an? |of type )?"?(string|str|text)\b|string_type|\b(cannot|could not|failed to|can't) (un)?(marshal|deseriali[sz]e|parse|decode|convert)|\b(array|list|slice|sequence)\b.*\b(not|unsupported|into|for|instead)\b|did not match any variant|\bunion\b|unhashable|has no attribute|not (iterable|callable)|must be str|content type/i;

/**
 * Whether a string may cure a refusal of typed items. If the refusal names a field, the field decides. Otherwise:
 * - 400, 415 and 422 count unless they give another reason, or the model has accepted items before (`wasTaken`);
 * - other statuses, and an error within a response of status 200, count only if their words are about a value's type;
 * - a 5xx without such words does not count, because it may have been charged.
 */
export function isCuredByText(error: Error, wasTaken = false): boolean {
  const isStreamed = error instanceof StreamedError;
  if (!isStreamed && !(error instanceof RefusedError)) return false;
  const status = isStreamed ? 200 : error.status;
  if ([401, 402, 403, 405, 408, 409, 413, 425, 429, 502, 503, 504].includes(status)) return false;
  const body = isStreamed ? undefined : error.body;
  // HTML comes from a gateway, perhaps after the service had written the response.
  if (typeof body === "string" && /^\s*</.test(body)) return false;
  const isInputNamed = namesInput(body);
  if (isInputNamed !== undefined) return isInputNamed;
  const words = `${error.message} ${refusalText(body)}`;
  if (OTHER_REASONS.test(words)) return false;
  if (TYPE_WORDS.test(words)) return true;
  return (
    isRecord(body) && !wasTaken && (status === 400 || status === 415 || status === 422) && !OTHER_FIELDS.test(words)
  );
}

/** A refusal's body as text, without the parts that repeat the request: a conversation may contain any of the words. */
function refusalText(body: unknown): string {
  const isEcho = (name: string) => name === "input" || name === "ctx" || name === "body";
  const text = JSON.stringify(body, (name, value: unknown) => (isEcho(name) ? undefined : value)) ?? "";
  return text.slice(0, MAX_REFUSAL_LENGTH);
}

/** Characters that are searched. The reason comes early, and the patterns are slow on a very long text. */
const MAX_REFUSAL_LENGTH = 4000;

/** Names of other fields: a refusal about one of them would refuse a text as well. */
const OTHER_FIELDS =
  /\b(model|max_output_tokens|max_tokens|temperature|top_p|reasoning|instructions|stream|metadata|tools?)\b/i;

/**
 * Whether the field that a refusal names is `input` (in `detail[].loc`, `error.param`). Undefined where it names none.
 */
function namesInput(body: unknown): boolean | undefined {
  if (!isRecord(body)) return undefined;
  const error = isRecord(body.error) ? body.error : body;
  const { param } = error;
  if (typeof param === "string" && param !== "") return /^(body[./])?input\b/.test(param);
  for (const list of [body.detail, body.errors, error.detail, error.details, error.errors]) {
    if (!Array.isArray(list)) continue;
    const locations = list
      .flatMap((item) => (isRecord(item) ? [item.loc ?? item.path ?? item.field] : []))
      .filter(Boolean);
    if (locations.length > 0) return locations.some((location) => /(^|[\W_])input\b/.test([location].flat().join(".")));
  }
  return undefined;
}

/** Adds to a 401 of the messages endpoint that the service may take the key only in the other header (spec 5.3). */
function withHeaderHint(stored: StoredError, error: ApiError, { endpoint }: Column): StoredError {
  if (!(error instanceof RefusedError) || error.status !== 401 || endpoint !== "messages") return stored;
  return {
    ...stored,
    nextStep: `${stored.nextStep} If other endpoints accept the key, choose the other messages key header in Settings.`,
  };
}

const PICTURE_WORDS = /\b(images?|pictures?|vision|multi-?modal|modalit(y|ies)|media[_ ]type|input_image|image_url)\b/i;

/** An error in words, as `toStoredError` gives it. If the request's pictures may be the reason, it says what to do. */
export function explainWithPictures(error: ApiError, column: Column, path: readonly Turn[]): StoredError {
  const stored = withHeaderHint(toStoredError(error), error, column);
  const isRefused = error instanceof RefusedError && ![401, 402, 403, 429].includes(error.status);
  const isAboutPictures = isRefused && (error.status === 413 || PICTURE_WORDS.test(error.message));
  if (!isAboutPictures || column.endpoint === "completions" || !hasPictures(path)) return stored;
  const nextStep =
    error.status === 413
      ? "The images may be too large for this service. Send fewer or smaller images."
      : "This model or service may not accept images of this type. Choose another model, or send the message without images.";
  return { ...stored, title: "The request with images was rejected", nextStep };
}

/** The `input` of /v1/responses: typed items, or the conversation as one text (spec 4.2 shows only the string). */
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
  /** The Base64 of the pictures that are sent as bytes, by id. A picture without an entry is not sent. */
  pictures?: ReadonlyMap<string, string>;
}

const CACHED = { cache_control: { type: "ephemeral" } };
/** The messages format allows at most four `cache_control` marks in one request. */
const MAX_CACHE_MARKS = 4;

/**
 * The body of one request: the model, the messages of the path without those that are left out (`sentPath`), and only
 * the fields that were set. A path that ends with a response asks for the continuation of that response.
 */
export function requestBody(
  column: Column,
  path: readonly Turn[],
  { inputForm = "items", pictures = new Map() }: BodyOptions = {},
): JsonRecord {
  const params = Object.fromEntries(
    Object.entries(column.params).filter(([name]) => !OWN_FIELDS.some((ownField) => ownField === name)),
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

/** Leaves out empty messages and joins neighbors of one role: the formats require the roles to alternate. */
function joinTurns(path: readonly Turn[]): PathTurn[] {
  const turns: PathTurn[] = [];
  for (const { id, role, text: turnText, parts, isPinned = false, pictures = [] } of path) {
    // A response that is continued must end with its own last word, not with a tool call in words.
    const text = role === "assistant" && id === path.at(-1)?.id ? turnText : sentText(turnText, parts);
    if (text.trim() === "" && pictures.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role !== role) turns.push({ role, text, isPinned, pictures });
    else {
      turns[turns.length - 1] = {
        role,
        text: [last.text, text].filter((each) => each !== "").join("\n\n"),
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
  const marks = cacheMarkIndexes(
    column,
    turns,
    isSystemCached && system !== "" ? MAX_CACHE_MARKS - 1 : MAX_CACHE_MARKS,
  );
  const messages = turns.map(({ role, text, pictures }, index) => {
    // The format refuses a prefilled response that ends in white space.
    const content = role === "assistant" && index === turns.length - 1 ? text.trimEnd() : text;
    const mark = marks.has(index) ? CACHED : {};
    const images = pictures.flatMap((picture) => imageBlock(picture, bytes));
    if (images.length === 0 && !marks.has(index)) return { role, content };
    // The format refuses an empty block of text.
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

/** The indexes of the messages at which a prefix to cache ends: the last `max` of them, or two in `auto`. */
function cacheMarkIndexes({ cacheMode }: Column, turns: readonly PathTurn[], max: number): Set<number> {
  const positions = turns.flatMap(({ role, isPinned }, index) => {
    if (cacheMode === "auto") return role === "user" ? [index] : [];
    return cacheMode === "pins" && isPinned ? [index] : [];
  });
  // The latest question writes the cache. At the question before it, the last request wrote what is read now.
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
  const input = isText && !hasPictures ? writeAsText(asked) : items;
  return { model, ...(system === "" ? {} : { instructions: system }), ...params, input };
}

/** A single question as it is; several turns with "User:" or "Assistant:" before each. */
function writeAsText(turns: readonly PathTurn[]): string {
  const only = turns.length === 1 ? turns[0] : undefined;
  return only?.text ?? turns.map(({ role, text }) => `${role === "user" ? "User" : "Assistant"}: ${text}`).join("\n\n");
}

/** The format of /v1/responses has no prefilled response, so the continuation is asked for in words. */
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
  const finished = isContinued ? turns.slice(0, -1) : turns;
  const written = finished.map(({ role, text }) => fill(template[role], text)).join("");
  const opening = system === "" ? "" : fill(template.system, system);
  const responseStart = template.assistant.split("{text}", 1)[0] ?? "";
  return `${opening}${written}${isContinued ? responseStart + last.text : template.start}`;
}

/**
 * Whether a response is a refusal: by the service before any text, or by the model. A response that broke off, or that
 * the person stopped, is none.
 */
export function isRefused({ role, text, outcome, facts, parts = [] }: Turn): boolean {
  if (role !== "assistant") return false;
  if (parts.some(({ kind }) => kind === "refusal") || facts?.stopReason === "refusal") return true;
  const isEmpty = text.trim() === "" && parts.length === 0;
  return isEmpty && (outcome?.how === "failed" || facts?.stopReason === "content_filter");
}

/**
 * The ids of the questions and responses that are not sent along with a later question: those that were refused, unless
 * the person sends them along, and those that the person leaves out. A refused question that is sent again would have
 * the later one refused too. `path` may end in a question; `sentPath` sends the last pair whatever this set says.
 */
export function leftOut(path: readonly Turn[]): Set<string> {
  const out = new Set<string>();
  for (const [index, turn] of path.entries()) {
    if (turn.role !== "user") continue;
    const next = path[index + 1];
    const response = next?.role === "assistant" ? next : undefined;
    const isOut = turn.sendAlong === undefined ? response !== undefined && isRefused(response) : !turn.sendAlong;
    if (!isOut) continue;
    out.add(turn.id);
    if (response) out.add(response.id);
  }
  return out;
}

/** The messages of a path that are sent to have its last message answered or continued. */
function sentPath(path: readonly Turn[]): Turn[] {
  const last = path.at(-1);
  // What the request is about: a question, or the response to be continued and its question.
  const asked = new Set(path.slice(last?.role === "assistant" ? -2 : -1).map(({ id }) => id));
  const out = leftOut(path);
  return path.filter(({ id }) => asked.has(id) || !out.has(id));
}

/** How full a model's context will be with the next question. */
export interface ContextSize {
  /** Tokens that are sent along: those that the service counted, and an estimate of the messages since. */
  tokens: number;
  /** The limit of the response's tokens that is sent; undefined where none is. */
  responseTokens: number | undefined;
  /** True where `tokens` is only an estimate: no response has reported a count yet. */
  isEstimated: boolean;
}

/** About four characters are a token in most languages. Each Chinese, Japanese or Korean character counts as one. */
export function estimateTokens(text: string): number {
  const tokensOfOne = text.match(ONE_TOKEN_EACH)?.length ?? 0;
  return Math.ceil((text.length - tokensOfOne) / 4) + tokensOfOne;
}

const ONE_TOKEN_EACH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Estimated tokens of the role and the separators of each message. */
const TOKENS_AROUND_MESSAGE = 4;

/**
 * The size of what would be sent with the next question. `path`: the messages that are shown. The latest response with
 * counts from the service tells the tokens of everything up to it; only the messages after it are estimated.
 */
export function contextOfPath(column: Column, path: readonly Turn[]): ContextSize {
  const sent = sentPath([...path, NEXT_QUESTION]).slice(0, -1);
  const knownAt = sent.findLastIndex((turn) => knownTokens(turn) !== undefined);
  const known = knownAt < 0 ? undefined : knownTokens(sent[knownAt] ?? NEXT_QUESTION);
  const estimated = sent.slice(knownAt + 1).reduce((sum, turn) => sum + turnTokens(turn, column), 0);
  const start = known ?? (column.system === "" ? 0 : estimateTokens(column.system) + TOKENS_AROUND_MESSAGE);
  return {
    tokens: start + estimated,
    responseTokens: responseTokens(column.params, column),
    isEstimated: known === undefined,
  };
}

const NEXT_QUESTION: Turn = { id: "", parentId: null, role: "user", text: "", createdAtMs: 0 };

/** A context size with a question that is still being written. */
export function withQuestion(size: ContextSize, text: string, pictures: readonly Picture[]): ContextSize {
  const trimmed = text.trim();
  const words = trimmed === "" ? 0 : estimateTokens(trimmed) + TOKENS_AROUND_MESSAGE;
  return { ...size, tokens: size.tokens + words + pictures.reduce((sum, picture) => sum + pictureTokens(picture), 0) };
}

/** Tokens of everything up to this response, as the service counted them. Reasoning is left out: it is not sent back. */
function knownTokens({ facts }: Turn): number | undefined {
  if (facts?.contextTokens !== undefined) return facts.contextTokens;
  if (facts?.inputTokens === undefined || facts.outputTokens === undefined) return undefined;
  return facts.inputTokens + Math.max(0, facts.outputTokens - (facts.reasoningTokens ?? 0));
}

function turnTokens({ text, parts, pictures = [] }: Turn, { endpoint }: Column): number {
  const words = estimateTokens(sentText(text, parts));
  const shownPictures = endpoint === "completions" ? [] : pictures;
  return (
    (words === 0 ? 0 : words + TOKENS_AROUND_MESSAGE) +
    shownPictures.reduce((sum, picture) => sum + pictureTokens(picture), 0)
  );
}

function responseTokens(params: JsonRecord, { endpoint }: Column): number | undefined {
  const set = endpoint === "responses" ? params.max_output_tokens : params.max_tokens;
  if (typeof set === "number" && Number.isFinite(set)) return set;
  return endpoint === "responses" ? undefined : DEFAULT_MAX_TOKENS;
}

/** What the responses of one model on one endpoint have shown, so that it is not tried out each time. */
interface EndpointCapabilities {
  /** The form in which /v1/responses accepted a conversation. */
  inputForm?: InputForm;
  /** A stream was asked for and the response came in one piece. */
  isWhole?: boolean;
}

/** Entries that are stored. The oldest are dropped first. */
const MAX_ENDPOINTS = 300;

const capabilityKey = (accountId: string, { endpoint, model }: EndpointModel) => `${accountId}|${endpoint}|${model}`;

/** `accountId` is the connection's key fingerprint: another service may have other capabilities. */
export function getCapabilities(accountId: string, asked: EndpointModel): EndpointCapabilities {
  const raw = readAllCapabilities()[capabilityKey(accountId, asked)];
  if (!isRecord(raw)) return {};
  return {
    ...(raw.inputForm === "items" || raw.inputForm === "text" ? { inputForm: raw.inputForm } : {}),
    ...(typeof raw.isWhole === "boolean" ? { isWhole: raw.isWhole } : {}),
  };
}

export function rememberCapability(accountId: string, asked: EndpointModel, found: EndpointCapabilities): void {
  const key = capabilityKey(accountId, asked);
  const { [key]: _, ...others } = readAllCapabilities();
  const newest = Object.entries(others).slice(-MAX_ENDPOINTS);
  const all = { ...Object.fromEntries(newest), [key]: { ...getCapabilities(accountId, asked), ...found } };
  writeJson(KEYS.textCapabilities, all);
}

function readAllCapabilities(): Record<string, unknown> {
  return asRecord(readJson(KEYS.textCapabilities));
}
