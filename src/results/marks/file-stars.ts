import type { JobMarks } from "#storage/job-marks.ts";
import type { MarkChange } from "./marks-store.ts";

type Stars = Pick<JobMarks, "isStarred" | "starredFiles"> | undefined;

/**
 * Which files of a job are starred, by their places from 0. A star that was set on the job as a whole, in History or by
 * an older version, is on all of its `count` files.
 */
export function starredFilesOf(stars: Stars, count: number): ReadonlySet<number> {
  if (!stars?.isStarred) return new Set();
  const own = (stars.starredFiles ?? []).filter((place) => place < count);
  return new Set(own.length > 0 ? own : Array.from({ length: count }, (_, place) => place));
}

/**
 * The marks that follow when the star of one file is set or taken away. The job has a star as long as one of its files
 * has, so that it is found under "Starred" wherever jobs are listed.
 */
export function withFileStar(stars: Stars, place: number, count: number): MarkChange {
  const next = new Set(starredFilesOf(stars, count));
  if (!next.delete(place)) next.add(place);
  const isAll = next.size === count;
  return { isStarred: next.size > 0, starredFiles: isAll ? [] : [...next].sort((a, b) => a - b) };
}
