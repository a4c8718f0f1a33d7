// The hook of one job. It is apart from `job-queries.ts`, because the first screen polls jobs and shows none.
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
   * The job succeeded, but its files are only in its own record, which this tab has not read yet: a list left them out, or they
   * came inline and are in no row. The record is being read, or `error` says why it was not.
   */
  isAwaitingFiles: boolean;
  /** Why the last poll failed; `job` stays as it was known. */
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
  // Another tab may have seen the job end. Where this tab does not poll it, nothing else would ask for its files.
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
 * A followed job together with what was reported to this tab. Another tab may have stored a later report. The rule differs from
 * that of rows (`withReported`): a row takes an older report of a running job as well, so that it moves on after the device's
 * clock was set back. Exported for tests.
 */
export function joined(tracked: TrackedJob | undefined, reported: JobRecord | undefined): JobRecord | undefined {
  if (tracked === undefined || reported === undefined) return reported ?? tracked;
  const isOlder = (tracked.reportedAtMs ?? 0) > (reported.reportedAtMs ?? 0);
  const saysLess = !isFinal(reported.status) || (isFinal(tracked.status) && reported.media.length === 0);
  return isOlder && saysLess ? tracked : mergeRecords(tracked, reported);
}
