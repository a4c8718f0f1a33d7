// Imports the key's job list page by page, and stores how far it came.
import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import { MAX_PAGE_JOBS } from "#api/job-list.ts";
import { asNumber, asTexts, isRecord } from "#lib/read.ts";
import { importJobs } from "#runs/import-jobs.ts";
import { isComplete, type ReadingPlace, readJobPage, readPlace, START } from "#runs/job-list/job-pages.ts";
import { openRows } from "#storage/database.ts";
import { type RowKind, readOne, saveOne } from "#storage/typed-rows.ts";

/** How far the key's job list was imported. Stored, because the page may be closed in the middle. */
export interface ImportProgress {
  /** How many jobs of the list were read and are in this browser now. */
  read: number;
  /** How many of them were new. */
  added: number;
  /** How many jobs the list has, where the service says so. */
  total: number | undefined;
  /** Where the rest of the list begins; undefined: nothing is left. */
  place: ReadingPlace | undefined;
  /** How many of `read` come before `place`. */
  readBefore: number;
  /** The ids of the page before `place`, some of which the next page may repeat. */
  lastIds: readonly string[];
}

/** The progress of an import that has not begun. */
export const NOTHING_IMPORTED: ImportProgress = {
  read: 0,
  added: 0,
  total: undefined,
  place: START,
  readBefore: 0,
  lastIds: [],
};

const progressRows: RowKind<ImportProgress> = {
  store: "settings",
  version: 1,
  read: (raw) => {
    if (!isRecord(raw)) return undefined;
    const { next } = raw;
    return {
      read: asNumber(raw.read) ?? 0,
      added: asNumber(raw.added) ?? 0,
      total: asNumber(raw.total),
      place: isRecord(next) ? readFirstForm(next) : readPlace(raw.place),
      readBefore: asNumber(isRecord(next) ? next.read : raw.readBefore) ?? 0,
      lastIds: asTexts(isRecord(next) ? next.atBound : raw.lastIds),
    };
  },
};

/** Reads a place as the first version stored it, in the field `next` of the row: a bound by time, or a number of jobs. */
function readFirstForm({ before, skip, next }: Record<string, unknown>): ReadingPlace | undefined {
  if (before !== undefined) return readPlace({ ...START, gaps: [{ before }] });
  const offset = asNumber(skip) ?? 0;
  const pages = { limit: MAX_PAGE_JOBS, count: Math.floor(offset / MAX_PAGE_JOBS) };
  return readPlace({ ...START, isUntimed: true, offset, pages, next });
}

const progressKey = (accountId: string) => `import|${accountId}`;

/** How far an earlier import came that did not read the whole list; undefined where there is none. Never rejects. */
export async function cutOffImport(accountId: string): Promise<ImportProgress | undefined> {
  const stored = await openRows()
    .then((rows) => readOne(rows, progressRows, progressKey(accountId)))
    .catch(() => undefined);
  return stored?.place && stored.read > 0 ? stored : undefined;
}

/**
 * Imports the next jobs of the key's list, whichever client submitted them: one page of it. `onProgress` is called after
 * every part that was written, also before an error. Rejects with the `ApiError` of the page, or with `StorageError`; calling
 * it again with the last progress goes on from there.
 */
export async function importNextJobs(
  { api, client }: { api: Pick<Api, "listJobs">; client: QueryClient },
  accountId: string,
  from: ImportProgress,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportProgress> {
  const { place, readBefore, lastIds } = from;
  if (place === undefined) return from;
  const known = new Set(lastIds);
  const page = await client.fetchQuery({
    queryKey: ["jobs", "import", accountId, place],
    queryFn: (context) => readJobPage(place, { api, known: () => known }, context),
    staleTime: 0,
    gcTime: 0,
  });
  const jobs = page.jobs.filter(({ requestId }) => !known.has(requestId));
  // In a list that is filtered by time, a total may count only what is left, or only the page. So the first credible one stays.
  const total = from.total ?? (page.total !== undefined && page.total > page.jobs.length ? page.total : undefined);
  const report = async (progress: ImportProgress) => {
    // If the progress cannot be stored, only this page knows it.
    await saveOne(progressRows, accountId, progressKey(accountId), progress).catch(() => {});
    onProgress(progress);
    return progress;
  };
  const added = await importJobs(accountId, jobs, {
    onPart: async (done, newCount) => {
      if (done === jobs.length) return;
      await report({ ...from, read: readBefore + done, added: from.added + newCount, total });
    },
  });
  const read = readBefore + jobs.length;
  // In a list that is read by time, a reached total ends the reading, unless the service says that more jobs follow.
  const isByTime = !page.place.isUntimed;
  const isAll = isByTime && total !== undefined && read >= total && page.hasMore !== true && page.next === undefined;
  const isOver = isAll || isComplete(page.place);
  // The list is read by number from this page on. Then jobs that were read by time come once more.
  const isNowByNumber = !place.isUntimed && !isByTime;
  return report({
    read,
    added: from.added + added,
    total,
    place: isOver ? undefined : page.place,
    readBefore: isNowByNumber ? page.place.offset : read,
    lastIds: isNowByNumber && jobs.length > 0 ? [] : page.jobs.map(({ requestId }) => requestId),
  });
}
