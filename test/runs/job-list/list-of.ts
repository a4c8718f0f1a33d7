import type { Api } from "#api/create-api.ts";
import type { Job, JobListParams, JobPage } from "#api/types.ts";

export interface Listed {
  id: string;
  /** When it was made, in Unix seconds. */
  at: number | undefined;
}

export interface ListOptions {
  /** Whether `created_before` takes its own second along, which the specification leaves open. */
  isInclusive?: boolean;
  /** What an offset counts. With "cursor" it counts nothing, and a page names the next one, but for the last. */
  unit?: "items" | "pages" | "cursor" | "nothing";
  isOldestFirst?: boolean;
  /** It knows no bounds by time. */
  isUnbounded?: boolean;
  /** It knows neither those nor offsets. */
  isDeaf?: boolean;
  /** More jobs are never in one answer. */
  most?: number;
  /** Which records show when they were made. */
  shows?: "every time" | "no time" | "some times";
  /** The number of jobs behind the filters, of all jobs, or of the page. */
  total?: "none" | "filtered" | "all" | "page";
  saysMore?: boolean;
}

/** A job list as the specification words it, and as services may mean it. */
export function listOf(ids: readonly Listed[], options: ListOptions = {}) {
  const { isInclusive = false, unit = "items", isOldestFirst = false, isUnbounded = false, isDeaf = false } = options;
  const { most = 1000, shows = "every time", total = "none", saysMore = false } = options;
  const calls: JobListParams[] = [];
  const jobs = [...ids];
  const listJobs: Api["listJobs"] = async (params) => {
    calls.push(params);
    const limit = Math.min(most, params.limit ?? 20);
    const { created_after: after, created_before: before } = isUnbounded || isDeaf ? {} : params;
    const listed = jobs
      .filter(({ at }) => after === undefined || (at ?? 0) >= after)
      .filter(({ at }) => before === undefined || (isInclusive ? (at ?? 0) <= before : (at ?? 0) < before))
      .sort((a, b) => ((b.at ?? 0) - (a.at ?? 0)) * (isOldestFirst ? -1 : 1));
    const offset = isDeaf || unit === "cursor" || unit === "nothing" ? 0 : (params.offset ?? 0);
    const behind = listed.findIndex(({ id }) => id === params.next?.cursor) + 1;
    const start = unit === "pages" ? offset * limit : behind > 0 ? behind : offset;
    const shown = listed.slice(start, start + limit);
    const hasMore = start + limit < listed.length;
    const page: JobPage = {
      jobs: shown.map((job, place) => toJob(hasTime(shows, place) ? job : { ...job, at: undefined })),
      total: { none: undefined, filtered: listed.length, all: jobs.length, page: shown.length }[total],
    };
    if (saysMore) page.hasMore = hasMore;
    if (unit === "cursor" && hasMore) page.next = { cursor: shown.at(-1)?.id ?? "" };
    return page;
  };
  return { calls, jobs, api: { listJobs } };
}

const hasTime = (shows: ListOptions["shows"], place: number) =>
  shows === "every time" || (shows === "some times" && place % 3 !== 0);

export const toJob = ({ id, at }: Listed): Job => ({
  requestId: id,
  model: "m",
  status: "success",
  media: [],
  payload: undefined,
  createdAtSeconds: at,
  updatedAtSeconds: undefined,
  failureReason: undefined,
  raw: {},
});

/** So many jobs, newest first, so many of each second. */
export const past = (count: number, perSecond = 1) =>
  Array.from({ length: count }, (_, place) => ({
    id: `job-${place}`,
    at: 1_700_000_000 - Math.floor(place / perSecond),
  }));
