// Apart from its query: the first screen polls, and shows no job.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { isFinal } from "#api/jobs.ts";
import type { JobPage } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { type JobRecord, mergeRecords, type TrackedJob } from "#storage/job-records.ts";
import { useTrackedJobs } from "../use-tracked-jobs.ts";
import { jobQueries } from "./job-queries.ts";
import { getPollControl, usePolling } from "./poll-control.ts";

interface JobState {
  job: JobRecord | undefined;
  /**
   * It succeeded, and this tab has not read its own record yet, which alone says what came of it: the list says no more, or
   * the files came inline and are in no row. It is being read, or `error` says why it was not.
   */
  isAwaitingFiles: boolean;
  /** Why the last poll failed. A job that is known stays on the screen. */
  error: Error | null;
  isFetching: boolean;
  refetch: () => void;
}

/**
 * One job, polled until it is final: what the service reports, and what this browser's row knows of it. Shown at once from
 * the row, or from a list call.
 */
export function useJob(requestId: string): JobState {
  const api = useApi();
  const client = useQueryClient();
  usePolling(api);
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
  const { data, error, refetch } = query;
  const job = useMemo(() => joined(tracked, data), [tracked, data]);
  const isRead = data !== undefined && isFinal(data.status) && getPollControl(api).pollsSinceFinal(requestId) > 0;
  const lacksFiles = job?.status === "success" && job.media.length === 0 && job.lacksOutcome === true && !isRead;
  // Another tab read its end: where this one does not poll it, nothing else would ask for the files.
  useEffect(() => {
    if (lacksFiles) void refetch({ cancelRefetch: false });
  }, [lacksFiles, refetch]);
  return {
    job,
    isAwaitingFiles: lacksFiles,
    error,
    isFetching: query.isFetching,
    refetch: () => void refetch(),
  };
}

/**
 * A followed job with what this tab was reported of it. Another tab may have been reported more, and written it. Not the rule
 * by which a row is written (`withReported`): a row takes in an older report of a job that runs as well, so that it moves on
 * after the device's clock was set back. Exported for tests.
 */
export function joined(tracked: TrackedJob | undefined, reported: JobRecord | undefined): JobRecord | undefined {
  if (tracked === undefined || reported === undefined) return reported ?? tracked;
  const isOlder = (tracked.reportedAtMs ?? 0) > (reported.reportedAtMs ?? 0);
  const tellsLess = !isFinal(reported.status) || (isFinal(tracked.status) && reported.media.length === 0);
  return isOlder && tellsLess ? tracked : mergeRecords(tracked, reported);
}
