import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobListParams } from "#api/types.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { type BulkFile, getBulkFiles } from "#media/download/bulk-entries.ts";
import { isComplete, readJobPage, startWithin } from "#runs/job-list/job-pages.ts";
import type { JobRecord } from "#storage/job-records.ts";

interface MatchingOptions {
  api: Pick<Api, "listJobs">;
  client: QueryClient;
  /** The service's own filters. */
  params: JobListParams;
  /** Leaves the jobs that match the whole search, which may be more than the filters. */
  keep: (entries: readonly JobRecord[]) => readonly JobRecord[];
  signal: AbortSignal;
  /** Called after each page with the number of jobs read so far. */
  onRead: (jobs: number) => void;
}

/**
 * Reads every job that the service's own filters let through, page by page, and resolves to the files of those that `keep` leaves,
 * without deleted ones. Rejects with the `ApiError` of a page, or with the signal's reason.
 */
export async function matchingFiles({ api, client, params, keep, signal, onRead }: MatchingOptions) {
  const found = new Map<string, JobRecord>();
  const options = { api, filters: params, known: () => found, hasPauses: true };
  const queryKey = ["jobs", "download", params];
  const stop = () => void client.cancelQueries({ queryKey });
  signal.addEventListener("abort", stop);
  try {
    for (let place = startWithin(params); !isComplete(place) && !signal.aborted; ) {
      const from = place;
      const page = await client.fetchQuery({
        queryKey: [...queryKey, from],
        queryFn: (context) => readJobPage(from, options, context),
        staleTime: 0,
        gcTime: 0,
      });
      for (const job of page.jobs) found.set(job.requestId, job);
      onRead(found.size);
      place = page.place;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    signal.throwIfAborted();
  }
  return undeletedFiles(keep([...found.values()]));
}

/** The files of the jobs whose media were not deleted. */
export function undeletedFiles(entries: readonly JobRecord[]): BulkFile[] {
  return getBulkFiles(entries.filter((entry) => !isMediaDeleted(entry.requestId)));
}
