import { isRecord, type JsonRecord } from "#lib/json.ts";
import type { TextUsage } from "./text-types.ts";

/** Joins what one more event tells to what is known: the last value of each field wins, null tells nothing. */
export function mergeUsage(known: JsonRecord, more: JsonRecord): JsonRecord {
  const merged = { ...known };
  for (const [name, value] of Object.entries(more)) {
    const before = merged[name];
    if (value === null || value === undefined) continue;
    merged[name] = isRecord(value) && isRecord(before) ? mergeUsage(before, value) : value;
  }
  return merged;
}

/**
 * Tokens from a usage object of any of the three formats. The messages format counts cached input apart from
 * `input_tokens`; the other two count it within.
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
