import type { JsonRecord } from "#lib/read.ts";

/** Names under which services take the words of a request, the likeliest first. */
const PROMPT_NAMES = ["prompt", "text", "instruction", "lyrics", "input"];

/** The words of a payload, for titles and search. Undefined where there are none. Never throws. */
export function jobPrompt(payload: JsonRecord | undefined): string | undefined {
  if (!payload) return undefined;
  for (const name of PROMPT_NAMES) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}
