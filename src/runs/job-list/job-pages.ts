// The job list page by page: its reader, and the place where reading goes on.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import { MAX_PAGE_JOBS, mayHaveMore } from "#api/job-list.ts";
import type { JobListParams, JobPage } from "#api/types.ts";
import { abortableDelay } from "#lib/delay.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";

/** A pause between two pages, so that other requests fit into the rate limit. */
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
  /** The jobs that are known when a page comes. */
  known: () => { has(requestId: string): boolean };
  /** Pauses before each page but the newest one. For a list that is read to its end. */
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
  const knownJobs = known();
  const newCount = page.jobs.filter(({ requestId }) => !knownJobs.has(requestId)).length;
  return { ...page, place: placeAfter(from, page, limit, newCount) };
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
    const after = gap?.after === undefined ? {} : { created_after: gap.after };
    return { from: place, params: { ...before, ...after } };
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

/** The page size by which the unit is found out. It must be larger than the number of jobs that may arrive meanwhile. */
const PROBE_JOBS = 10;

/** The unit of `offset`. Asked for once in the life of a connection, and only where a list is read by number. */
const offsetUnitQuery = (api: ListApi) =>
  queryOptions({
    queryKey: ["jobs", "offset-unit"] as const,
    queryFn: ({ signal }) => findOffsetUnit(api, signal),
    // The query of the page that needs the unit is tried again.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/**
 * Finds out the unit of `offset` by two small lists. With a limit of 10 an offset of 1 begins at the second job where it counts
 * jobs, and at the eleventh, or past the end, where it counts pages. Up to eight jobs may arrive in between without confusing
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
  const firstMovedId = moved.jobs[0]?.requestId;
  if (firstMovedId === undefined) return "pages";
  const position = first.jobs.findIndex((job) => job.requestId === firstMovedId);
  // The first page came again, perhaps after a job that arrived meanwhile.
  if (position <= 0 && first.next !== undefined) return "cursor";
  return position > 1 ? "pages" : "items";
}

/** A stretch of time of which the jobs are not all read. Unix seconds; both bounds are inclusive. */
interface Gap {
  /** Undefined: up to now. */
  before: number | undefined;
  /** Undefined: back to the first job. */
  after: number | undefined;
}

/**
 * Where the reading of a job list goes on. A list is read by time, so that jobs which arrive meanwhile shift nothing. It is read
 * by number (`isUntimed`: by an offset or a cursor) where records have no times or do not come newest first. A place is small,
 * so that it can be stored: the page may be closed in the middle.
 */
export interface ReadingPlace {
  /** What is not read yet, the newest gap first. By number: one gap that stands for the rest of the list, or none. */
  gaps: Gap[];
  /** The list is read by number. The fields marked "By number" count only then. */
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
  /** By number, where the list is read from its first job once more: this many jobs are known from a moment ago and end nothing. */
  knownUntil?: number;
  /** When the newest job was made, as of the last reading that began at the newest: a later one reads what came since. */
  newestSeconds: number | undefined;
  /** Reading ended at this second on purpose: older jobs are left to the service's own list. Absent: nothing is left out. */
  fromSeconds?: number;
}

/** The place of a list of which nothing is read yet. */
export const START: ReadingPlace = {
  gaps: [{ before: undefined, after: undefined }],
  offset: 0,
  isUntimed: false,
  newestSeconds: undefined,
};

/** The place at which a list starts that is bounded by the service's own time filters. */
export function startWithin({ created_before: before, created_after: after }: JobListParams): ReadingPlace {
  return { ...START, gaps: [{ before, after }] };
}

/** How much of the time that was read is read again: a job may appear in the list some seconds after its own time. */
const OVERLAP_SECONDS = 60;

/**
 * Where a new visit begins: the time since the last reading becomes a gap, before all others. `unsettledSeconds`: when the
 * oldest job without a final status was made, so that it is read again.
 */
export function placeOfVisit(place: ReadingPlace, unsettledSeconds = Number.POSITIVE_INFINITY): ReadingPlace {
  const { newestSeconds, fromSeconds } = place;
  if (place.isUntimed) {
    // A visit that ended in the middle knows newer jobs and lacks older ones, so a known job does not end the reading.
    const wasRead = isComplete(place) || (place.endsAtKnown === true && place.offset === 0);
    if (wasRead && place.isOldestFirst) return placeAfterEnd(place);
    return {
      ...START,
      ...(wasRead ? { endsAtKnown: true } : {}),
      ...(fromSeconds === undefined ? {} : { fromSeconds }),
    };
  }
  const [first] = place.gaps;
  // The first gap still reaches up to now, so it covers what came since.
  if (first && first.before === undefined) return place;
  if (newestSeconds === undefined) return START;
  const after = Math.min(newestSeconds, unsettledSeconds) - OVERLAP_SECONDS;
  return { ...place, gaps: [{ before: undefined, after }, ...place.gaps] };
}

/** Where a list that comes oldest first goes on: after its last job. Its last page is read again, since it may have grown. */
function placeAfterEnd({ lastId: _, pages, ...place }: ReadingPlace): ReadingPlace {
  const fullPages = pages && { pages: { ...pages, count: Math.max(0, pages.count - 1) } };
  return { ...place, ...fullPages, gaps: START.gaps };
}

/**
 * The place after a page that was read from it.
 * @param limit how many jobs were asked for
 * @param newCount how many of the page's jobs were not known before
 */
export function placeAfter(place: ReadingPlace, page: JobPage, limit: number, newCount: number): ReadingPlace {
  const [gap, ...olderGaps] = place.gaps;
  if (!gap) return place;
  const count = page.jobs.length;
  const seconds = creationSeconds(page);
  const isLast = !mayHaveMore(page, limit, place.offset + count);
  const endsHere = place.endsAtKnown === true && newCount === 0 && place.offset + count > (place.knownUntil ?? 0);
  if (place.isUntimed || seconds.length < count || !isNewestFirst(seconds)) {
    // A service that ignores offsets gives the same page each time.
    const isRepeated = place.lastId !== undefined && place.lastId === page.jobs.at(-1)?.requestId;
    // Jobs that arrive meanwhile shift the others down, so the next page may repeat some of them and misses none.
    const after = placeByNumber(place, page, place.offset + count, limit);
    return isLast || isRepeated || endsHere ? { ...after, gaps: [] } : after;
  }
  const [newest, oldest] = [Math.max(...seconds), Math.min(...seconds)];
  // The page has newer jobs than were asked for, and none that is new here or none that is older. So the service ignores
  // `created_before`, and this is its newest page once more.
  if (gap.before !== undefined && newest > gap.before && (newCount === 0 || oldest >= gap.before - 1)) {
    return isLast ? { ...place, gaps: olderGaps } : placeByNumber(place, page, count, limit);
  }
  const beginsAtNow = gap.before === undefined && count > 0;
  const after = beginsAtNow ? { ...place, newestSeconds: newest } : place;
  if (isLast) return { ...after, gaps: olderGaps };
  // A service may include the second of the bound or exclude it. One second more covers both.
  const before = oldest + 1;
  if (gap.after !== undefined && before <= gap.after) return { ...after, gaps: olderGaps };
  if (newCount === 0 && gap.before !== undefined && before >= gap.before) {
    // The total may count the jobs of all times. Where the bound leads no further, the length of the page decides.
    if (!mayHaveMore({ ...page, total: undefined }, limit, count)) return { ...after, gaps: olderGaps };
    // The service includes the second of the bound, so the next bound can leave it out.
    if (newest === gap.before && oldest < newest) return { ...after, gaps: [{ ...gap, before: oldest }, ...olderGaps] };
    // One second has more jobs than a page: only reading by number leads past it, from the first job on.
    const { lastId: _, pages: __, ...start } = placeByNumber(after, page, 0, limit);
    return start;
  }
  return { ...after, gaps: endsHere ? olderGaps : [{ ...gap, before }, ...olderGaps] };
}

/** The place after a page where the list is read by number from now on: `offset` jobs were read. */
function placeByNumber(place: ReadingPlace, page: JobPage, offset: number, limit: number): ReadingPlace {
  const { next: _, lastId: __, pages, endsAtKnown, ...unchanged } = place;
  // Jobs that were read by time just before are known, too. They would be taken for the end of the list.
  const mayEnd = place.isUntimed || place.gaps[0]?.before === undefined;
  const seconds = creationSeconds(page);
  const isOldestFirst = place.isOldestFirst ?? (seconds[0] ?? 0) < (seconds.at(-1) ?? 0);
  const last = page.jobs.at(-1);
  return {
    ...unchanged,
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

const creationSeconds = (page: JobPage) => page.jobs.flatMap(({ createdAtSeconds }) => createdAtSeconds ?? []);

function isNewestFirst(seconds: readonly number[]): boolean {
  return seconds.every((second, index) => index === 0 || second <= (seconds[index - 1] ?? second));
}

/** Whether nothing is left to read, as of the last page. */
export function isComplete(place: ReadingPlace): boolean {
  return place.gaps.length === 0;
}

/** Whether every job of the key was read, as of the last page. */
export function isWhole(place: ReadingPlace): boolean {
  return isComplete(place) && place.fromSeconds === undefined;
}

/** Whether jobs are missing that are older than those that were read. Jobs that have just arrived do not count. */
export function lacksOlder(place: ReadingPlace): boolean {
  return place.endsAtKnown !== true && place.gaps.some((gap) => gap.after === undefined);
}

/**
 * The second down to which every job was read, except for those that have just arrived. Infinite where that is not known, and
 * minus infinite where all were read.
 */
export function reachSeconds(place: ReadingPlace): number {
  if (isComplete(place)) return place.fromSeconds ?? Number.NEGATIVE_INFINITY;
  if (place.isUntimed) return Number.POSITIVE_INFINITY;
  const oldestGap = place.gaps.find((gap) => gap.after === undefined);
  if (!oldestGap) return place.fromSeconds ?? Number.NEGATIVE_INFINITY;
  return oldestGap.before ?? Number.POSITIVE_INFINITY;
}

/** The place after the decision not to read what is older than a second. */
export function placeFrom(place: ReadingPlace, fromSeconds: number): ReadingPlace {
  const gaps = place.isUntimed ? [] : place.gaps.filter(({ before }) => before === undefined || before > fromSeconds);
  return { ...place, gaps, fromSeconds };
}

/** Reads a place back from the database as untrusted data. Undefined where it is none. */
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
    ...(isRecord(next) ? { next: textEntries(next) } : {}),
    ...(typeof lastId === "string" ? { lastId } : {}),
    ...(isOldestFirst === true ? { isOldestFirst } : {}),
    ...(typeof fromSeconds === "number" && Number.isFinite(fromSeconds) ? { fromSeconds } : {}),
  };
}

function isBound(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === "number" && Number.isFinite(value));
}

/** The entries of a record that are texts. */
const textEntries = (record: JsonRecord) =>
  Object.fromEntries(Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
