import { useQuery } from "@tanstack/react-query";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowsQuery } from "#connection/stored-rows.ts";
import { openRows } from "#storage/database.ts";
import { type JobMarks, jobMarkKey, jobMarkRows } from "#storage/job-marks.ts";
import { putChange, refuseNewer } from "#storage/typed-rows.ts";
import { toast } from "#ui/toast-store.ts";

export type MarksById = ReadonlyMap<string, JobMarks>;

/** The marks of one account's jobs by request id. */
export const marksQuery = (accountId: string) =>
  storedRowsQuery(jobMarkRows, accountId, (marks): MarksById => new Map(marks.map((mark) => [mark.requestId, mark])));

export type MarkChange = Partial<Omit<JobMarks, "requestId">>;

/**
 * Changes the marks of some jobs, all or none. `change` gets the marks as they are now. Rejects with `StorageError` where
 * nothing was written.
 */
export async function changeMarks(
  accountId: string,
  requestIds: readonly string[],
  change: (marks: JobMarks) => MarkChange,
): Promise<void> {
  const [first, ...others] = requestIds.map((id) => ({ store: jobMarkRows.store, key: jobMarkKey(accountId, id) }));
  if (!first) return;
  // One transaction reads and writes, so that a star which is set while a file is being archived is not lost.
  await (await openRows()).edit({ ...first, reads: others }, (row, more) => {
    const changes = [row, ...more].map((stored, index) => {
      refuseNewer(jobMarkRows, stored);
      const requestId = requestIds[index] ?? "";
      const known = stored && jobMarkRows.read(stored.body, stored);
      const marksNow = known ?? { requestId, isStarred: false, tags: [], note: "" };
      return putChange(jobMarkRows, accountId, jobMarkKey(accountId, requestId), {
        ...marksNow,
        ...change(marksNow),
        requestId,
      });
    });
    return { changes, result: undefined };
  });
}

export interface Marks {
  marks: MarksById;
  /** Stars them all, or takes the star from all where each has one. */
  toggleStar: (requestIds: readonly string[]) => void;
  change: (requestIds: readonly string[], change: (marks: JobMarks) => MarkChange) => void;
}

const NONE: MarksById = new Map();

/** Stars, tags and notes of the current key's jobs, stored in this browser. A write that fails is shown, not thrown. */
export function useMarks(): Marks {
  const accountId = useConnection()?.accountId ?? "";
  const { data: marks = NONE } = useQuery(marksQuery(accountId));
  function change(requestIds: readonly string[], make: (marks: JobMarks) => MarkChange) {
    changeMarks(accountId, requestIds, make).catch(() => {
      toast({ title: "Not saved", body: "This browser couldn’t save the change.", tone: "error" });
    });
  }
  return {
    marks,
    change,
    toggleStar: (requestIds) => {
      const isStarred = !requestIds.every((id) => marks.get(id)?.isStarred);
      change(requestIds, () => ({ isStarred, starredFiles: [] }));
    },
  };
}

type Stars = Pick<JobMarks, "isStarred" | "starredFiles"> | undefined;

/**
 * Which files of a job are starred, by their places from 0. A star that was set on the job as a whole, in History or by
 * an older version, is on all of its `count` files.
 */
export function getStarredFiles(stars: Stars, count: number): ReadonlySet<number> {
  if (!stars?.isStarred) return new Set();
  const starred = (stars.starredFiles ?? []).filter((place) => place < count);
  return new Set(starred.length > 0 ? starred : Array.from({ length: count }, (_, place) => place));
}

/**
 * The marks that follow when the star of one file is set or taken away. The job has a star as long as one of its files
 * has, so that it is found under "Starred" wherever jobs are listed.
 */
export function withFileStar(stars: Stars, place: number, count: number): MarkChange {
  const next = new Set(getStarredFiles(stars, count));
  if (!next.delete(place)) next.add(place);
  const isAll = next.size === count;
  return { isStarred: next.size > 0, starredFiles: isAll ? [] : [...next].sort((a, b) => a - b) };
}
