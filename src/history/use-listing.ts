import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Api } from "#api/create-api.ts";
import type { Job, JobListParams, JobPage } from "#api/types.ts";
import { useApi, useClient } from "#connection/client.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { MarksById } from "#results/marks/marks.ts";
import {
  isComplete,
  MAX_PAGE_JOBS,
  placeAfter,
  type ReadingPlace,
  type ReadPage,
  readJobPage,
  START,
  startWithin,
} from "#runs/job-list/job-pages.ts";
import { useLedger } from "#runs/ledger/use-ledger.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
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

interface Listing {
  entries: readonly JobRecord[];
  /** Nothing can be shown yet. */
  isPending: boolean;
  /** The list before is still shown, while this one loads. */
  isStale: boolean;
  error: Error | null;
  refresh: () => void;
  /** How many jobs the service lists without a filter, where it says so. */
  total: number | undefined;
  /** The service answers all of the question; otherwise older jobs are searched on request. */
  isExact: boolean;
  older: OlderJobs;
  reading: IndexReading;
  /** The part of the search that the service answers, as its filters. */
  params: JobListParams;
  /** Those of some jobs of that answer that are all of what is searched for, with what is known of them here. */
  keep: (jobs: readonly Job[]) => readonly JobRecord[];
}

interface ListingOptions {
  marks: MarksById;
  nowMs: number;
}

/** The newest page of the service's list under some filters. */
export const newestPageQuery = (api: Api, params: JobListParams) =>
  jobQueries(api).list({ ...params, limit: PAGE_JOBS });

/** How long the service's list is waited for, so that its new jobs do not move those that are shown. */
const WAIT_MS = 700;

/**
 * The jobs that a search asks for, as one list, newest first. It is put together from three sources:
 *
 * 1. the index, which fills itself in the background and holds the newest jobs, down to `reachSeconds`;
 * 2. the newest page of the service's own list under the same filters: what is new or has changed since;
 * 3. older pages of that list, from where the index ends, one by one as the list is scrolled to its end.
 *
 * What only the index knows (words, stars, tags, costs, several models) is searched in it, and in older pages where a press
 * asks for them. The index and the pages overlap and each job is shown once, so that it does not matter how far the index
 * has come: older jobs are added at the end, and only new ones move those below them.
 */
export function useListing(
  search: HistorySearch,
  index: JobIndex,
  state: IndexState,
  { marks, nowMs }: ListingOptions,
): Listing {
  const api = useApi();
  const own = useOwnJobs();
  useEffect(() => index.noteOwn([...own.values()]), [index, own]);
  const { params, isExact } = useMemo(() => serviceQuestion(search), [search]);
  const head = useQuery(newestPageQuery(api, params));
  const reachSeconds = state.isOpen ? state.reachSeconds : Number.POSITIVE_INFINITY;
  const older = useOlderJobs({ params, head: head.data, reachSeconds, isSearched: !isExact });
  const reading = useIndexReading(index, state, !head.isPending);

  const isUnfiltered = filterCount(search) === 0 && Object.keys(params).length === 0;
  const joined = useCallback((jobs: readonly Job[]) => jobs.map((job) => joinRow(own.get(job.requestId), job)), [own]);
  const newest = useMemo(() => joined(head.data?.jobs ?? NO_JOBS), [head.data?.jobs, joined]);
  const before = useMemo(() => joined(older.jobs), [older.jobs, joined]);
  // Copied, since the index outlives the cache. It adds what this browser's rows know by itself.
  useEffect(() => {
    if (head.data && isUnfiltered) index.noteHead(head.data, PAGE_JOBS);
    else if (head.data) index.note(head.data.jobs);
  }, [index, head.data, isUnfiltered]);
  useEffect(() => index.note(older.jobs), [index, older.jobs]);

  // Not the search itself: it changes when the viewer opens.
  const { q, model, type, status, after, before: until } = search;
  const asked = useMemo(
    () => ({ search: { q, model, type, status, after, before: until }, marks, nowMs }),
    [q, model, type, status, after, until, marks, nowMs],
  );
  const { entries: indexed, texts } = state;
  const found = useMemo(() => searchIndex({ ...asked, entries: indexed, texts }), [asked, indexed, texts]);
  // Where only the index knows, everything that it found is shown. A list that failed is better than none.
  const reach = isExact && !head.isError ? reachSeconds : Number.NEGATIVE_INFINITY;
  // What the index knows of a listed job, such as its price today, counts in a search as it is shown.
  const searched = useCallback(
    (jobs: readonly JobRecord[]) =>
      isExact ? jobs : searchIndex({ ...asked, entries: jobs.map((job) => withNews(index.get(job.requestId), job)) }),
    [isExact, asked, index],
  );
  const entries = useMemo(
    () => mergeJobs({ found, listed: searched([...newest, ...before]), reachSeconds: reach, known: index.get }),
    [found, newest, before, searched, reach, index],
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
    keep: (jobs) => searched(joined(jobs)),
  };
}

const NO_JOBS: readonly Job[] = [];
const NO_ENTRIES: readonly JobRecord[] = [];

/**
 * The jobs that this browser follows. What imported ones cost today is copied from the ledger: it was asked for when they were
 * imported, and History must name the amount that Spend names.
 */
function useOwnJobs(): ReadonlyMap<string, TrackedJob> {
  const rows = useTrackedJobs();
  const ledger = useLedger();
  const estimates = useMemo(() => {
    const lines = ledger.filter(({ isEstimated, kind }) => isEstimated && kind === "charged");
    return lines.length === 0 ? NO_ESTIMATES : new Map(lines.map((line) => [line.requestId, line.amountMicroUsd]));
  }, [ledger]);
  // The same object for the same row and price: the index takes in only those that are new.
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

/** Whether a list was waited for long enough. */
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
  /** The service's answer is all of it. Otherwise what it gives is searched here. */
  isExact: boolean;
}

/** What of a search the service can answer: its filters, and terms of the search that are such filters. */
export function serviceQuestion(search: HistorySearch): ServiceQuestion {
  const words = search.q === undefined ? [] : readQuery(search.q);
  let asked = search;
  let isExact = getSearchedModels(search).length <= 1;
  for (const { field, value, isNot, compare } of words) {
    const name = SERVICE_FIELDS.find((known) => known === field);
    const isFree = name !== undefined && !isNot && compare === "is" && asked[name] === undefined;
    // Words that the service does not know are found in the jobs themselves.
    const taken = isFree && isServiceValue(name, value) ? readHistorySearch({ ...asked, [name]: value }) : asked;
    if (taken === asked || name === undefined || taken[name] === undefined) isExact = false;
    else asked = taken;
  }
  return { params: filterParams(asked), isExact };
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
  /** The newest page of the service's list as it is now, and the older pages that were read. */
  listed: readonly JobRecord[];
  /** Down to which second the index holds every job. Older jobs that it knows are not shown: more may lie between. */
  reachSeconds: number;
  /** A job as the index has it. */
  known: (requestId: string) => JobRecord | undefined;
}

/**
 * One list of what the index and the service know, each job once, newest first. It only ever grows at its end while older
 * jobs are read, and at its beginning with new ones. Where records carry no times, the service's own order leads.
 */
export function mergeJobs({ found, listed, reachSeconds, known }: MergeOptions): readonly JobRecord[] {
  if (listed.length === 0 && reachSeconds === Number.NEGATIVE_INFINITY) return found;
  const ids = new Set<string>();
  const own: JobRecord[] = [];
  for (const entry of listed) {
    if (ids.has(entry.requestId)) continue;
    ids.add(entry.requestId);
    // The object that the index has, where that knows as much, so that its tile does not render again.
    own.push(withNews(known(entry.requestId), entry));
  }
  const isTimed = own.length === 0 || own.some(({ createdAtSeconds }) => createdAtSeconds !== undefined);
  const isRest = ({ requestId, createdAtSeconds }: JobRecord) =>
    isReached(createdAtSeconds, reachSeconds) && !ids.has(requestId);
  if (!isTimed) return [...own, ...found.filter(isRest)];
  own.sort(newestFirst);
  // Where everything is reached, the many jobs that are older than those of the service stay as they are.
  const end = reachSeconds === Number.NEGATIVE_INFINITY ? firstOlder(found, own.at(-1)) : found.length;
  return mergeSorted(own, found.slice(0, end).filter(isRest)).concat(found.slice(end));
}

/** The place of the first job that is older than another; all are newest first. */
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

/** Jobs without a time are shown once everything was read. */
function isReached(createdAtSeconds: number | undefined, reachSeconds: number): boolean {
  return createdAtSeconds === undefined ? reachSeconds === Number.NEGATIVE_INFINITY : createdAtSeconds >= reachSeconds;
}

/** Jobs of one page of the list: a few screens. */
export const PAGE_JOBS = 100;

interface OlderOptions {
  params: JobListParams;
  /** The newest page of the same question. */
  head: JobPage | undefined;
  /** Down to which second the index holds every job: only what lies before it is read. */
  reachSeconds: number;
  /** The service does not know all of the question, so its pages are searched here: they are large, for few jobs match. */
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

/** The pages of the service's list before its newest one, and before what the index holds. Read one by one when asked for. */
export function useOlderJobs({ params, head, reachSeconds, isSearched }: OlderOptions): OlderJobs {
  const { api, queryClient } = useClient();
  const limit = isSearched ? MAX_PAGE_JOBS : PAGE_JOBS;
  const queryKey = ["jobs", "older", params, limit];
  const first = head && placeAfterHead(head, params);
  const known = () => {
    const pages = queryClient.getQueryData<InfiniteData<ReadPage>>(queryKey)?.pages ?? [];
    return new Set([...(head?.jobs ?? []), ...pages.flatMap(({ jobs }) => jobs)].map(({ requestId }) => requestId));
  };
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: belowReach(first ?? START, reachSeconds),
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
    (isBegun ? query.hasNextPage : first !== undefined && !isComplete(first));
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

/** Where the list goes on after its newest page. */
function placeAfterHead(head: JobPage, params: JobListParams): ReadingPlace {
  return placeAfter({ ...startWithin(params), endsAtKnown: true }, head, PAGE_JOBS, head.jobs.length);
}

/** The place without what the index holds. */
function belowReach(place: ReadingPlace, reachSeconds: number): ReadingPlace {
  if (place.isUntimed || !Number.isFinite(reachSeconds)) return place;
  const gaps = place.gaps.map((gap) => ({ ...gap, before: Math.min(gap.before ?? reachSeconds, reachSeconds) }));
  return { ...place, gaps };
}
