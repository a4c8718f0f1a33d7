// The jobs that this browser knows of, and one job as a screen shows it. Apart from `job-queries.ts`, which asks the service and writes
// down what it reports.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { isFinal } from "#api/jobs.ts";
import type { JobPage } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowsQuery } from "#connection/stored-rows.ts";
import { type JobRecord, mergeRecords, type TrackedJob, trackedKey, trackedRows } from "#storage/job-records.ts";
import { jobQueries } from "./job-queries.ts";
import { getPollControl, usePolling } from "./poll-control.ts";

export type { TrackedJob } from "#storage/job-records.ts";

/** Every tracked job of an account, newest first. */
export const trackedQuery = (accountId: string) =>
  storedRowsQuery(trackedRows, accountId, (jobs): readonly TrackedJob[] =>
    jobs.sort((a, b) => b.submittedAtMs - a.submittedAtMs),
  );

const NONE: readonly TrackedJob[] = [];

/** Every job this browser knows of for the current key, newest first: submitted here, recovered, or imported. */
export function useTrackedJobs(): readonly TrackedJob[] {
  return useQuery(trackedQuery(useConnection()?.accountId ?? "")).data ?? NONE;
}

/** Whether the rows of tracked jobs were read, or failed to be. Until then nothing can be said of a job that is not among them. */
export function useAreTrackedJobsRead(): boolean {
  return useQuery(trackedQuery(useConnection()?.accountId ?? "")).isFetched;
}

/**
 * Whether this browser has a row for a job, also one that only a newer version can read. Undefined until the rows were read; true
 * where they cannot be read.
 */
export function useIsTracked(requestId: string): boolean | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const key = trackedKey(accountId, requestId);
  const { data, isFetched } = useQuery({
    ...trackedQuery(accountId),
    select: ({ rows }) => rows.values.has(key) || rows.leftAlone.has(key),
  });
  return isFetched ? (data ?? true) : undefined;
}

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
