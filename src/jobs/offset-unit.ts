import type { Api } from "#api/create-api.ts";
import type { JobPage } from "#api/types.ts";

/**
 * What the job list counts with `offset`: jobs, or pages of `limit` jobs. Spec 4.1 calls it a "page offset". `cursor`: it
 * counts nothing, the same page comes again, and the service names another place to go on from.
 */
export type OffsetUnit = "items" | "pages" | "cursor";

const LIMIT = 10;

/**
 * Finds the unit out by two small lists. With a limit of 10 an offset of 1 begins at the second job where it counts jobs,
 * and at the eleventh, or past the end, where it counts pages; up to eight jobs may arrive in between without confusing
 * the two. With fewer than two jobs there is no second page, and either answer serves.
 */
export async function findOffsetUnit(api: Pick<Api, "listJobs">, signal?: AbortSignal): Promise<OffsetUnit> {
  const first = await api.listJobs({ limit: LIMIT + 1 }, signal);
  if (first.jobs.length < 2) return "items";
  const told = Number(first.next?.offset);
  if (told === 1 || told === first.jobs.length) return told === 1 ? "pages" : "items";
  const moved = await api.listJobs({ limit: LIMIT, offset: 1 }, signal);
  const begins = moved.jobs[0]?.requestId;
  if (begins === undefined) return "pages";
  const place = first.jobs.findIndex((job) => job.requestId === begins);
  if (place === 0 && first.next !== undefined) return "cursor";
  return place > 1 ? "pages" : "items";
}

/**
 * Whether more jobs may follow a page: by what the service says, else by a total that can be true, else until a page is
 * short. `read`: how many jobs were read with it. Never throws.
 */
export function mayHaveMore({ jobs, total, hasMore, next }: JobPage, limit: number, read: number): boolean {
  if (jobs.length === 0) return false;
  if (hasMore !== undefined || next !== undefined) return hasMore ?? true;
  // A total that is no more than a full page may be that of the page.
  const isTold = total !== undefined && total >= read && (total > jobs.length || jobs.length < limit);
  return isTold ? total > read : jobs.length >= limit;
}
