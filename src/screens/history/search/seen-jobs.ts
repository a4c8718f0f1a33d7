import { fuller, type HistoryEntry } from "../history-entry.ts";
import { searchText } from "./search-index.ts";

/** Jobs per record of the database: measured, a record for each job is ten times slower. */
export const CHUNK = 1000;

/** Texts made before the clock is asked again: a fraction of a millisecond. */
const AT_ONCE = 250;

/** Everything seen of one key's jobs, in memory, newest first, each once. */
export interface SeenJobs {
  /** Newest first. A new array after each change that was settled. */
  entries(): readonly HistoryEntry[];
  /** The text of each job that a search goes through, at the same places as `entries()`. */
  texts(): readonly string[];
  /** Makes texts until `isLate`, so that a search need not wait for them. Whether all are made. */
  makeTexts(isLate: () => boolean): boolean;
  has(requestId: string): boolean;
  get(requestId: string): HistoryEntry | undefined;
  /** Takes jobs in, or what is newer of them. Gives the numbers of the chunks that changed. */
  note(entries: readonly HistoryEntry[]): Set<number>;
  chunk(place: number): readonly HistoryEntry[];
}

/** Begins with the chunks that were stored. */
export function createSeenJobs(stored: readonly (readonly HistoryEntry[])[] = []): SeenJobs {
  const chunks: HistoryEntry[][] = [];
  const placeOf = new Map<string, { chunk: number; slot: number }>();
  let sorted: HistoryEntry[] | undefined;
  let texts: string[] = [];
  const textOf = new WeakMap<HistoryEntry, string>();

  function add(entry: HistoryEntry): number {
    let chunk = chunks.length - 1;
    if (chunk < 0 || (chunks[chunk]?.length ?? 0) >= CHUNK) chunk = chunks.push([]) - 1;
    const slot = (chunks[chunk]?.push(entry) ?? 1) - 1;
    placeOf.set(entry.requestId, { chunk, slot });
    return chunk;
  }
  function settled() {
    sorted ??= chunks.flat().sort(newestFirst);
    return sorted;
  }
  function textFor(entry: HistoryEntry): string {
    const text = textOf.get(entry) ?? searchText(entry);
    textOf.set(entry, text);
    return text;
  }
  function addTexts(most: number) {
    const entries = settled();
    for (const entry of entries.slice(texts.length, texts.length + most)) texts.push(textFor(entry));
    return texts.length === entries.length;
  }
  for (const entries of stored) {
    for (const entry of entries) if (!placeOf.has(entry.requestId)) add(entry);
  }
  return {
    entries: settled,
    texts: () => {
      addTexts(Number.POSITIVE_INFINITY);
      return texts;
    },
    makeTexts(isLate) {
      let isReady = addTexts(0);
      while (!isReady && !isLate()) isReady = addTexts(AT_ONCE);
      return isReady;
    },
    has: (requestId) => placeOf.has(requestId),
    get: (requestId) => {
      const place = placeOf.get(requestId);
      return place && chunks[place.chunk]?.[place.slot];
    },
    chunk: (place) => chunks[place] ?? [],
    note(entries) {
      const changed = new Set<number>();
      for (const entry of entries) {
        const place = placeOf.get(entry.requestId);
        const before = place && chunks[place.chunk]?.[place.slot];
        if (!place) {
          changed.add(add(entry));
        } else if (before) {
          // What a lean list leaves out stays known, and so does a price, which no record has.
          const now = fuller(entry, before);
          if (!isNews(before, now)) continue;
          (chunks[place.chunk] as HistoryEntry[])[place.slot] = now;
          changed.add(place.chunk);
        }
      }
      if (changed.size > 0) {
        sorted = undefined;
        texts = [];
      }
      return changed;
    },
  };
}

function isNews(before: HistoryEntry, now: HistoryEntry): boolean {
  if (now.priceMicroUsd !== undefined && now.priceMicroUsd !== before.priceMicroUsd) return true;
  return (
    before.status !== now.status ||
    (before.payload === undefined && now.payload !== undefined) ||
    before.failureReason !== now.failureReason ||
    before.createdAtSeconds !== now.createdAtSeconds ||
    before.media.length !== now.media.length ||
    before.media[0]?.url !== now.media[0]?.url
  );
}

// Jobs without a time come after those with one, in the order in which the service listed them.
function newestFirst(a: HistoryEntry, b: HistoryEntry): number {
  return (b.createdAtSeconds ?? -1) - (a.createdAtSeconds ?? -1);
}
