import type { JsonRecord } from "#lib/read.ts";
import { sentText } from "./answer-parts.ts";
import { type Column, DEFAULT_MAX_TOKENS } from "./conversations/conversation.ts";
import { type Picture, pictureTokens } from "./conversations/pictures.ts";
import type { Turn } from "./conversations/thread.ts";
import { sentPath } from "./request-body.ts";

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
