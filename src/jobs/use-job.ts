import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Job, JobPage } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { jobQueries } from "./job-queries.ts";
import { usePollVersion } from "./poll/use-polling.ts";
import { type TrackedJob, useTrackedJobs } from "./use-tracked-jobs.ts";

interface JobState {
  job: Job | undefined;
  /** What this browser knows of the job: its exact price and payload, where it submitted it. */
  tracked: TrackedJob | undefined;
  /** Why the last poll failed. A job that is known stays on the screen. */
  error: Error | null;
  isFetching: boolean;
  refetch: () => void;
}

/** One job, polled until it is final, shown at once from what a list call or this browser's storage already knows. */
export function useJob(requestId: string): JobState {
  const api = useApi();
  const client = useQueryClient();
  usePollVersion(api);
  const tracked = useTrackedJobs().find((known) => known.requestId === requestId);
  const query = useQuery({
    ...jobQueries(api).detail(requestId),
    placeholderData: () => {
      for (const [, page] of client.getQueriesData<JobPage>({ queryKey: ["jobs", "list"] })) {
        const listed = page?.jobs?.find((job) => job.requestId === requestId);
        if (listed) return listed;
      }
      return undefined;
    },
  });
  return {
    job: query.data ?? tracked?.job,
    tracked,
    error: query.error,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
  };
}
