import type { JsonRecord } from "#lib/read.ts";
import { jobAspect } from "#runs/job-facts.ts";
import { getPrompt } from "#runs/job-inputs.ts";
import type { ReadingPlace } from "#runs/job-list/job-pages.ts";
import { isNews, type JobRecord, mergeRecords } from "#storage/job-records.ts";
import { writeIndex } from "#storage/seen-jobs.ts";
import { searchText } from "./search-index.ts";

/** Jobs per record of the database: measured, a record for each job is ten times slower. */
export const CHUNK = 1000;

/** Texts made before the clock is asked again: a fraction of a millisecond. */
const AT_ONCE = 250;

/** Everything seen of one key's jobs, in memory, newest first, each once. */
export type SeenJobs = ReturnType<typeof createSeenJobs>;

/** Begins with the chunks that were stored. */
export function createSeenJobs(stored: readonly (readonly JobRecord[])[] = []) {
  let chunks: JobRecord[][] = [];
  const placeOf = new Map<string, { chunk: number; slot: number }>();
  let sorted: JobRecord[] | undefined;
  // What `sorted` does not have yet: to sort a hundred thousand jobs anew for a few takes longer than a frame.
  let added: JobRecord[] = [];
  const changed = new Map<string, JobRecord>();
  let texts: string[] = [];
  const textOf = new WeakMap<JobRecord, string>();

  function add(entry: JobRecord): number {
    let chunk = chunks.length - 1;
    if (chunk < 0 || (chunks[chunk]?.length ?? 0) >= CHUNK) chunk = chunks.push([]) - 1;
    const slot = (chunks[chunk]?.push(entry) ?? 1) - 1;
    placeOf.set(entry.requestId, { chunk, slot });
    return chunk;
  }
  function settled() {
    if (!sorted) sorted = chunks.flat().sort(newestFirst);
    else if (changed.size > 0 || added.length > 0) {
      const now = (entry: JobRecord) => changed.get(entry.requestId) ?? entry;
      const known = changed.size > 0 ? sorted.map(now) : sorted;
      sorted = mergeSorted(known, added.map(now).sort(newestFirst));
    }
    added = [];
    changed.clear();
    return sorted;
  }
  function textFor(entry: JobRecord): string {
    const text = textOf.get(entry) ?? searchText(entry);
    textOf.set(entry, text);
    return text;
  }
  function addTexts(most: number) {
    const entries = settled();
    for (const entry of entries.slice(texts.length, texts.length + most)) texts.push(textFor(entry));
    return texts.length === entries.length;
  }
  function load(entries: readonly JobRecord[]) {
    for (const entry of entries) if (!placeOf.has(entry.requestId)) add(entry);
    sorted = undefined;
    texts = [];
  }
  for (const entries of stored) load(entries);
  return {
    /** Takes in a chunk as it was stored, after those before it. */
    load,
    size: () => placeOf.size,
    /** Leaves the newest `most`. Gives the numbers of the chunks that changed; the last ones may be empty now. */
    trim(most: number): Set<number> {
      const newest = settled().slice(0, most);
      const places = new Set(chunks.keys());
      chunks = [];
      placeOf.clear();
      load(newest);
      return places;
    },
    /** Newest first. A new array after each change that was settled. */
    entries: (): readonly JobRecord[] => settled(),
    /** The text of each job that a search goes through, at the same places as `entries()`. */
    texts: (): readonly string[] => {
      addTexts(Number.POSITIVE_INFINITY);
      return texts;
    },
    /** Makes texts until `isLate`, so that a search need not wait for them. Whether all are made. */
    makeTexts(isLate: () => boolean): boolean {
      let isReady = addTexts(0);
      while (!isReady && !isLate()) isReady = addTexts(AT_ONCE);
      return isReady;
    },
    has: (requestId: string) => placeOf.has(requestId),
    get: (requestId: string): JobRecord | undefined => {
      const place = placeOf.get(requestId);
      return place && chunks[place.chunk]?.[place.slot];
    },
    chunk: (place: number): readonly JobRecord[] => chunks[place] ?? [],
    /** Takes jobs in, or what is newer of them. Gives the numbers of the chunks that changed. */
    note(entries: readonly JobRecord[]): Set<number> {
      const places = new Set<number>();
      for (const entry of entries) {
        const place = placeOf.get(entry.requestId);
        const before = place && chunks[place.chunk]?.[place.slot];
        if (!place) {
          places.add(add(entry));
          added.push(entry);
        } else if (before) {
          const now = withNews(before, entry);
          if (now === before) continue;
          (chunks[place.chunk] as JobRecord[])[place.slot] = now;
          places.add(place.chunk);
          if (now.createdAtSeconds === before.createdAtSeconds) changed.set(now.requestId, now);
          else sorted = undefined;
        }
      }
      if (places.size > 0) texts = [];
      return places;
    },
  };
}

/** A job with what is reported of it now: the record that was known, the very object, as long as that says nothing new. */
export function withNews(known: JobRecord | undefined, reported: JobRecord): JobRecord {
  if (known === undefined) return reported;
  const now = mergeRecords(known, reported);
  return isNews(known, now) ? now : known;
}

/** Jobs without a time come after those with one, in the order in which the service listed them. */
export function newestFirst(a: JobRecord, b: JobRecord): number {
  return (b.createdAtSeconds ?? -1) - (a.createdAtSeconds ?? -1);
}

/** Two lists, newest first, as one. Of the same second those of the first come first. Quick where one ends the other. */
export function mergeSorted(a: readonly JobRecord[], b: readonly JobRecord[]): JobRecord[] {
  const merged: JobRecord[] = [];
  let place = 0;
  for (const entry of b) {
    for (let next = a[place]; next && newestFirst(next, entry) <= 0; next = a[place]) {
      merged.push(next);
      place += 1;
    }
    merged.push(entry);
  }
  return merged.concat(a.slice(place));
}

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
  const prompt = getPrompt(job);
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
  return { ...stored, prompt: getPrompt(job), aspect: jobAspect(job) };
}

/**
 * A listed job with the price, the settings and the end that this browser's own row knows of it. Its time stays that of the
 * list: where the list has none, its order is all that is known of any of its jobs.
 */
export function joinRow(row: JobRecord | undefined, listed: JobRecord): JobRecord {
  return row ? { ...mergeRecords(row, listed), createdAtSeconds: listed.createdAtSeconds } : listed;
}
