import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Api } from "#api/create-api.ts";
import type { JobListParams } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { MAX_PAGE_SIZE } from "./history-search.ts";

/** The day of a job that is older than all days that were asked for. */
export const EARLIER = -1;

interface PlacedDaysOptions {
  /** The service's filters that the list is under, without its dates. */
  filters: JobListParams;
  /** More jobs are about to come: nothing is asked yet. */
  isWaiting?: boolean;
}

type Days = ReadonlyMap<string, number>;
// A job's day never changes, so each is found out once.
const KNOWN_DAYS = ["known-days"];

/**
 * The jobs, with `daySeconds` for those whose records have no time. Only the headings use it: for how long a file stays
 * is not guessed from a day.
 */
export function usePlacedDays(
  entries: readonly JobRecord[],
  { filters, isWaiting = false }: PlacedDaysOptions,
): readonly JobRecord[] {
  const api = useApi();
  const client = useQueryClient();
  const untimed = useMemo(
    () => entries.flatMap((entry) => (entry.createdAtSeconds === undefined ? [entry.requestId] : [])),
    [entries],
  );
  const { data: days } = useQuery({
    // Not all ids: there may be a hundred thousand.
    queryKey: ["job-days", filters, untimed.length, untimed[0], untimed.at(-1)],
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<Days>(KNOWN_DAYS) ?? new Map();
      const ids = untimed.filter((id) => !known.has(id));
      // The windows are the person's own days, counted back from the service's day: this device's may be another one.
      const nowSeconds = api.clock.nowSeconds();
      if (nowSeconds === undefined) return known;
      const all: Days = new Map([...known, ...(await findDays({ api, ids, filters, nowSeconds, signal }))]);
      client.setQueryData(KNOWN_DAYS, all);
      return all;
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

/** So many days are asked for, from today back; what is older than all of them is "Earlier". */
const MOST_DAYS = 14;
/** So that the rate limit has room for everything else. */
const MOST_REQUESTS = 60;

interface FindDaysOptions {
  api: Pick<Api, "listJobs">;
  /** Jobs whose records carry no time. */
  ids: readonly string[];
  /** The service's filters that the list is under, without its dates. */
  filters: JobListParams;
  /** What time it is at the service. */
  nowSeconds: number;
  signal?: AbortSignal | undefined;
}

/**
 * The days of jobs whose records have no time: each day is asked which jobs it has, newest first, until all are placed
 * (spec 4.1: `created_after` and `created_before`). A stretch with more jobs than one answer holds is asked in halves.
 * Gives the start of each job's day in Unix seconds, or `EARLIER`.
 * @throws ApiError
 */
export async function findDays({
  api,
  ids,
  filters,
  nowSeconds,
  signal,
}: FindDaysOptions): Promise<Map<string, number>> {
  const waiting = new Set(ids);
  const days = new Map<string, number>();
  let asked = 0;
  async function askDay(day: number, from: number, to: number | undefined): Promise<void> {
    if (waiting.size === 0 || asked >= MOST_REQUESTS) return;
    asked++;
    const window = { created_after: from, ...(to === undefined ? {} : { created_before: to }) };
    const { jobs } = await api.listJobs({ ...filters, ...window, limit: MAX_PAGE_SIZE }, signal);
    for (const { requestId } of jobs) if (waiting.delete(requestId)) days.set(requestId, day);
    const middle = Math.floor((from + (to ?? nowSeconds)) / 2);
    if (jobs.length < MAX_PAGE_SIZE || middle <= from) return;
    await askDay(day, middle, to);
    await askDay(day, from, middle);
  }
  for (let back = 0; back < MOST_DAYS && waiting.size > 0; back++) {
    const from = dayStart(nowSeconds, back);
    // The newest window has no end: what is known of the service's clock may be a little behind it.
    await askDay(from, from, back > 0 ? dayStart(nowSeconds, back - 1) : undefined);
  }
  for (const id of waiting) days.set(id, EARLIER);
  return days;
}

function dayStart(nowSeconds: number, back: number): number {
  const now = new Date(nowSeconds * 1000);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - back).getTime() / 1000;
}
