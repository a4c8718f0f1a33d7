// Services may list jobs without times. Their days are then found by asking which jobs were made on each of the last days.

import { keepPreviousData, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Api } from "#api/create-api.ts";
import { MAX_PAGE_JOBS } from "#api/job-list.ts";
import type { JobListParams } from "#api/types.ts";
import { useClient } from "#connection/client.ts";
import type { JobRecord } from "#storage/job-records.ts";

/** Stands for the day of a job that was found on no day: it is older, or there were too many jobs to ask for. */
export const EARLIER = -1;

interface PlacedDaysOptions {
  /** The filters of the list as the service takes them, without dates. */
  filters: JobListParams;
  /** More jobs are about to come, so the service is not asked yet. */
  isWaiting?: boolean;
}

/**
 * Adds `daySeconds` to the jobs whose records have no time. Only the headings use it: when a file expires is not guessed from a
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
 * `created_after` and `created_before`). A day with more jobs than one answer can have is asked for in halves.
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
