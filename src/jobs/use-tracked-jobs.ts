import { useQuery } from "@tanstack/react-query";
import { useConnection } from "#connection/connection-store.ts";
import { rowsQuery } from "#connection/row-queries.ts";
import { type TrackedJob, trackedRows } from "#storage/tracked-jobs.ts";

export type { TrackedJob } from "#storage/tracked-jobs.ts";

const trackedQuery = (accountId: string) =>
  rowsQuery(trackedRows, accountId, (jobs): readonly TrackedJob[] =>
    jobs.sort((a, b) => b.submittedAtMs - a.submittedAtMs),
  );

const NONE: readonly TrackedJob[] = [];

/** Every job this browser knows of for the current key, newest first: submitted here, recovered, or imported. */
export function useTrackedJobs(): readonly TrackedJob[] {
  return useQuery(trackedQuery(useConnection()?.accountId ?? "")).data ?? NONE;
}

/** Whether those rows were read, or could not be: until then nothing can be said of a job that is not among them. */
export function useAreTrackedJobsRead(): boolean {
  return !useQuery(trackedQuery(useConnection()?.accountId ?? "")).isPending;
}
