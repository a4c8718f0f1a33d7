import { asFilledText, isRecord, type JsonRecord } from "#lib/read.ts";
import { readErrorMessage } from "../read-error.ts";
import type { AnswerPart, TextUsage } from "./text-types.ts";

/**
 * What one event of an answer means, before it has a time. The three formats share these, and the reading of errors and
 * usage.
 */
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
  /** The format's own end was seen, or an end that is as good. */
  isComplete(): boolean;
  /** Nothing that matters can follow. */
  isOver(): boolean;
}

/** Id and model of an answer, where it gives either. Empty where it gives neither. */
export function findIdAndModel(record: JsonRecord): TextFinding[] {
  const id = asFilledText(record.id);
  const model = asFilledText(record.model);
  return id === undefined && model === undefined ? [] : [{ kind: "identity", id, model }];
}

/** The usage object of an answer, where there is one. It may be null, come often, or never. */
export function findUsage(value: unknown): TextFinding[] {
  return isRecord(value) ? [{ kind: "usage", raw: value }] : [];
}

type Failure = Extract<TextFinding, { kind: "failure" }>;

/**
 * The error in an event or body, in any of its shapes: `{error: {message, type, code}}`, `{error: "text"}`,
 * `{type: "error", …}` flat or nested, `{object: "error", message}`, or any event of that name. Undefined where there is
 * none: `error: null` is the usual sign of success.
 */
export function findFailure(record: JsonRecord, name: string | undefined): Failure | undefined {
  const inner = record.error;
  const saysError = record.type === "error" || record.object === "error" || name === "error";
  if (!saysError && (inner === undefined || inner === null || inner === false || inner === "")) return undefined;
  return failure(record, isRecord(inner) ? inner : record);
}

/**
 * An error object at the place where the format has one, such as `response.error`. A message of our own where it has
 * none.
 */
export function failure(record: unknown, fields: JsonRecord): Failure {
  const type = typeof fields.type === "string" && fields.type !== "error" ? fields.type : undefined;
  const code = typeof fields.code === "string" || typeof fields.code === "number" ? String(fields.code) : undefined;
  const message = readErrorMessage(record) ?? "The answer ended with an error, and the service gave no reason.";
  return { kind: "failure", message, type, code };
}

/**
 * Adds the usage of one more event to what is known: the last value of each field wins, null changes nothing.
 */
export function mergeUsage(known: JsonRecord, more: JsonRecord): JsonRecord {
  const merged = { ...known };
  for (const [name, value] of Object.entries(more)) {
    const knownValue = merged[name];
    if (value === null || value === undefined) continue;
    merged[name] = isRecord(value) && isRecord(knownValue) ? mergeUsage(knownValue, value) : value;
  }
  return merged;
}

/**
 * Tokens from a usage object of any of the three formats. The messages format counts cached input apart from
 * `input_tokens`; the other two count it within. A count that is missing or no number is undefined.
 */
export function readUsage(raw: JsonRecord): TextUsage {
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
