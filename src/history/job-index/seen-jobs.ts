import type { JsonRecord } from "#lib/read.ts";
import { jobAspect } from "#runs/job-facts.ts";
import { getPrompt } from "#runs/job-inputs.ts";
import type { ReadingPlace } from "#runs/job-list/job-pages.ts";
import { isNews, type JobRecord, mergeRecords } from "#storage/job-records.ts";
import { writeIndex } from "#storage/seen-jobs.ts";
import { searchText } from "./search-index.ts";

/** Jobs per record of the database. Measured: one record per job is ten times slower. */
export const CHUNK = 1000;

/** Texts made between two looks at the clock; they take a fraction of a millisecond. */
const TEXTS_PER_STEP = 250;

/** All jobs of one account that were seen: in memory, newest first, each once. */
export type SeenJobs = ReturnType<typeof createSeenJobs>;

/** `stored`: the chunks of an earlier visit, by their numbers. */
export function createSeenJobs(stored: readonly (readonly JobRecord[])[] = []) {
  let chunks: JobRecord[][] = [];
  const slotById = new Map<string, { chunk: number; slot: number }>();
  let sorted: JobRecord[] | undefined;
  // `added` and `changed` are not in `sorted` yet. To sort a hundred thousand jobs for a few takes longer than a frame.
  let added: JobRecord[] = [];
  const changed = new Map<string, JobRecord>();
  let texts: string[] = [];
  const textByEntry = new WeakMap<JobRecord, string>();

  function add(entry: JobRecord): number {
    let chunk = chunks.length - 1;
    if (chunk < 0 || (chunks[chunk]?.length ?? 0) >= CHUNK) chunk = chunks.push([]) - 1;
    const slot = (chunks[chunk]?.push(entry) ?? 1) - 1;
    slotById.set(entry.requestId, { chunk, slot });
    return chunk;
  }
  function sortedEntries() {
    if (!sorted) sorted = chunks.flat().sort(newestFirst);
    else if (changed.size > 0 || added.length > 0) {
      const latest = (entry: JobRecord) => changed.get(entry.requestId) ?? entry;
      const known = changed.size > 0 ? sorted.map(latest) : sorted;
      sorted = mergeSorted(known, added.map(latest).sort(newestFirst));
    }
    added = [];
    changed.clear();
    return sorted;
  }
  function textFor(entry: JobRecord): string {
    const text = textByEntry.get(entry) ?? searchText(entry);
    textByEntry.set(entry, text);
    return text;
  }
  /** Makes up to `count` more texts. Whether all are made. */
  function addTexts(count: number) {
    const entries = sortedEntries();
    for (const entry of entries.slice(texts.length, texts.length + count)) texts.push(textFor(entry));
    return texts.length === entries.length;
  }
  function load(entries: readonly JobRecord[]) {
    for (const entry of entries) if (!slotById.has(entry.requestId)) add(entry);
    sorted = undefined;
    texts = [];
  }
  for (const entries of stored) load(entries);
  return {
    /** Adds a stored chunk. Chunks must come in the order of their numbers. */
    load,
    size: () => slotById.size,
    /** Leaves the newest `count` jobs. Returns the numbers of the chunks that changed; the last ones may be empty now. */
    trim(count: number): Set<number> {
      const newest = sortedEntries().slice(0, count);
      const changedChunks = new Set(chunks.keys());
      chunks = [];
      slotById.clear();
      load(newest);
      return changedChunks;
    },
    /** Newest first. A new array after each change. */
    entries: (): readonly JobRecord[] => sortedEntries(),
    /** The searched text of each job, at the same indexes as `entries()`. */
    texts: (): readonly string[] => {
      addTexts(Number.POSITIVE_INFINITY);
      return texts;
    },
    /** Makes texts until `isLate`, so that a search need not wait for them. Returns whether all are made. */
    makeTexts(isLate: () => boolean): boolean {
      let isReady = addTexts(0);
      while (!isReady && !isLate()) isReady = addTexts(TEXTS_PER_STEP);
      return isReady;
    },
    has: (requestId: string) => slotById.has(requestId),
    get: (requestId: string): JobRecord | undefined => {
      const place = slotById.get(requestId);
      return place && chunks[place.chunk]?.[place.slot];
    },
    chunk: (number: number): readonly JobRecord[] => chunks[number] ?? [],
    /** Adds jobs, and merges what is new into known ones. Returns the numbers of the chunks that changed. */
    note(entries: readonly JobRecord[]): Set<number> {
      const changedChunks = new Set<number>();
      for (const entry of entries) {
        const place = slotById.get(entry.requestId);
        const known = place && chunks[place.chunk]?.[place.slot];
        if (!place) {
          changedChunks.add(add(entry));
          added.push(entry);
        } else if (known) {
          const updated = withNews(known, entry);
          if (updated === known) continue;
          (chunks[place.chunk] as JobRecord[])[place.slot] = updated;
          changedChunks.add(place.chunk);
          if (updated.createdAtSeconds === known.createdAtSeconds) changed.set(updated.requestId, updated);
          else sorted = undefined;
        }
      }
      if (changedChunks.size > 0) texts = [];
      return changedChunks;
    },
  };
}

/** A known job with what the service reports of it. The same object if that is nothing new, so that nothing renders again. */
export function withNews(known: JobRecord | undefined, reported: JobRecord): JobRecord {
  if (known === undefined) return reported;
  const merged = mergeRecords(known, reported);
  return isNews(known, merged) ? merged : known;
}

/** Jobs without a time come after those with one, in the order in which the service listed them. */
export function newestFirst(a: JobRecord, b: JobRecord): number {
  return (b.createdAtSeconds ?? -1) - (a.createdAtSeconds ?? -1);
}

/** Merges two lists that are newest first. In the same second, jobs of `a` come before jobs of `b`. Fast where `b` is short. */
export function mergeSorted(a: readonly JobRecord[], b: readonly JobRecord[]): JobRecord[] {
  const merged: JobRecord[] = [];
  let index = 0;
  for (const entry of b) {
    for (let next = a[index]; next && newestFirst(next, entry) <= 0; next = a[index]) {
      merged.push(next);
      index += 1;
    }
    merged.push(entry);
  }
  return merged.concat(a.slice(index));
}

/** Stores chunks of jobs: all or none. Rejects where the database does, such as without room on the disk. */
export async function saveSeen(
  accountId: string,
  chunks: ReadonlyMap<number, readonly JobRecord[]>,
  place: ReadingPlace,
  count: number,
): Promise<void> {
  const stored = new Map(Array.from(chunks, ([number, jobs]) => [number, jobs.map(storedForm)]));
  await writeIndex(accountId, stored, place, count);
}

/** A longer URL is a file that came inline, as a `data:` URL. */
const MAX_ADDRESS_CHARACTERS = 4096;
/** As JSON. */
const MAX_PAYLOAD_CHARACTERS = 8000;
/** One object for all jobs, since the index has no raw responses. */
const NO_RAW = {};

/**
 * A job as the index has it: without the raw response; without files if one came inline, since the job's own record has them; and
 * with the prompt instead of a payload over `MAX_PAYLOAD_CHARACTERS`. Of what only this browser's row of the job knows, it has
 * the price alone.
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
    raw: NO_RAW,
    priceMicroUsd: job.priceMicroUsd,
    ...(job.estimatedMicroUsd === undefined ? {} : { estimatedMicroUsd: job.estimatedMicroUsd }),
    ...((isLarge || job.payload === undefined) && prompt !== "" ? { prompt } : {}),
  };
}

/** Whether a payload is too long as JSON. Most are short: an upper bound is added up without making the text. */
function isLong(payload: JsonRecord): boolean {
  let characters = 0;
  for (const name in payload) {
    const value = payload[name];
    if (typeof value === "object" && value !== null) return JSON.stringify(payload).length > MAX_PAYLOAD_CHARACTERS;
    // JSON writes a character with up to six, and a number, a boolean or null with fewer than 30.
    characters += 6 * name.length + (typeof value === "string" ? 6 * value.length : 30);
  }
  return characters > MAX_PAYLOAD_CHARACTERS && JSON.stringify(payload).length > MAX_PAYLOAD_CHARACTERS;
}

/** Prompt and shape follow from the rest. They are stored because an open page of an earlier version reads them. */
function storedForm(job: JobRecord): object {
  const { raw: _, ...stored } = indexedRecord(job);
  return { ...stored, prompt: getPrompt(job), aspect: jobAspect(job) };
}

/**
 * A listed job with the price, the settings and the end from this browser's own row of it. The time stays that of the list:
 * where the list has none, its jobs are in the order of the list, which one job with a time would break.
 */
export function joinRow(row: JobRecord | undefined, listed: JobRecord): JobRecord {
  return row ? { ...mergeRecords(row, listed), createdAtSeconds: listed.createdAtSeconds } : listed;
}
