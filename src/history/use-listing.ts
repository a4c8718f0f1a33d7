import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Api } from "#api/create-api.ts";
import { MAX_PAGE_JOBS } from "#api/job-list.ts";
import type { Job, JobListParams, JobPage } from "#api/types.ts";
import { useApi, useClient } from "#connection/client.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { MarksById } from "#results/marks/marks.ts";
import {
  isComplete,
  placeAfter,
  type ReadingPlace,
  type ReadPage,
  readJobPage,
  START,
  startWithin,
} from "#runs/job-list/job-pages.ts";
import { useLedger } from "#runs/ledger/use-ledger.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import type { JobRecord, TrackedJob } from "#storage/job-records.ts";
import {
  daySeconds,
  filterCount,
  getSearchedModels,
  type HistorySearch,
  JOB_STATUSES,
  JOB_TYPES,
  listKey,
  readHistorySearch,
} from "./history-search.ts";
import { type IndexReading, type IndexState, type JobIndex, useIndexReading } from "./job-index/job-index.ts";
import { readQuery, searchIndex } from "./job-index/search-index.ts";
import { joinRow, mergeSorted, newestFirst, withNews } from "./job-index/seen-jobs.ts";
import { EARLIER } from "./list-layout.ts";

interface Listing {
  entries: readonly JobRecord[];
  /** Nothing can be shown yet. */
  isPending: boolean;
  /** The previous list is still shown while this one loads. */
  isStale: boolean;
  error: Error | null;
  refresh: () => void;
  /** How many jobs the service lists without a filter, where it says so. */
  total: number | undefined;
  /** The service's filters cover the whole search; otherwise older jobs are searched only on request. */
  isExact: boolean;
  older: OlderJobs;
  reading: IndexReading;
  /** The part of the search that the service answers, as its filters. */
  params: JobListParams;
  /** Completes jobs of the service's response with what this browser knows, and leaves those that match the whole search. */
  keep: (jobs: readonly Job[]) => readonly JobRecord[];
}

interface ListingOptions {
  marks: MarksById;
  nowMs: number;
}

/** The newest page of the service's list under some filters. */
export const newestPageQuery = (api: Api, params: JobListParams) =>
  jobQueries(api).list({ ...params, limit: PAGE_JOBS });

/** A new list waits this long for the service before it shows the index alone, so that new jobs rarely move shown ones. */
const WAIT_MS = 700;

/**
 * The jobs that a search asks for, as one list, newest first. It is put together from three sources:
 *
 * 1. the index, which fills itself in the background and holds the newest jobs, down to `reachSeconds`;
 * 2. the newest page of the service's own list under the same filters: what is new or has changed since;
 * 3. older pages of that list, from where the index ends, one by one as the list is scrolled to its end.
 *
 * What the service cannot search (words, stars, tags, costs, several models) is searched in the index, and in older pages when
 * a person asks for them. The index and the pages overlap, and each job is shown once. So it does not matter how far the index
 * has come: older jobs are added at the end, and only new jobs move others.
 */
export function useListing(
  search: HistorySearch,
  index: JobIndex,
  state: IndexState,
  { marks, nowMs }: ListingOptions,
): Listing {
  const api = useApi();
  const trackedById = useTrackedById();
  useEffect(() => index.noteOwn([...trackedById.values()]), [index, trackedById]);
  const { params, isExact } = useMemo(() => serviceQuestion(search), [search]);
  const head = useQuery(newestPageQuery(api, params));
  const reachSeconds = state.isOpen ? state.reachSeconds : Number.POSITIVE_INFINITY;
  const older = useOlderJobs({ params, head: head.data, reachSeconds, isSearched: !isExact });
  const reading = useIndexReading(index, state, !head.isPending);

  const isUnfiltered = filterCount(search) === 0 && Object.keys(params).length === 0;
  const withTracked = useCallback(
    (jobs: readonly Job[]) => jobs.map((job) => joinRow(trackedById.get(job.requestId), job)),
    [trackedById],
  );
  const newest = useMemo(() => withTracked(head.data?.jobs ?? NO_JOBS), [head.data?.jobs, withTracked]);
  const olderJobs = useMemo(() => withTracked(older.jobs), [older.jobs, withTracked]);
  // The index outlives the query cache, so it gets copies. It joins this browser's rows to them by itself.
  useEffect(() => {
    if (head.data && isUnfiltered) index.noteHead(head.data, PAGE_JOBS);
    else if (head.data) index.note(head.data.jobs);
  }, [index, head.data, isUnfiltered]);
  useEffect(() => index.note(older.jobs), [index, older.jobs]);

  // Field by field, because the search object changes when the viewer opens.
  const { q, model, type, status, after, before: until } = search;
  const asked = useMemo(
    () => ({ search: { q, model, type, status, after, before: until }, marks, nowMs }),
    [q, model, type, status, after, until, marks, nowMs],
  );
  const { entries: indexed, texts } = state;
  const found = useMemo(() => searchIndex({ ...asked, entries: indexed, texts }), [asked, indexed, texts]);
  // Where the service cannot answer, or failed, everything that the index found is shown, even with gaps.
  const reach = isExact && !head.isError ? reachSeconds : Number.NEGATIVE_INFINITY;
  // A search counts what the index knows of a listed job, such as its price today, because the list shows it.
  const matching = useCallback(
    (jobs: readonly JobRecord[]) =>
      isExact ? jobs : searchIndex({ ...asked, entries: jobs.map((job) => withNews(index.get(job.requestId), job)) }),
    [isExact, asked, index],
  );
  const entries = useMemo(
    () => mergeJobs({ found, listed: matching([...newest, ...olderJobs]), reachSeconds: reach, known: index.get }),
    [found, newest, olderJobs, matching, reach, index],
  );

  const key = listKey(search);
  const hasWaited = useHasWaited(key);
  const isAnswered = !head.isPending || hasWaited;
  const [shown, setShown] = useState<readonly JobRecord[]>();
  const isReady = isAnswered ? entries.length > 0 || !head.isPending : shown !== undefined && state.isComplete;
  if (isReady && shown !== entries) setShown(entries);
  return {
    entries: isReady ? entries : (shown ?? NO_ENTRIES),
    isPending: !isReady && shown === undefined,
    isStale: !isReady && shown !== undefined,
    error: head.error,
    refresh: () => {
      void head.refetch();
      reading.read();
    },
    total: isUnfiltered ? head.data?.total : undefined,
    isExact,
    older,
    reading,
    params,
    keep: (jobs) => matching(withTracked(jobs)),
  };
}

const NO_JOBS: readonly Job[] = [];
const NO_ENTRIES: readonly JobRecord[] = [];

/**
 * The jobs that this browser follows, by id. Imported ones take their estimated price from the ledger, so that History shows
 * the same amount as Spend.
 */
function useTrackedById(): ReadonlyMap<string, TrackedJob> {
  const rows = useTrackedJobs();
  const ledger = useLedger();
  const estimates = useMemo(() => {
    const lines = ledger.filter(({ isEstimated, kind }) => isEstimated && kind === "charged");
    return lines.length === 0 ? NO_ESTIMATES : new Map(lines.map((line) => [line.requestId, line.amountMicroUsd]));
  }, [ledger]);
  // The same object for the same row and price, because the index merges every object that is new.
  const [priced] = useState(() => new WeakMap<TrackedJob, TrackedJob>());
  return useMemo(() => {
    const withEstimate = (job: TrackedJob): TrackedJob => {
      const estimatedMicroUsd = estimates.get(job.requestId);
      if (estimatedMicroUsd === undefined) return job;
      const known = priced.get(job);
      if (known?.estimatedMicroUsd === estimatedMicroUsd) return known;
      const joined = { ...job, estimatedMicroUsd };
      priced.set(job, joined);
      return joined;
    };
    return new Map(rows.map((job) => [job.requestId, withEstimate(job)]));
  }, [rows, estimates, priced]);
}

const NO_ESTIMATES: ReadonlyMap<string | undefined, MicroUsd | undefined> = new Map();

/** Whether `WAIT_MS` have passed since the list of this key was asked for. */
function useHasWaited(key: string): boolean {
  const [waited, setWaited] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setWaited(key), WAIT_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return waited === key;
}

/** The part of a search that the service can answer (spec 4.1). */
interface ServiceQuestion {
  params: JobListParams;
  /** The service can answer the whole search. Otherwise its jobs are searched here. */
  isExact: boolean;
}

/** The part of a search that the service can answer: the filters, and terms of the query that mean the same as a filter. */
export function serviceQuestion(search: HistorySearch): ServiceQuestion {
  const terms = search.q === undefined ? [] : readQuery(search.q);
  let question = search;
  let isExact = getSearchedModels(search).length <= 1;
  for (const { field, value, isNot, compare } of terms) {
    const name = SERVICE_FIELDS.find((known) => known === field);
    const isFree = name !== undefined && !isNot && compare === "is" && question[name] === undefined;
    // A term that is no filter of the service is searched in the jobs themselves.
    const withFilter =
      isFree && isServiceValue(name, value) ? readHistorySearch({ ...question, [name]: value }) : question;
    if (withFilter === question || name === undefined || withFilter[name] === undefined) isExact = false;
    else question = withFilter;
  }
  return { params: filterParams(question), isExact };
}

const SERVICE_FIELDS = ["type", "status", "after", "before"] as const;

function isServiceValue(name: (typeof SERVICE_FIELDS)[number], value: string): boolean {
  if (name === "after" || name === "before") return true;
  const known: readonly string[] = name === "type" ? JOB_TYPES : JOB_STATUSES;
  return value.split(",").every((word) => known.includes(word));
}

/**
 * The filters of a search as the service takes them (spec 4.1): one model at most. `before` is a whole day, so it ends
 * with the next one.
 */
export function filterParams(search: HistorySearch): JobListParams {
  const [model, ...others] = getSearchedModels(search);
  return {
    ...(model !== undefined && others.length === 0 ? { model_id: model } : {}),
    ...(search.type ? { model_type: search.type.split(",") } : {}),
    ...(search.status ? { status: search.status.split(",") } : {}),
    ...(search.after ? { created_after: daySeconds(search.after) } : {}),
    ...(search.before ? { created_before: daySeconds(search.before, 1) } : {}),
  };
}

interface MergeOptions {
  /** What the index found, newest first. */
  found: readonly JobRecord[];
  /** The newest page of the service's list, and the older pages that were read. */
  listed: readonly JobRecord[];
  /** The index has every job since this Unix second. Older jobs of it are left out, because others may lie between. */
  reachSeconds: number;
  /** A job as the index has it. */
  known: (requestId: string) => JobRecord | undefined;
}

/**
 * One list of the jobs of the index and of the service, each once, newest first. While older jobs are read it grows at its end,
 * and new ones come at its beginning. Where records have no times, the service's jobs come first, in the service's order.
 */
export function mergeJobs({ found, listed, reachSeconds, known }: MergeOptions): readonly JobRecord[] {
  if (listed.length === 0 && reachSeconds === Number.NEGATIVE_INFINITY) return found;
  const ids = new Set<string>();
  const fromService: JobRecord[] = [];
  for (const entry of listed) {
    if (ids.has(entry.requestId)) continue;
    ids.add(entry.requestId);
    // Prefers the object of the index where it knows as much, so that the tile does not render again.
    fromService.push(withNews(known(entry.requestId), entry));
  }
  const isTimed =
    fromService.length === 0 || fromService.some(({ createdAtSeconds }) => createdAtSeconds !== undefined);
  const isOnlyIndexed = ({ requestId, createdAtSeconds }: JobRecord) =>
    isReached(createdAtSeconds, reachSeconds) && !ids.has(requestId);
  if (!isTimed) return [...fromService, ...found.filter(isOnlyIndexed)];
  fromService.sort(newestFirst);
  // Where the index has everything, its jobs older than the service's need neither filter nor merge: they are many.
  const end = reachSeconds === Number.NEGATIVE_INFINITY ? firstOlder(found, fromService.at(-1)) : found.length;
  return mergeSorted(fromService, found.slice(0, end).filter(isOnlyIndexed)).concat(found.slice(end));
}

/** The index of the first job that is older than `than`; `entries` are newest first. */
function firstOlder(entries: readonly JobRecord[], than: JobRecord | undefined): number {
  if (!than) return 0;
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (newestFirst(entries[middle] as JobRecord, than) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether the index is complete at a job's time. Jobs without a time are shown once the whole list was read. */
function isReached(createdAtSeconds: number | undefined, reachSeconds: number): boolean {
  return createdAtSeconds === undefined ? reachSeconds === Number.NEGATIVE_INFINITY : createdAtSeconds >= reachSeconds;
}

/** Jobs per page of the list: a few screens. */
export const PAGE_JOBS = 100;

interface OlderOptions {
  params: JobListParams;
  /** The newest page of the same question. */
  head: JobPage | undefined;
  /** The index has every job since this Unix second, so only earlier ones are read. */
  reachSeconds: number;
  /** The pages are searched here, so they are large: few of their jobs match. */
  isSearched: boolean;
}

export interface OlderJobs {
  jobs: readonly Job[];
  /** There may be more jobs before those that were read. */
  hasMore: boolean;
  isReading: boolean;
  error: unknown;
  /** Reads the next page. Does nothing while one is read. */
  readMore: () => void;
}

/** The service's older pages, below the newest one and below what the index has. Each is read when asked for. */
export function useOlderJobs({ params, head, reachSeconds, isSearched }: OlderOptions): OlderJobs {
  const { api, queryClient } = useClient();
  const limit = isSearched ? MAX_PAGE_JOBS : PAGE_JOBS;
  const queryKey = ["jobs", "older", params, limit];
  const firstPlace = head && placeAfterHead(head, params);
  const known = () => {
    const pages = queryClient.getQueryData<InfiniteData<ReadPage>>(queryKey)?.pages ?? [];
    return new Set([...(head?.jobs ?? []), ...pages.flatMap(({ jobs }) => jobs)].map(({ requestId }) => requestId));
  };
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: belowReach(firstPlace ?? START, reachSeconds),
    queryFn: ({ pageParam, ...context }) => readJobPage(pageParam, { api, filters: params, limit, known }, context),
    getNextPageParam: ({ place }) => (isComplete(place) ? undefined : belowReach(place, reachSeconds)),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const pages = query.data?.pages;
  const jobs = useMemo(() => pages?.flatMap((page) => page.jobs) ?? NO_JOBS, [pages]);
  const isBegun = pages !== undefined;
  const hasMore =
    reachSeconds > (params.created_after ?? Number.NEGATIVE_INFINITY) &&
    (isBegun ? query.hasNextPage : firstPlace !== undefined && !isComplete(firstPlace));
  return {
    jobs,
    hasMore,
    isReading: query.isFetching,
    error: query.error,
    readMore: () => {
      if (hasMore && !query.isFetching) void query.fetchNextPage();
    },
  };
}

/** The place where the list continues after its newest page. */
function placeAfterHead(head: JobPage, params: JobListParams): ReadingPlace {
  return placeAfter({ ...startWithin(params), endsAtKnown: true }, head, PAGE_JOBS, head.jobs.length);
}

/** The place without the time that the index covers. */
function belowReach(place: ReadingPlace, reachSeconds: number): ReadingPlace {
  if (place.isUntimed || !Number.isFinite(reachSeconds)) return place;
  const gaps = place.gaps.map((gap) => ({ ...gap, before: Math.min(gap.before ?? reachSeconds, reachSeconds) }));
  return { ...place, gaps };
}

interface PlacedDaysOptions {
  /** The filters of the list as the service takes them, without dates. */
  filters: JobListParams;
  /** More jobs are about to come, so the service is not asked yet. */
  isWaiting?: boolean;
}

/**
 * Adds `daySeconds` to the jobs whose records have no time: services may list jobs without times, and their days are then found by
 * asking which jobs were made on each of the last days. Only the headings use it: when a file expires is not guessed from a
 * day.
 */
export function usePlacedDays(
  entries: readonly JobRecord[],
  { filters, isWaiting = false }: PlacedDaysOptions,
): readonly JobRecord[] {
  const { api, queryClient } = useClient();
  const untimed = useMemo(
    () => entries.flatMap((entry) => (entry.createdAtSeconds === undefined ? [entry.requestId] : [])),
    [entries],
  );
  const { data: days } = useQuery({
    // Not all ids, because there may be a hundred thousand.
    queryKey: ["job-days", filters, untimed.length, untimed[0], untimed.at(-1)],
    queryFn: ({ signal }) => {
      // Days in the person's time zone, counted back from the service's time, because this device's clock may be wrong.
      const nowSeconds = api.clock.nowSeconds();
      if (nowSeconds === undefined) return new Map<string, number>();
      return findDays({ api, client: queryClient, ids: untimed, filters, nowSeconds, signal });
    },
    enabled: untimed.length > 0 && !isWaiting,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    if (!days) return entries;
    return entries.map((entry) => {
      const daySeconds = entry.createdAtSeconds === undefined ? days.get(entry.requestId) : undefined;
      return daySeconds === undefined ? entry : placed(entry, daySeconds);
    });
  }, [entries, days]);
}

const copies = new WeakMap<JobRecord, JobRecord>();

/** Returns the same copy each time, so that the tile does not render again. */
function placed(entry: JobRecord, daySeconds: number): JobRecord {
  const known = copies.get(entry);
  if (known?.daySeconds === daySeconds) return known;
  const copy = { ...entry, daySeconds };
  copies.set(entry, copy);
  return copy;
}

/** Days to ask for, from today back. Jobs before them get the heading "Earlier". */
const MAX_DAYS = 14;
/** Long enough for one reading of the list. */
const FILTERED_STALE_MS = 60_000;
/** Per search for days, so that the rate limit has room for everything else. */
const MAX_REQUESTS = 60;

interface FindDaysOptions {
  api: Pick<Api, "listJobs">;
  client: QueryClient;
  /** Jobs whose records carry no time. */
  ids: readonly string[];
  /** The filters of the list as the service takes them, without dates. */
  filters: JobListParams;
  /** The service's time in Unix seconds. */
  nowSeconds: number;
  signal?: AbortSignal;
}

/**
 * Finds the days of jobs whose records have no time. Asks which jobs each day has, newest first, until all are placed (spec 4.1:
 * `created_after` and `created_before`). A day with more jobs than one response can have is asked for in halves.
 * Resolves to the start of each job's day in Unix seconds, or `EARLIER`.
 * @throws ApiError
 */
export async function findDays({
  api,
  client,
  ids,
  filters,
  nowSeconds,
  signal,
}: FindDaysOptions): Promise<Map<string, number>> {
  const waiting = new Set(ids);
  const days = new Map<string, number>();
  let asked = 0;
  async function askRange(day: number, from: number, to: number | undefined): Promise<void> {
    if (waiting.size === 0 || asked >= MAX_REQUESTS) return;
    asked++;
    signal?.throwIfAborted();
    const found = await client.fetchQuery(madeBetweenQuery(api, filters, from, to));
    for (const requestId of found) if (waiting.delete(requestId)) days.set(requestId, day);
    const middle = Math.floor((from + (to ?? nowSeconds)) / 2);
    if (found.length < MAX_PAGE_JOBS || middle <= from) return;
    await askRange(day, middle, to);
    await askRange(day, from, middle);
  }
  for (let back = 0; back < MAX_DAYS && waiting.size > 0; back++) {
    const from = dayStart(nowSeconds, back);
    // Today has no end, because what is known of the service's clock may be a little late.
    await askRange(from, from, back > 0 ? dayStart(nowSeconds, back - 1) : undefined);
  }
  for (const id of waiting) days.set(id, EARLIER);
  return days;
}

/** The ids of the jobs that were made between two Unix seconds; `to` undefined: up to now. */
const madeBetweenQuery = (api: Pick<Api, "listJobs">, filters: JobListParams, from: number, to: number | undefined) =>
  queryOptions({
    queryKey: ["jobs", "made-between", filters, from, to] as const,
    queryFn: async ({ signal }) => {
      const window = { created_after: from, ...(to === undefined ? {} : { created_before: to }) };
      const { jobs } = await api.listJobs({ ...filters, ...window, limit: MAX_PAGE_JOBS }, signal);
      return jobs.map(({ requestId }) => requestId);
    },
    // A day that is over gets no new jobs, but under a filter by status a job may come to match.
    staleTime: to === undefined ? 0 : filters.status ? FILTERED_STALE_MS : Number.POSITIVE_INFINITY,
    // The query of `usePlacedDays` is tried again as a whole.
    retry: false,
  });

/** The start of the local day `back` days before a Unix second, in Unix seconds. */
function dayStart(nowSeconds: number, back: number): number {
  const now = new Date(nowSeconds * 1000);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - back).getTime() / 1000;
}
