import { createStore } from "zustand/vanilla";
import { type ApiError, RefusedError } from "#api/api-error.ts";
import { MESSAGE_NOT_CHARGED } from "#api/charge-words.ts";
import { asSentence, type Explanation, explainError } from "#api/explain-error.ts";
import type { AnswerPart, TextEvent, TextUsage } from "#api/text/text-types.ts";
import { asList, asText, isRecord } from "#lib/read.ts";
import { createMarkdownSource } from "./markdown/markdown-source.ts";

/** An error as it is stored: what happened, whether anything was charged, what to do. */
export interface StoredError extends Pick<Explanation, "title" | "body" | "chargedText" | "nextStep"> {
  /** The screen on which the person can act, if it is another one. */
  place?: ErrorPlace;
}

/**
 * `connect`: the key was refused. `create`: the model is a generation model (spec 7). `models`: another model may do.
 */
type ErrorPlace = (typeof ERROR_PLACES)[number];
export const ERROR_PLACES = ["connect", "create", "models"] as const;

/** Nothing was sent, because a limit would be broken or could not be checked. `stored` says which, and what to do. */
export class OverLimitError extends Error {
  override name = "OverLimitError";
  readonly stored: StoredError;
  constructor(stored: StoredError) {
    super(stored.title);
    this.stored = stored;
  }
}

/**
 * How a response ended. `early`: the stream stopped without the format's own end. `stopped`: by the person. `lost`: the
 * page was closed in the middle. In all cases the text that arrived stays.
 */
export interface ResponseOutcome {
  how: "complete" | "early" | "stopped" | "failed" | "lost";
  error?: StoredError;
}

/** What a person reads while a response is `queued`. */
export const QUEUED_WORDS = "Waiting for other requests. Not sent yet.";

/** `queued`: it waits for a free connection, and nothing has been sent. */
type LivePhase = "queued" | "waiting" | "retrying" | "reasoning" | "answering" | "over";

/** What a component shows of a response that is coming, besides its text. */
export interface LiveResponse {
  phase: LivePhase;
  facts: ResponseFacts;
  /** Stays the same list until a part is added or grows. */
  parts: readonly AnswerPart[];
}

/** How the service refuses a generation model on a text endpoint. */
const NO_ENDPOINT = /no endpoint for model/i;

/** Explains an error of a text endpoint once, so that it can be shown again after a reload. */
export function toStoredError(error: ApiError): StoredError {
  const { title, body, chargedText, nextStep } = explainError(error, "text");
  const place = findErrorPlace(error);
  return { title, body: asSentence(body), chargedText, nextStep, ...(place === undefined ? {} : { place }) };
}

function findErrorPlace(error: ApiError): ErrorPlace | undefined {
  if (!(error instanceof RefusedError)) return undefined;
  if (error.status === 401) return "connect";
  if (error.status === 404) return NO_ENDPOINT.test(error.message) ? "create" : "models";
  return error.status === 403 ? "models" : undefined;
}

/** What was measured of one response. What the service did not report is absent, never guessed. */
export interface ResponseFacts {
  /** From sending to the first character of text or reasoning, in ms. */
  firstTokenMs?: number;
  /** From sending to the end, in ms. */
  totalMs?: number;
  inputTokens?: number;
  outputTokens?: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
  /** Continued responses only: tokens of the context after the last request. The summed counts cannot tell it. */
  contextTokens?: number;
  stopReason?: string;
  /** False where a stream was asked for and the response came in one piece. */
  isStream?: boolean;
  /** Events that carried text: near the number of tokens on most servers, exact on none. */
  pieces: number;
}

export const NO_FACTS: ResponseFacts = { pieces: 0 };

/** The measurements with one more event of the response. */
export function measure(facts: ResponseFacts, event: TextEvent): ResponseFacts {
  switch (event.kind) {
    case "text":
    case "reasoning":
      return { ...facts, firstTokenMs: facts.firstTokenMs ?? event.atMs, pieces: facts.pieces + 1 };
    case "part":
      return { ...facts, firstTokenMs: facts.firstTokenMs ?? event.atMs };
    case "delivery":
      return { ...facts, isStream: event.isStream };
    case "usage":
      return { ...facts, ...countsOf(event.usage) };
    case "end":
      return {
        ...(event.how === "complete" ? facts : interrupted(facts)),
        totalMs: event.atMs,
        ...(event.stopReason === undefined ? {} : { stopReason: event.stopReason }),
      };
    case "error":
      return { ...interrupted(facts), totalMs: event.atMs };
    default:
      return facts;
  }
}

/** Without the counts of output: what a response that broke off had reported came before its end, and is too small. */
function interrupted({ outputTokens: _, reasoningTokens: __, ...facts }: ResponseFacts): ResponseFacts {
  return facts;
}

/**
 * The facts of a response and its continuation as one. Input and output tokens are summed only if both have a count.
 * Cached and reasoning tokens count as 0 where they are absent, because services leave them out then.
 */
export function joinFacts(before: ResponseFacts, after: ResponseFacts): ResponseFacts {
  const sums = SUMMED_FACTS.flatMap((name) => {
    const counts = [before[name], after[name]].filter((count) => count !== undefined);
    const maySkipOne = name !== "inputTokens" && name !== "outputTokens";
    return counts.length === 2 || (maySkipOne && counts.length === 1)
      ? [[name, counts.reduce((a, b) => a + b)] as const]
      : [];
  });
  const { firstTokenMs } = before;
  const { stopReason, isStream, inputTokens, outputTokens, reasoningTokens = 0 } = after;
  const isKnown = inputTokens !== undefined && outputTokens !== undefined;
  return {
    ...Object.fromEntries(sums),
    ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
    ...(isKnown ? { contextTokens: inputTokens + outputTokens - reasoningTokens } : {}),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(isStream === undefined ? {} : { isStream }),
    pieces: before.pieces + after.pieces,
  };
}

/** Facts that are summed when a response is continued. */
export const SUMMED_FACTS = [
  "totalMs",
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/**
 * Output tokens a second from the first token to the end. Undefined without a token count, and for a response in one
 * piece, whose pace cannot be seen.
 */
export function tokensPerSecond({ outputTokens, firstTokenMs, totalMs, isStream }: ResponseFacts): number | undefined {
  if (outputTokens === undefined || firstTokenMs === undefined || totalMs === undefined || isStream === false) return;
  const seconds = (totalMs - firstTokenMs) / 1000;
  // The clock starts at the first token, so that token is not counted. Shorter times are too short to measure.
  return seconds > 0.01 && outputTokens > 1 ? (outputTokens - 1) / seconds : undefined;
}

function countsOf({ raw: _, ...counts }: TextUsage): Omit<TextUsage, "raw"> {
  return counts;
}

/** How far a response has come, to be stored in the conversation. */
export interface ResponsePatch {
  text: string;
  reasoning?: string;
  parts?: readonly AnswerPart[];
  facts: ResponseFacts;
  outcome?: ResponseOutcome;
}

/** A response that is coming. It lives outside React; a component follows the part that it shows. */
export type ResponseRun = ReturnType<typeof runResponse>;

/** How often `live` is set while text comes. */
const PULSE_MS = 250;

const NEVER_SENT = {
  title: "Stopped before sending",
  body: "The message was waiting for other requests.",
  chargedText: MESSAGE_NOT_CHARGED.unsent,
  nextStep: "",
};

/**
 * Reads one response to its end. `commit` gets what has arrived about once a second, so that a crash loses little, and
 * once more at the end with the outcome. Events after a stop are ignored.
 */
export function runResponse({
  open,
  startText = "",
  startParts,
  onEvent,
  commit,
  commitEveryMs = 1000,
  explain = toStoredError,
}: {
  open: (signal: AbortSignal) => AsyncIterable<TextEvent>;
  /** What has come so far, when a response is continued. */
  startText?: string;
  startParts?: readonly AnswerPart[] | undefined;
  onEvent?: (event: TextEvent) => void;
  commit: (patch: ResponsePatch) => void;
  commitEveryMs?: number;
  /** Puts an error into words. */
  explain?: (error: ApiError) => NonNullable<ResponseOutcome["error"]>;
}) {
  const controller = new AbortController();
  const text = createMarkdownSource();
  const reasoning = createMarkdownSource();
  const parts = new PartList(startParts);
  let phase: LivePhase = "waiting";
  let facts = NO_FACTS;
  const readLive = (): LiveResponse => ({ phase, facts, parts: parts.all() });
  const live = createStore(readLive);
  let pulsedAt = 0;
  let committedAt = performance.now();
  const startedAt = committedAt;
  if (startText !== "") text.append(startText);

  const notify = () => {
    pulsedAt = performance.now();
    live.setState(readLive());
  };
  const enter = (next: LivePhase) => {
    if (phase === next || phase === "over") return;
    phase = next;
    notify();
  };
  const commitNow = (outcome?: ResponseOutcome) => {
    committedAt = performance.now();
    const thought = reasoning.text();
    commit({
      text: text.text(),
      facts,
      ...(thought === "" ? {} : { reasoning: thought }),
      ...(parts.all().length === 0 ? {} : { parts: parts.all() }),
      ...(outcome === undefined ? {} : { outcome }),
    });
  };
  const finish = (outcome: ResponseOutcome) => {
    if (phase === "over") return;
    text.end();
    reasoning.end();
    commitNow(outcome);
    enter("over");
  };
  const takeEvent = (event: TextEvent) => {
    facts = measure(facts, event);
    if (event.kind === "queued") enter("queued");
    else if (event.kind === "retry") enter("retrying");
    else if (event.kind === "request") enter("waiting");
    else if (event.kind === "end") {
      const error = event.error && { error: explain(event.error) };
      finish({ how: event.how, ...error });
    } else if (event.kind === "error") finish({ how: "failed", error: explain(event.error) });
    // One completion is shown; further choices are only in the request log.
    else if (event.kind === "reasoning" || (event.kind === "text" && event.choice === 0)) {
      (event.kind === "text" ? text : reasoning).append(event.text);
      enter(event.kind === "text" ? "answering" : "reasoning");
      pulse();
    } else if (event.kind === "part" || event.kind === "part-text") {
      if (event.kind === "part") parts.put(event.key, event.part);
      else parts.addText(event.key, event.text);
      enter("answering");
      pulse();
    }
  };
  const pulse = () => {
    const now = performance.now();
    if (now - committedAt >= commitEveryMs) commitNow();
    if (now - pulsedAt >= PULSE_MS) notify();
  };
  const drive = async () => {
    // After a microtask the caller has the run, which the first event may need.
    await Promise.resolve();
    for await (const event of open(controller.signal)) {
      onEvent?.(event);
      if (phase !== "over") takeEvent(event);
    }
    finish({ how: "early" });
  };
  return {
    text,
    reasoning,
    /** Set when the phase changes, and at most four times a second while text comes. */
    live,
    /** Commits what has arrived so far: before the page goes away. */
    save(): void {
      if (phase !== "over") commitNow();
    },
    /** Ends the request at once. What arrived stays. */
    stop(): void {
      facts = { ...interrupted(facts), totalMs: facts.totalMs ?? performance.now() - startedAt };
      controller.abort();
      finish(phase === "queued" ? { how: "stopped", error: NEVER_SENT } : { how: "stopped" });
    },
    /** Resolves after the last commit, whatever the outcome was. */
    done: drive().catch((error: unknown) =>
      finish(error instanceof OverLimitError ? { how: "failed", error: error.stored } : { how: "early" }),
    ),
  };
}

/** More parts than any real response has. Further parts are only in the request log. */
const MAX_PARTS = 200;
/** Characters. Bounds what one part costs in memory and in the database. */
const MAX_PART_LENGTH = 200_000;
/** Characters of a tool call's input that are sent along with the next question. */
const MAX_SENT_INPUT_LENGTH = 4000;

/** The parts of a response that is coming, in the order in which they began. */
class PartList {
  readonly #parts = new Map<string, AnswerPart>();
  #all: readonly AnswerPart[] = [];

  /** `startParts`: the parts so far, when a response is continued. */
  constructor(startParts: readonly AnswerPart[] = []) {
    for (const [index, part] of startParts.entries()) this.put(`begun ${index}`, part);
  }

  put(key: string, part: AnswerPart): void {
    if (this.#parts.size >= MAX_PARTS && !this.#parts.has(key)) return;
    this.#parts.set(key, part);
    this.#all = [...this.#parts.values()];
  }

  addText(key: string, text: string): void {
    this.put(key, addPartText(this.#parts.get(key), { key, text }));
  }

  /** The list of parts, which is a new one only after `put`. */
  all(): readonly AnswerPart[] {
    return this.#all;
  }
}

/** A part with more of its text. Where no event began the part, its key tells its kind. */
export function addPartText(part: AnswerPart | undefined, { key, text }: { key: string; text: string }): AnswerPart {
  const start = part ?? emptyPart(key);
  const append = (current: string) => (current.length < MAX_PART_LENGTH ? current + text : current);
  if (start.kind === "tool-call") return { ...start, input: append(start.input) };
  if (start.kind === "refusal") return { ...start, text: append(start.text) };
  return start.kind === "other" ? { ...start, json: append(start.json) } : start;
}

function emptyPart(key: string): AnswerPart {
  if (key === "refusal") return { kind: "refusal", text: "" };
  if (key === "audio transcript") return { kind: "other", type: key, json: "" };
  return { kind: "tool-call", name: "unnamed", input: "" };
}

/** Parts from the database or from a file, read as untrusted data. */
export function readParts(raw: unknown): AnswerPart[] {
  return asList(raw)
    .slice(0, MAX_PARTS)
    .flatMap((part) => readPart(part) ?? []);
}

function readPart(raw: unknown): AnswerPart | undefined {
  if (!isRecord(raw)) return undefined;
  const text = (name: string) => (asText(raw[name]) ?? "").slice(0, MAX_PART_LENGTH);
  switch (raw.kind) {
    case "tool-call":
      return { kind: raw.kind, name: text("name"), input: text("input") };
    case "refusal":
      return { kind: raw.kind, text: text("text") };
    case "citation":
      return { kind: raw.kind, title: text("title"), url: text("url"), quote: text("quote") };
    case "picture":
      return typeof raw.pictureId === "string"
        ? { kind: raw.kind, mimeType: text("mimeType"), pictureId: raw.pictureId }
        : undefined;
    case "other":
      return { kind: raw.kind, type: text("type"), json: text("json") };
    default:
      return undefined;
  }
}

/**
 * A response as the text that is sent along with the next question: its own words, those of a refusal, and each tool
 * call in words. A tool call in its own format would have to be followed by its result, which does not exist.
 */
export function sentText(text: string, parts: readonly AnswerPart[] = []): string {
  const words = parts.flatMap((part) => {
    if (part.kind === "refusal") return part.text === "" ? [] : [part.text];
    return part.kind === "tool-call"
      ? [`[Tool call: ${part.name}(${part.input.slice(0, MAX_SENT_INPUT_LENGTH)})]`]
      : [];
  });
  return [text, ...words].filter((paragraph) => paragraph.trim() !== "").join("\n\n");
}

/** A response with its parts, for reading as Markdown. */
export function partsMarkdown(text: string, parts: readonly AnswerPart[] = []): string {
  let sourceNumber = 0;
  const write = (part: AnswerPart): string => {
    switch (part.kind) {
      case "tool-call":
        return `Tool call: ${part.name}\n\n${fenced(part.input)}`;
      case "refusal":
        return `Refusal: ${part.text}`;
      case "citation":
        sourceNumber += 1;
        return `${sourceNumber}. ${[part.title, part.url].filter((text) => text !== "").join(", ")}`;
      case "picture":
        return `Image (${part.mimeType})`;
      case "other":
        return `Block: ${part.type}\n\n${fenced(part.json)}`;
    }
  };
  const blocks = parts.map(write);
  return [text, ...blocks].filter((block) => block !== "").join("\n\n");
}

/** A fence that no line of the text can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((marks) => marks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}
