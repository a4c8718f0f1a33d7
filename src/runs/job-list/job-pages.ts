import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobListParams, JobPage } from "#api/types.ts";
import { abortableDelay } from "#lib/delay.ts";
import { placeAfter, type ReadingPlace } from "./reading-place.ts";

/** Spec 4.1: the list gives at most so many jobs at once. */
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
 * The parameters that ask for what lies behind a place, and the place that they begin at: the start of the list where the
 * service cannot be asked for exactly this one.
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
  // The same page again, or a job that arrived meanwhile and the same page behind it.
  if (place <= 0 && first.next !== undefined) return "cursor";
  return place > 1 ? "pages" : "items";
}
