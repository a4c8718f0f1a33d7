import type { Api } from "#api/create-api.ts";
import type { JobListParams } from "#api/types.ts";
import { findOffsetUnit } from "#jobs/offset-unit.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { type BulkFile, filesOf } from "#media/download/bulk-entries.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { readAllJobs } from "./search/read-all.ts";
import { NOTHING_READ } from "./search/read-plan.ts";

interface MatchingOptions {
  api: Api;
  /** The service's own filters. */
  params: JobListParams;
  /** Those of the jobs that a search lets through. */
  keep: (entries: readonly JobRecord[]) => readonly JobRecord[];
  signal: AbortSignal;
  /** How many jobs were read so far. */
  onRead: (jobs: number) => void;
}

/**
 * The files of every job that the service's own filters let through, however many pages that are: read 1,000 at a time
 * and by time, as the index is (spec 4.1).
 * @throws the ApiError that did not pass, or the signal's reason.
 */
export async function matchingFiles({
  api,
  params: filters,
  keep,
  signal,
  onRead,
}: MatchingOptions): Promise<BulkFile[]> {
  const found = new Map<string, JobRecord>();
  await readAllJobs({
    api: { listJobs: (params, within) => api.listJobs({ ...filters, ...params }, within) },
    plan: { ...NOTHING_READ, gaps: [{ before: filters.created_before, after: filters.created_after }] },
    signal,
    offsetUnit: () => findOffsetUnit(api, signal),
    onPage: (jobs) => {
      const before = found.size;
      for (const job of jobs) found.set(job.requestId, job);
      onRead(found.size);
      return found.size - before;
    },
    onPlan: (plan) => plan,
  });
  return undeletedFiles(keep([...found.values()]));
}

/** The files of some jobs, without those of which the media were deleted. */
export function undeletedFiles(entries: readonly JobRecord[]): BulkFile[] {
  return filesOf(entries.filter((entry) => !isMediaDeleted(entry.requestId)));
}
