import type { Job } from "#api/types.ts";
import { isRecord } from "#lib/json.ts";
import { safeFileName } from "./file-name.ts";

/** What the name of a downloaded file is made of until a person writes a template of their own. */
export const DEFAULT_NAME_TEMPLATE = "{model}-{date}-{index}";

/** The words a template knows; `{prompt:40}` cuts a value to so many characters. */
export const NAME_TOKENS = ["date", "time", "model", "prompt", "seed", "index", "id"] as const;

export interface MediaNameParts {
  job: Pick<Job, "requestId" | "model" | "payload" | "createdAtSeconds">;
  /** Place of the file in its job, from 0; shown from 1. */
  index: number;
  /** From the file's own bytes (`fileKind`), never from its address. */
  extension: string;
  template?: string;
  /** Used for the date where the service did not say when the job was made. Milliseconds. */
  nowMs?: number;
}

/**
 * A safe file name for one file of a job: model, date (local), index and the real extension by default, or whatever the
 * template says. A token with no value leaves nothing behind.
 */
export function mediaFileName({ job, index, extension, template, nowMs }: MediaNameParts): string {
  const made = new Date(job.createdAtSeconds === undefined ? (nowMs ?? Date.now()) : job.createdAtSeconds * 1000);
  const values: Record<string, string> = {
    date: `${made.getFullYear()}-${twoDigits(made.getMonth() + 1)}-${twoDigits(made.getDate())}`,
    time: `${twoDigits(made.getHours())}.${twoDigits(made.getMinutes())}.${twoDigits(made.getSeconds())}`,
    model: job.model ?? "unknown model",
    prompt: firstText(job.payload, ["prompt", "text"]),
    seed: firstText(job.payload, ["seed"]),
    index: String(index + 1),
    id: job.requestId,
  };
  const filled = (template || DEFAULT_NAME_TEMPLATE).replace(/\{(\w+)(?::(\d+))?\}/g, (whole, token, length) => {
    if (!Object.hasOwn(values, token)) return whole;
    const value = values[token] ?? "";
    return length === undefined ? value : Array.from(value).slice(0, Number(length)).join("").trim();
  });
  return safeFileName(filled, extension);
}

function firstText(payload: unknown, keys: string[]): string {
  if (!isRecord(payload)) return "";
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === "string" && value) return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
