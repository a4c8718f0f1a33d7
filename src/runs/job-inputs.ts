// The words and the files that a job was given.
import type { Job } from "#api/types.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { isFileDeleted } from "#media/deleted-media.ts";
import { fileKey } from "#media/file-address.ts";
import type { JobRecord, TrackedJob } from "#storage/job-records.ts";

/** Names under which services take the words of a request, the likeliest first. */
const PROMPT_NAMES = ["prompt", "text", "instruction", "lyrics", "input"];

/** The prompt in a payload, for titles and search. Undefined where there is none. */
export function jobPrompt(payload: JsonRecord | undefined): string | undefined {
  if (!payload) return undefined;
  for (const name of PROMPT_NAMES) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}

const prompts = new WeakMap<JsonRecord, string>();

/** The prompt of a job; empty where it is not known. Found once per payload, because lists ask for the prompts of all their jobs. */
export function getPrompt({ prompt = "", payload }: Pick<JobRecord, "prompt" | "payload">): string {
  if (payload === undefined) return prompt;
  const known = prompts.get(payload) ?? jobPrompt(payload) ?? "";
  prompts.set(payload, known);
  return known || prompt;
}

/** No payload is nested more deeply than this. A deeper one could overflow the stack. */
const MAX_DEPTH = 8;

/** Every web address in a payload, down to `MAX_DEPTH` levels. */
export function addressesIn(payload: unknown, depth = 0): string[] {
  if (typeof payload === "string") return /^https?:\/\/\S+$/i.test(payload) ? [payload] : [];
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(payload)) return payload.flatMap((entry) => addressesIn(entry, depth + 1));
  return isRecord(payload) ? Object.values(payload).flatMap((entry) => addressesIn(entry, depth + 1)) : [];
}

/** The keys of the files that a payload refers to: the same for every address of one file. */
export function inputKeys(payload: unknown): string[] {
  return addressesIn(payload).flatMap((address) => fileKey(address) ?? []);
}

// Finds the reasons that say that a host refused the service an input. There is no code for them (spec 4.1 rule 4).
const REFUSED_BY_HOST = /\b(host|fetch|download|retrieve|url|link|forbidden|403|unreachable|inaccessible)\w*/i;

/**
 * Addresses of inputs that a job failed on because their host refused the service: those that the reason names, else all.
 */
export function refusedInputs({
  status,
  failureReason: reason,
  payload,
}: Pick<Job, "status" | "failureReason" | "payload">): string[] {
  if (status !== "failed" || !reason || !REFUSED_BY_HOST.test(reason)) return [];
  const addresses = addressesIn(payload);
  const named = addresses.filter((address) => reason.includes(address));
  return named.length > 0 ? named : addresses;
}

/** Whether a payload refers to a file that was deleted from this browser: a job would fail on it. */
export function hasDeletedInput(payload: unknown): boolean {
  return addressesIn(payload).some(isFileDeleted);
}

/** The addresses of `refusedInputs` of several jobs. */
export function refusedAddresses(jobs: readonly TrackedJob[]): ReadonlySet<string> {
  return new Set(jobs.flatMap(refusedInputs));
}
