import type { JsonRecord } from "#lib/read.ts";
import type { JobRecord } from "#storage/job-records.ts";

/** Names under which services take the words of a request, the likeliest first. */
const PROMPT_NAMES = ["prompt", "text", "instruction", "lyrics", "input"];

/** The words of a payload, for titles and search. Undefined where there are none. */
export function jobPrompt(payload: JsonRecord | undefined): string | undefined {
  if (!payload) return undefined;
  for (const name of PROMPT_NAMES) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}

const prompts = new WeakMap<JsonRecord, string>();

/** The words that a job was given; empty where they are not known. Looked for once: lists ask for those of all their jobs. */
export function promptOf({ prompt = "", payload }: Pick<JobRecord, "prompt" | "payload">): string {
  if (payload === undefined) return prompt;
  const known = prompts.get(payload) ?? jobPrompt(payload) ?? "";
  prompts.set(payload, known);
  return known || prompt;
}
