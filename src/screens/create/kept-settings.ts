import type { JsonRecord } from "#lib/json.ts";
import type { Keep } from "./create-search.ts";

const SEED = /seed/i;
const PROMPT = /^(prompt|text|instruction|lyrics)$/i;

/** The form's present values with what is kept of a job's settings. */
export function keptSettings(present: JsonRecord, payload: JsonRecord, keep: Keep): JsonRecord {
  const kept = (wanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(payload).filter(([key]) => wanted(key)));
  switch (keep) {
    case "all":
      return payload;
    case "noseed":
      return kept((key) => !SEED.test(key));
    case "prompt":
      return { ...present, ...kept((key) => PROMPT.test(key)) };
    case "seed":
      return { ...present, ...kept((key) => SEED.test(key)) };
  }
}
