// The job list page by page: its reader, and the place where reading goes on.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobListParams, JobPage } from "#api/types.ts";
import { abortableDelay } from "#lib/delay.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";

/** The most jobs that the list gives at once (spec 4.1). */
export const MAX_PAGE_JOBS = 1000;
/** A pause between two pages, so that the rate limit has room for everything else. */
const PAUSE_MS = 200;

type ListApi = Pick<Api, "listJobs">;

/** A page of the job list, and where the list goes on after it. */
export interface ReadPage extends JobPage {
  place: ReadingPlace;
}

interface ReadOptions {
  api: ListApi;
  /** The service's own filters. */
  filters?: JobListParams;
  /** How many jobs a page is asked for. */
  limit?: number;
  /** The jobs that are known before a page comes. */
  known: () => { has(requestId: string): boolean };
  /** Pauses before each page but the newest: for a list that is read to its end. */
  hasPauses?: boolean;
}

/**
 * Reads the page of the job list (spec 4.1) at a place: by time rather than by offset, so that jobs which arrive meanwhile
 * shift nothing, and by offset or cursor where that cannot be. Call it in a query function: the query says how often a page
 * is tried again. Rejects with an `ApiError`, or with the signal's reason.
 */
export async function readJobPage(
  place: ReadingPlace,
  { api, filters = {}, limit = MAX_PAGE_JOBS, known, hasPauses = false }: ReadOptions,
  { client, signal }: { client: QueryClient; signal: AbortSignal },
): Promise<ReadPage> {
  const isNewest = place.offset === 0 && place.gaps[0]?.before === undefined;
  if (hasPauses && !isNewest) await abortableDelay(PAUSE_MS, signal);
  const { from, params, isByCursor } = await requestAt(place, limit, () => client.fetchQuery(offsetUnitQuery(api)));
  const listed = await api.listJobs({ ...filters, limit, ...params }, signal);
  // The last page of a list that is read by cursors may be the one that names none.
  const isLast = isByCursor && listed.next === undefined && listed.hasMore === undefined;
  const page = isLast ? { ...listed, hasMore: false } : listed;
  const before = known();
  const fresh = page.jobs.filter(({ requestId }) => !before.has(requestId)).length;
  return { ...page, place: placeAfter(from, page, limit, fresh) };
}

/**
 * The parameters that ask for what comes after a place, and the place that they begin at: the start of the list where
 * the service cannot be asked for exactly this one.
 */
async function requestAt(
  place: ReadingPlace,
  limit: number,
  offsetUnit: () => Promise<OffsetUnit>,
): Promise<{ from: ReadingPlace; params: JobListParams; isByCursor?: boolean }> {
  const { gaps, offset, next, pages, isUntimed } = place;
  const [gap] = gaps;
  if (!isUntimed) {
    const before = gap?.before === undefined ? {} : { created_before: gap.before };
    return { from: place, params: { ...before, ...(gap?.after === undefined ? {} : { created_after: gap.after }) } };
  }
  const unit = offset === 0 ? "items" : await offsetUnit();
  if (unit === "items") return { from: place, params: offset === 0 ? {} : { offset } };
  const isByCursor = unit === "cursor";
  if (isByCursor && next !== undefined) return { from: place, params: { next }, isByCursor };
  // A page's number means something only among pages of one size.
  if (unit === "pages" && pages?.limit === limit) return { from: place, params: { offset: pages.count } };
  const { lastId: _, pages: __, ...start } = place;
  return { from: { ...start, offset: 0, knownUntil: offset }, params: {}, isByCursor };
}

/**
 * What the job list counts with `offset`: jobs, or pages of `limit` jobs. Spec 4.1 calls it a "page offset". `cursor`: it
 * counts nothing, the same page comes again, and the service names another place to go on from.
 */
type OffsetUnit = "items" | "pages" | "cursor";

const PROBE_JOBS = 10;

/** Asked for once in the life of a connection, and only where a list is read by number. */
const offsetUnitQuery = (api: ListApi) =>
  queryOptions({
    queryKey: ["jobs", "offset-unit"] as const,
    queryFn: ({ signal }) => findOffsetUnit(api, signal),
    // The reading that asks for it tries again.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/**
 * Finds the unit out by two small lists. With a limit of 10 an offset of 1 begins at the second job where it counts jobs,
 * and at the eleventh, or past the end, where it counts pages; up to eight jobs may arrive in between without confusing
 * the two. With fewer than two jobs there is no second page, and either answer serves.
 * @throws ApiError
 */
export async function findOffsetUnit(api: ListApi, signal?: AbortSignal): Promise<OffsetUnit> {
  const first = await api.listJobs({ limit: PROBE_JOBS + 1 }, signal);
  if (first.jobs.length < 2) return "items";
  const reported = Number(first.next?.offset);
  if (reported === 1 || reported === first.jobs.length) return reported === 1 ? "pages" : "items";
  // A service may give fewer jobs than it is asked for, so the page is smaller than the first answer.
  const limit = first.jobs.length > 2 ? Math.min(PROBE_JOBS, first.jobs.length - 1) : PROBE_JOBS;
  const moved = await api.listJobs({ limit, offset: 1 }, signal);
  const begins = moved.jobs[0]?.requestId;
  if (begins === undefined) return "pages";
  const place = first.jobs.findIndex((job) => job.requestId === begins);
  // The same page again, or a job that arrived meanwhile and the same page after it.
  if (place <= 0 && first.next !== undefined) return "cursor";
  return place > 1 ? "pages" : "items";
}

/** A stretch of time of which the jobs are not all read. Unix seconds; both bounds are inclusive. */
interface Gap {
  /** Undefined: up to now. */
  before: number | undefined;
  /** Undefined: back to the first job. */
  after: number | undefined;
}

/**
 * Where reading a job list goes on: what of it is not read yet. By time, so that jobs which arrive meanwhile shift nothing;
 * by number (`isUntimed`: by an offset or a cursor) where records carry no times or do not come newest first. Small, so that
 * it can be stored: the page may be closed in the middle.
 */
export interface ReadingPlace {
  gaps: Gap[];
  /** The list is read by number. What says "by number" below counts only there. */
  isUntimed: boolean;
  /** By number: how many jobs were read. */
  offset: number;
  /** By number: how many pages were read, and of how many jobs each. */
  pages?: { limit: number; count: number };
  /** By number: the parameters by which the service said that its list goes on. */
  next?: JobPage["next"];
  /** By number: the last job of the page before. A page that ends with it, too, leads no further. */
  lastId?: string;
  /** By number: jobs come oldest first, so that new ones are at the end of the list. */
  isOldestFirst?: true;
  /** By number: a page without any new job ends the reading. */
  endsAtKnown?: true;
  /** By number, where the list is read from its first job on once more: jobs read a moment ago, which end nothing. */
  knownUntil?: number;
  /** When the newest job was made, as of the last reading that began at the newest: a later one reads what came since. */
  newestSeconds: number | undefined;
  /** Reading ended here on purpose: older jobs are left to the service's own list. Absent: nowhere. */
  fromSeconds?: number;
}

export const START: ReadingPlace = {
  gaps: [{ before: undefined, after: undefined }],
  offset: 0,
  isUntimed: false,
  newestSeconds: undefined,
};

/** The start of a list between two seconds, of what the service's own filters say. */
export function startWithin({ created_before: before, created_after: after }: JobListParams): ReadingPlace {
  return { ...START, gaps: [{ before, after }] };
}

/** The service's clock and its commits may differ by some seconds. */
const OVERLAP_SECONDS = 60;

/**
 * Where a new visit begins: what came since the last reading is a gap, before all others. `unsettledSeconds`: when the
 * oldest job without a final status was made, so that it is read again.
 */
export function placeOfVisit(place: ReadingPlace, unsettledSeconds = Number.POSITIVE_INFINITY): ReadingPlace {
  const { newestSeconds, fromSeconds } = place;
  if (place.isUntimed) {
    // In the middle of a visit, jobs are known above others that are not.
    const wasRead = isComplete(place) || (place.endsAtKnown === true && place.offset === 0);
    if (wasRead && place.isOldestFirst) return afterTheEnd(place);
    return {
      ...START,
      ...(wasRead ? { endsAtKnown: true } : {}),
      ...(fromSeconds === undefined ? {} : { fromSeconds }),
    };
  }
  const [first] = place.gaps;
  // Nothing below the newest was read yet: the one gap from now on covers it.
  if (first && first.before === undefined) return place;
  if (newestSeconds === undefined) return START;
  const after = Math.min(newestSeconds, unsettledSeconds) - OVERLAP_SECONDS;
  return { ...place, gaps: [{ before: undefined, after }, ...place.gaps] };
}

/** A list that comes oldest first goes on after its last job; its last page may have been a part of one. */
function afterTheEnd({ lastId: _, pages, ...place }: ReadingPlace): ReadingPlace {
  const full = pages && { pages: { ...pages, count: Math.max(0, pages.count - 1) } };
  return { ...place, ...full, gaps: START.gaps };
}

/** Page sizes that a service may fall back to when it does not take the one that was asked for. */
const USUAL_PAGES = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500]);

/**
 * Whether more jobs may follow a page: by what the service says, else by a total that can be true, else until a page is
 * short. `read`: how many jobs were read with it.
 */
export function mayHaveMore({ jobs, total, hasMore, next }: JobPage, limit: number, read: number): boolean {
  if (jobs.length === 0) return false;
  if (hasMore !== undefined || next !== undefined) return hasMore ?? true;
  // A total that is no more than a full page may be that of the page.
  const isReported = total !== undefined && total >= read && (total > jobs.length || jobs.length < limit);
  return isReported ? total > read : jobs.length >= limit || USUAL_PAGES.has(jobs.length);
}

/**
 * The place after a page that was read from it.
 * @param limit how many jobs were asked for
 * @param fresh how many of the page's jobs were not known before
 */
export function placeAfter(place: ReadingPlace, page: JobPage, limit: number, fresh: number): ReadingPlace {
  const [gap, ...rest] = place.gaps;
  if (!gap) return place;
  const count = page.jobs.length;
  const seconds = secondsOf(page);
  const isLast = !mayHaveMore(page, limit, place.offset + count);
  const hasNoNews = place.endsAtKnown === true && fresh === 0 && place.offset + count > (place.knownUntil ?? 0);
  if (place.isUntimed || seconds.length < count || !isNewestFirst(seconds)) {
    // A service that does not know offsets gives the same page for ever.
    const isRepeated = place.lastId !== undefined && place.lastId === page.jobs.at(-1)?.requestId;
    // Offsets drift downwards when jobs arrive, so the next page may repeat some and misses none.
    const after = byNumber(place, page, place.offset + count, limit);
    return isLast || isRepeated || hasNoNews ? { ...after, gaps: [] } : after;
  }
  const [newest, oldest] = [Math.max(...seconds), Math.min(...seconds)];
  // The page has jobs newer than were asked for, and nothing new or nothing older: the service does not know
  // `created_before`, and this is its newest page once more.
  if (gap.before !== undefined && newest > gap.before && (fresh === 0 || oldest >= gap.before - 1)) {
    return isLast ? { ...place, gaps: rest } : byNumber(place, page, count, limit);
  }
  const isFromNow = gap.before === undefined && count > 0;
  const after = isFromNow ? { ...place, newestSeconds: newest } : place;
  if (isLast) return { ...after, gaps: rest };
  // The bound may be meant with or without its own second: one more covers both.
  const before = oldest + 1;
  if (gap.after !== undefined && before <= gap.after) return { ...after, gaps: rest };
  if (fresh === 0 && gap.before !== undefined && before >= gap.before) {
    // A total may be that of all times: where the bound leads no further, the length of the page decides.
    if (!mayHaveMore({ ...page, total: undefined }, limit, count)) return { ...after, gaps: rest };
    // The bound is meant with its own second, so that one can be left out.
    if (newest === gap.before && oldest < newest) return { ...after, gaps: [{ ...gap, before: oldest }, ...rest] };
    // More jobs in one second than a page holds: only numbers lead past it, from the first job on.
    const { lastId: _, pages: __, ...start } = byNumber(after, page, 0, limit);
    return start;
  }
  return { ...after, gaps: hasNoNews ? rest : [{ ...gap, before }, ...rest] };
}

function byNumber(place: ReadingPlace, page: JobPage, offset: number, limit: number): ReadingPlace {
  const { next: _, lastId: __, pages, endsAtKnown, ...before } = place;
  // What was read by time before has no number, and would be taken for the end.
  const mayEnd = place.isUntimed || place.gaps[0]?.before === undefined;
  const seconds = secondsOf(page);
  const isOldestFirst = place.isOldestFirst ?? (seconds[0] ?? 0) < (seconds.at(-1) ?? 0);
  const last = page.jobs.at(-1);
  return {
    ...before,
    gaps: place.gaps.slice(0, 1),
    offset,
    isUntimed: true,
    ...(endsAtKnown && mayEnd ? { endsAtKnown } : {}),
    pages: { limit, count: (pages?.limit === limit ? pages.count : 0) + (last === undefined ? 0 : 1) },
    ...(page.next === undefined ? {} : { next: page.next }),
    ...(last === undefined ? {} : { lastId: last.requestId }),
    ...(isOldestFirst ? { isOldestFirst } : {}),
  };
}

const secondsOf = (page: JobPage) => page.jobs.flatMap(({ createdAtSeconds }) => createdAtSeconds ?? []);

function isNewestFirst(seconds: readonly number[]): boolean {
  return seconds.every((second, at) => at === 0 || second <= (seconds[at - 1] ?? second));
}

/** Whether nothing is left to read, as of the last page. */
export function isComplete(place: ReadingPlace): boolean {
  return place.gaps.length === 0;
}

/** Whether every job of the key was read, as of the last page. */
export function isWhole(place: ReadingPlace): boolean {
  return isComplete(place) && place.fromSeconds === undefined;
}

/** Whether jobs are missing that are older than what was read, and not only such that are just arriving. */
export function lacksOlder(place: ReadingPlace): boolean {
  return place.endsAtKnown !== true && place.gaps.some((gap) => gap.after === undefined);
}

/**
 * Down to which second every job was read, but for those that are just arriving: infinite where nothing is known for
 * certain, and minus infinite where all is.
 */
export function reachSeconds(place: ReadingPlace): number {
  if (isComplete(place)) return place.fromSeconds ?? Number.NEGATIVE_INFINITY;
  if (place.isUntimed) return Number.POSITIVE_INFINITY;
  const below = place.gaps.find((gap) => gap.after === undefined);
  if (!below) return place.fromSeconds ?? Number.NEGATIVE_INFINITY;
  return below.before ?? Number.POSITIVE_INFINITY;
}

/** The place without what lies before a second: it is not read. */
export function placeFrom(place: ReadingPlace, fromSeconds: number): ReadingPlace {
  const gaps = place.isUntimed ? [] : place.gaps.filter(({ before }) => before === undefined || before > fromSeconds);
  return { ...place, gaps, fromSeconds };
}

/** A place read back from the database: untrusted. Undefined where it is not a place. */
export function readPlace(raw: unknown): ReadingPlace | undefined {
  if (!isRecord(raw)) return undefined;
  const { gaps, offset, isUntimed, newestSeconds, pages, next, lastId, isOldestFirst, fromSeconds } = raw;
  if (!Array.isArray(gaps) || typeof offset !== "number" || typeof isUntimed !== "boolean" || !isBound(newestSeconds)) {
    return undefined;
  }
  const known = gaps.filter((gap) => isRecord(gap) && isBound(gap.before) && isBound(gap.after));
  if (known.length < gaps.length) return undefined;
  return {
    gaps: known.map(({ before, after }) => ({ before, after })),
    offset,
    isUntimed,
    newestSeconds,
    ...(isRecord(pages) && typeof pages.limit === "number" && typeof pages.count === "number"
      ? { pages: { limit: pages.limit, count: pages.count } }
      : {}),
    ...(isRecord(next) ? { next: textsOf(next) } : {}),
    ...(typeof lastId === "string" ? { lastId } : {}),
    ...(isOldestFirst === true ? { isOldestFirst } : {}),
    ...(typeof fromSeconds === "number" && Number.isFinite(fromSeconds) ? { fromSeconds } : {}),
  };
}

function isBound(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === "number" && Number.isFinite(value));
}

const textsOf = (record: JsonRecord) =>
  Object.fromEntries(Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
