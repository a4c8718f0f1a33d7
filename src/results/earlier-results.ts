import { useQuery } from "@tanstack/react-query";
import type { MediaKind } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFileDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { fileKey } from "#media/file-address.ts";
import { daysLeft } from "#media/retention.ts";
import { promptOf } from "#runs/job-inputs.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { type JobRecord, mergeRecords } from "#storage/job-records.ts";

/** A file that the service has: a result of a job, or an input stored before. */
export interface EarlierFile {
  url: string;
  kind: MediaKind;
  /** What it is called in a list. */
  name: string;
  /** As in `MediaItem`: it is loaded unasked only where the service has named its host. */
  isElsewhere?: true | undefined;
}

const MAX_LISTED_JOBS = 100;

/**
 * Results of a kind, of any kind where none is given: of the jobs that this browser follows, newest first, then of the first
 * page of the service's list. Those that were deleted or have expired are left out.
 */
export function useEarlierResults(kind?: MediaKind): {
  files: EarlierFile[];
  isReading: boolean;
  error: Error | null;
  retry: () => void;
} {
  const tracked = useTrackedJobs();
  const list = useQuery(jobQueries(useApi()).list({ status: ["success"], limit: MAX_LISTED_JOBS }));
  const deleted = useDeletedMedia().jobs;
  // The list's addresses are signed anew, and so they win.
  const jobs = new Map<string, JobRecord>(tracked.map((job) => [job.requestId, job]));
  for (const job of list.data?.jobs ?? []) {
    const row = jobs.get(job.requestId);
    jobs.set(job.requestId, row ? mergeRecords(row, job) : job);
  }
  const files = new Map<string, EarlierFile>();
  for (const job of jobs.values()) {
    if (deleted.has(job.requestId) || (daysLeft(job.createdAtSeconds, Date.now()) ?? 1) <= 0) continue;
    for (const [index, item] of job.media.entries()) {
      const key = fileKey(item.url) ?? item.url;
      if ((kind !== undefined && item.kind !== kind) || files.has(key) || isFileDeleted(item.url)) continue;
      const words = visibleLine(promptOf(job) || job.model || job.requestId);
      const name = index > 0 ? `${words}, file ${index + 1}` : words;
      files.set(key, { url: item.url, kind: item.kind, name, isElsewhere: item.isElsewhere });
    }
  }
  const { isPending, error, refetch } = list;
  return { files: [...files.values()], isReading: isPending, error, retry: () => void refetch() };
}
