import type { Api } from "#api/create-api.ts";

/** What the job list counts with `offset`: jobs, or pages of `limit` jobs. Spec 4.1 calls it a "page offset". */
export type OffsetUnit = "items" | "pages";

const LIMIT = 10;

/**
 * Finds the unit out by two small lists. With a limit of 10 an offset of 1 begins at the second job where it counts jobs,
 * and at the eleventh, or past the end, where it counts pages; up to eight jobs may arrive in between without confusing
 * the two. With fewer than two jobs there is no second page, and either answer serves.
 */
export async function findOffsetUnit(api: Pick<Api, "listJobs">, signal?: AbortSignal): Promise<OffsetUnit> {
  const first = await api.listJobs({ limit: LIMIT + 1 }, signal);
  if (first.jobs.length < 2) return "items";
  const moved = await api.listJobs({ limit: LIMIT, offset: 1 }, signal);
  const begins = moved.jobs[0]?.requestId;
  if (begins === undefined) return "pages";
  return first.jobs.findIndex((job) => job.requestId === begins) > 1 ? "pages" : "items";
}
