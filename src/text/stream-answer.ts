import { type ApiError, RefusedError, StreamedError } from "#api/api-error.ts";
import type { TextEvent } from "#api/text/text-types.ts";
import type { TextClient } from "#connection/text-client.ts";
import { randomId } from "#lib/random-id.ts";
import { isRecord } from "#lib/read.ts";
import { type StoredError, toStoredError } from "./answer.ts";
import type { Column } from "./conversations/conversation.ts";
import { holdPicture, loadPictures } from "./conversations/pictures.ts";
import type { Turn } from "./conversations/thread.ts";
import { getCapabilities, rememberCapability } from "./endpoint-capabilities.ts";
import { requestBody, sentPath, sentPictures } from "./request-body.ts";

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
    if (event.kind === "form") {
      noteForm(request, !event.isStream, wasWhole);
      if (text !== undefined) rememberCapability(accountId, column, { inputForm: "items" });
    }
    hasBegun ||= event.kind === "text" || event.kind === "reasoning" || event.kind === "part";
    if (event.kind === "error" && mayFallBack && !hasBegun && isCuredByText(event.error, inputForm === "items")) {
      const { error, atMs } = event;
      if (error instanceof RefusedError) yield { kind: "retry", atMs, error, waitMs: 0 };
      for await (const next of client.stream(endpoint, text, { signal })) {
        if (next.kind === "form") {
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
export function hasPictures(path: readonly Turn[]): boolean {
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
 * items before, so only such words count. A 5xx without words is none: it may have been charged.
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

/** As `toStoredError`; a refusal that may be about the pictures of the request says what to do about them. */
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
