import { keepPreviousData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Api } from "#api/create-api.ts";
import type { JobListParams } from "#api/types.ts";
import { useClient } from "#connection/client.ts";
import { MAX_PAGE_JOBS } from "#runs/job-list/job-pages.ts";
import type { JobRecord } from "#storage/job-records.ts";

/** The day of a job that was found on none of the days that were asked for: it is older, or there were too many. */
export const EARLIER = -1;

interface PlacedDaysOptions {
  /** The service's filters that the list is under, without its dates. */
  filters: JobListParams;
  /** More jobs are about to come: nothing is asked yet. */
  isWaiting?: boolean;
}

/**
 * The jobs, with `daySeconds` for those whose records have no time. Only the headings use it: for how long a file stays
 * is not guessed from a day.
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
    // Not all ids: there may be a hundred thousand.
    queryKey: ["job-days", filters, untimed.length, untimed[0], untimed.at(-1)],
    queryFn: ({ signal }) => {
      // The windows are the person's own days, counted back from the service's day: this device's may be another one.
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

/** The same copy each time, so that its tile is not made anew. */
function placed(entry: JobRecord, daySeconds: number): JobRecord {
  const known = copies.get(entry);
  if (known?.daySeconds === daySeconds) return known;
  const copy = { ...entry, daySeconds };
  copies.set(entry, copy);
  return copy;
}

/** The days that are asked for, from today back; what is older than all of them is "Earlier". */
const MAX_DAYS = 14;
const WHILE_SCROLLED_MS = 60_000;
/** So that the rate limit has room for everything else. */
const MAX_REQUESTS = 60;

interface FindDaysOptions {
  api: Pick<Api, "listJobs">;
  client: QueryClient;
  /** Jobs whose records carry no time. */
  ids: readonly string[];
  /** The service's filters that the list is under, without its dates. */
  filters: JobListParams;
  /** What time it is at the service. */
  nowSeconds: number;
  signal?: AbortSignal;
}

/**
 * The days of jobs whose records have no time: each day is asked which jobs it has, newest first, until all are placed
 * (spec 4.1: `created_after` and `created_before`). A stretch with more jobs than one answer holds is asked in halves. A stretch
 * that is over is asked for once.
 * Gives the start of each job's day in Unix seconds, or `EARLIER`.
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
  async function askDay(day: number, from: number, to: number | undefined): Promise<void> {
    if (waiting.size === 0 || asked >= MAX_REQUESTS) return;
    asked++;
    signal?.throwIfAborted();
    const found = await client.fetchQuery(madeBetweenQuery(api, filters, from, to));
    for (const requestId of found) if (waiting.delete(requestId)) days.set(requestId, day);
    const middle = Math.floor((from + (to ?? nowSeconds)) / 2);
    if (found.length < MAX_PAGE_JOBS || middle <= from) return;
    await askDay(day, middle, to);
    await askDay(day, from, middle);
  }
  for (let back = 0; back < MAX_DAYS && waiting.size > 0; back++) {
    const from = dayStart(nowSeconds, back);
    // The newest window has no end: what is known of the service's clock may be a little behind it.
    await askDay(from, from, back > 0 ? dayStart(nowSeconds, back - 1) : undefined);
  }
  for (const id of waiting) days.set(id, EARLIER);
  return days;
}

/** The ids of the jobs that were made between two seconds, up to now where no end is given. */
const madeBetweenQuery = (api: Pick<Api, "listJobs">, filters: JobListParams, from: number, to: number | undefined) =>
  queryOptions({
    queryKey: ["jobs", "made-between", filters, from, to] as const,
    queryFn: async ({ signal }) => {
      const window = { created_after: from, ...(to === undefined ? {} : { created_before: to }) };
      const { jobs } = await api.listJobs({ ...filters, ...window, limit: MAX_PAGE_JOBS }, signal);
      return jobs.map(({ requestId }) => requestId);
    },
    // A job of another day does not come to it, but one may come under a filter by status.
    staleTime: to === undefined ? 0 : filters.status ? WHILE_SCROLLED_MS : Number.POSITIVE_INFINITY,
    // The days as a whole are tried again.
    retry: false,
  });

function dayStart(nowSeconds: number, back: number): number {
  const now = new Date(nowSeconds * 1000);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - back).getTime() / 1000;
}
