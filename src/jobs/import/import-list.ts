import type { Api } from "#api/create-api.ts";
import type { Job, JobListParams } from "#api/types.ts";
import { asNumber, asTexts, isRecord, type JsonRecord } from "#lib/read.ts";
import { openRows } from "#storage/database.ts";
import { type RowKind, readOne, saveOne } from "#storage/typed-rows.ts";
import { findOffsetUnit } from "../offset-unit.ts";
import { importJobs } from "./import-jobs.ts";

/** Spec 4.1: the list gives at most so many jobs at once. */
const PAGE = 1000;

/** Where the rest of the list begins: before a second of the service's clock, or after so many jobs. */
interface ListPlace {
  before?: number | undefined;
  skip: number;
  /** Jobs read before it, each once. */
  read: number;
  /** Jobs of that second which were read: the bound may be meant with or without it. */
  atBound: readonly string[];
  /** Where the service said that its list goes on: used where it counts no offset. */
  next?: JobListParams["next"];
}

/** How far the key's job list was imported. Stored, because the page may be closed in the middle. */
export interface ImportProgress {
  /** Jobs of the list that are in this browser now. */
  read: number;
  /** Those of them that were new. */
  added: number;
  /** How many jobs the list has, where the service says so. */
  total: number | undefined;
  /** Undefined: the whole list was read. */
  next: ListPlace | undefined;
}

const START: ListPlace = { skip: 0, read: 0, atBound: [] };
export const NOTHING_IMPORTED: ImportProgress = { read: 0, added: 0, total: undefined, next: START };

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
      next: isRecord(next)
        ? {
            before: asNumber(next.before),
            skip: asNumber(next.skip) ?? 0,
            read: asNumber(next.read) ?? 0,
            atBound: asTexts(next.atBound),
            ...(isRecord(next.next) ? { next: textsOf(next.next) } : {}),
          }
        : undefined,
    };
  },
};
const textsOf = (record: JsonRecord) =>
  Object.fromEntries(Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
const progressKey = (accountId: string) => `import|${accountId}`;

/** How far an earlier import came that did not read the whole list; undefined where there is none. Never rejects. */
export async function cutOffImport(accountId: string): Promise<ImportProgress | undefined> {
  const stored = await openRows()
    .then((rows) => readOne(rows, progressRows, progressKey(accountId)))
    .catch(() => undefined);
  return stored?.next && stored.read > 0 ? stored : undefined;
}

/**
 * Imports the next jobs of the key's list, whichever client submitted them: one list call of at most 1,000 (spec 4.1).
 * `onProgress` hears of every part that was written, also of those before an error. Rejects with the `ApiError` of the
 * call, or with `StorageError`; the same call goes on from there.
 */
export async function importNextJobs(
  api: Pick<Api, "listJobs">,
  accountId: string,
  from: ImportProgress,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportProgress> {
  const place = from.next ?? START;
  const page = await api.listJobs(await pageParams(api, place));
  const known = new Set(place.atBound);
  const jobs = page.jobs.filter(({ requestId }) => !known.has(requestId));
  // Filtered by time the service may count what is left, or the jobs of the page.
  const total = from.total ?? (page.total !== undefined && page.total > page.jobs.length ? page.total : undefined);
  const report = async (progress: ImportProgress) => {
    // Where it cannot be stored, it is known to this page alone.
    await saveOne(progressRows, accountId, progressKey(accountId), progress).catch(() => {});
    onProgress(progress);
    return progress;
  };
  const added = await importJobs(accountId, jobs, {
    onPart: async (through, fresh) => {
      if (through === jobs.length) return;
      await report({ read: place.read + through, added: from.added + fresh, total, next: place });
    },
  });
  const read = place.read + jobs.length;
  const hasMore = page.hasMore ?? (page.jobs.length >= PAGE || (total !== undefined && total > read));
  const mayGoOn = jobs.length > 0 && (hasMore || page.next !== undefined);
  return report({
    read,
    added: from.added + added,
    total,
    next: mayGoOn ? { ...placeAfter(place, page.jobs), read, ...(page.next ? { next: page.next } : {}) } : undefined,
  });
}

async function pageParams(api: Pick<Api, "listJobs">, { before, skip, next }: ListPlace): Promise<JobListParams> {
  if (before !== undefined) return { limit: PAGE, created_before: before };
  if (skip === 0) return { limit: PAGE };
  const unit = await findOffsetUnit(api);
  if (unit === "cursor" && next !== undefined) return { limit: PAGE, next };
  return { limit: PAGE, offset: unit === "pages" ? Math.floor(skip / PAGE) : skip };
}

/**
 * By time where records carry one and the list is newest first, so that jobs which arrive meanwhile shift nothing; else
 * by number.
 */
function placeAfter(place: ListPlace, jobs: readonly Job[]): Omit<ListPlace, "read"> {
  const skip = place.skip + jobs.length;
  const seconds = jobs.flatMap(({ createdAtSeconds }) => createdAtSeconds ?? []);
  const isNewestFirst = seconds.every((second, at) => at === 0 || second <= (seconds[at - 1] ?? second));
  const oldest = seconds.at(-1);
  if (oldest === undefined || seconds.length < jobs.length || !isNewestFirst) return { skip, atBound: [] };
  const atBound = jobs.filter(({ createdAtSeconds }) => createdAtSeconds === oldest);
  // More jobs in one second than a page holds: the same bound again would ask for ever.
  const isStuck = atBound.length === jobs.length;
  return { before: isStuck ? oldest : oldest + 1, skip, atBound: atBound.map(({ requestId }) => requestId) };
}
