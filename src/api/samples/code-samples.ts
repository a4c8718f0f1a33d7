import type { JobRequest } from "../types.ts";
import { bashSample } from "./code-sample-bash.ts";
import { pythonSample } from "./code-sample-python.ts";
import { typescriptSample } from "./code-sample-typescript.ts";

/** The languages in which the studio shows a request as code, as they are offered. */
export const SAMPLE_LANGUAGES = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number]["value"];

interface SampleInput extends JobRequest {
  /** The queue address, whose path ends in /api/v1/queue (spec 1). */
  queueBaseUrl: string;
}

const WRITERS: Record<SampleLanguage, (queue: string, body: string) => string> = {
  curl: bashSample,
  typescript: typescriptSample,
  python: pythonSample,
};

/**
 * The body of an estimate and of a submit, as the studio itself sends it (spec 2). Throws `TypeError` only for a
 * payload that JSON cannot hold.
 */
export function requestBody({ model, payload }: JobRequest): string {
  return JSON.stringify({ model, payload });
}

/**
 * A program for the whole flow of spec 1: estimate, submit once, poll with backoff until a final status, download. The
 * key is read from `$API_KEY` and is never part of the text. Texts are quoted for their language whatever they hold.
 */
export function codeSample(language: SampleLanguage, input: SampleInput): string {
  return WRITERS[language](input.queueBaseUrl.replace(/\/+$/, ""), requestBody(input));
}
