import type { Api } from "#api/create-api.ts";
import type { JobListParams } from "#api/types.ts";
import { MAX_PAGE_SIZE } from "./history-search.ts";

/** So many days are asked for, from today back; what is older than all of them is "Earlier". */
const MOST_DAYS = 14;
/** A gentle share of any rate limit. */
const MOST_REQUESTS = 60;

/** The day of a job that is older than all that were placed. */
export const EARLIER = -1;

interface FindDaysOptions {
  api: Pick<Api, "listJobs">;
  /** Jobs whose records carry no time. */
  ids: readonly string[];
  /** The service's filters that the list is under, without its dates. */
  filters: JobListParams;
  nowMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * The days of jobs whose records tell no time: each day is asked which jobs it has, newest first, until all are placed
 * (spec 4.1: `created_after` and `created_before`). A stretch with more jobs than one answer holds is asked in halves.
 * Gives the start of each job's day in Unix seconds, or `EARLIER`.
 * @throws ApiError
 */
export async function findDays({ api, ids, filters, nowMs, signal }: FindDaysOptions): Promise<Map<string, number>> {
  const waiting = new Set(ids);
  const days = new Map<string, number>();
  let asked = 0;
  async function look(day: number, from: number, to: number | undefined): Promise<void> {
    if (waiting.size === 0 || asked >= MOST_REQUESTS) return;
    asked++;
    const window = { created_after: from, ...(to === undefined ? {} : { created_before: to }) };
    const { jobs } = await api.listJobs({ ...filters, ...window, limit: MAX_PAGE_SIZE }, signal);
    for (const { requestId } of jobs) if (waiting.delete(requestId)) days.set(requestId, day);
    const middle = Math.floor((from + (to ?? nowMs / 1000)) / 2);
    if (jobs.length < MAX_PAGE_SIZE || middle <= from) return;
    await look(day, middle, to);
    await look(day, from, middle);
  }
  for (let back = 0; back < MOST_DAYS && waiting.size > 0; back++) {
    // The newest window is open, for the clocks of a service need not agree with this one.
    await look(dayStart(nowMs, back), dayStart(nowMs, back), back > 0 ? dayStart(nowMs, back - 1) : undefined);
  }
  for (const id of waiting) days.set(id, EARLIER);
  return days;
}

function dayStart(nowMs: number, back: number): number {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - back).getTime() / 1000;
}
