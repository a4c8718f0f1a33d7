import { useQuery } from "@tanstack/react-query";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowsQuery } from "#connection/stored-rows.ts";
import { type TrackedJob, trackedKey, trackedRows } from "#storage/job-records.ts";

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
