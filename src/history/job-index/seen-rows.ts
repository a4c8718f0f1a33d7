import type { JsonRecord } from "#lib/read.ts";
import { jobAspect } from "#runs/job-facts.ts";
import { promptOf } from "#runs/job-inputs.ts";
import type { ReadingPlace } from "#runs/job-list/reading-place.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { writeIndex } from "#storage/seen-jobs.ts";

/** Stores chunks of jobs as the index holds them. All or none, as `writeIndex`, and rejects as it does. */
export async function saveSeen(
  accountId: string,
  chunks: ReadonlyMap<number, readonly JobRecord[]>,
  place: ReadingPlace,
  count: number,
): Promise<void> {
  const stored = new Map(Array.from(chunks, ([number, jobs]) => [number, jobs.map(storedForm)]));
  await writeIndex(accountId, stored, place, count);
}

const MAX_ADDRESS_CHARACTERS = 4096;
const MAX_PAYLOAD_CHARACTERS = 8000;
const NOT_STORED = {};

/**
 * A job as the index holds it: without its answer; without its files where some came inline, for its own record has them; and
 * without a payload too large to hold a hundred thousand of, which leaves its prompt. What only this browser's own row knows
 * stays there, but for the price.
 */
export function indexedRecord(job: JobRecord): JobRecord {
  const prompt = promptOf(job);
  const isLarge = job.payload !== undefined && isLong(job.payload);
  const isInline = job.media.some(({ url }) => url.length > MAX_ADDRESS_CHARACTERS);
  return {
    requestId: job.requestId,
    model: job.model,
    status: job.status,
    media: isInline ? [] : job.media,
    ...(job.lacksOutcome || isInline ? { lacksOutcome: true } : {}),
    payload: isLarge ? undefined : job.payload,
    createdAtSeconds: job.createdAtSeconds,
    updatedAtSeconds: job.updatedAtSeconds,
    failureReason: job.failureReason,
    raw: NOT_STORED,
    priceMicroUsd: job.priceMicroUsd,
    ...(job.estimatedMicroUsd === undefined ? {} : { estimatedMicroUsd: job.estimatedMicroUsd }),
    ...((isLarge || job.payload === undefined) && prompt !== "" ? { prompt } : {}),
  };
}

/** Whether a payload is long as JSON. Most are a handful of words and numbers, which are added up without making a text. */
function isLong(payload: JsonRecord): boolean {
  let characters = 0;
  for (const name in payload) {
    const value = payload[name];
    if (typeof value === "object" && value !== null) return JSON.stringify(payload).length > MAX_PAYLOAD_CHARACTERS;
    // Up to six characters for one that JSON has to escape.
    characters += 6 * name.length + (typeof value === "string" ? 6 * value.length : 30);
  }
  return characters > MAX_PAYLOAD_CHARACTERS && JSON.stringify(payload).length > MAX_PAYLOAD_CHARACTERS;
}

/** Prompt and shape follow from the rest. They are written for a page of the version before, which reads them. */
function storedForm(job: JobRecord): object {
  const { raw: _, ...stored } = indexedRecord(job);
  return { ...stored, prompt: promptOf(job), aspect: jobAspect(job) };
}
