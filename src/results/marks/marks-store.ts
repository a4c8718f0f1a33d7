import { storedRowsQuery } from "#connection/stored-rows.ts";
import { openRows } from "#storage/database.ts";
import { type JobMarks, jobMarkKey, jobMarkRows } from "#storage/job-marks.ts";
import { putChange, refuseNewer } from "#storage/typed-rows.ts";

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
  // Read and written as one: a star that is set while a file is being archived must outlive both.
  await (await openRows()).edit({ ...first, reads: others }, (row, more) => {
    const changes = [row, ...more].map((stored, at) => {
      refuseNewer(jobMarkRows, stored);
      const requestId = requestIds[at] ?? "";
      const known = stored && jobMarkRows.read(stored.body, stored);
      const before = known ?? { requestId, isStarred: false, tags: [], note: "" };
      return putChange(jobMarkRows, accountId, jobMarkKey(accountId, requestId), {
        ...before,
        ...change(before),
        requestId,
      });
    });
    return { changes, result: undefined };
  });
}
