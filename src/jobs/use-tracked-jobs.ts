import { useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { liveRowsOf } from "#storage/live-rows.ts";
import { type TrackedJob, trackedRows } from "#storage/tracked-jobs.ts";

export type { TrackedJob } from "#storage/tracked-jobs.ts";

const trackedOf = liveRowsOf(trackedRows, (jobs): readonly TrackedJob[] =>
  jobs.sort((a, b) => b.submittedAtMs - a.submittedAtMs),
);

/** Every job this browser knows of for the current key, newest first: submitted here, recovered, or imported. */
export function useTrackedJobs(): readonly TrackedJob[] {
  const tracked = trackedOf(useConnection()?.accountId ?? "");
  return useSyncExternalStore(tracked.subscribe, tracked.snapshot);
}

/** Whether those rows were read, or could not be: until then nothing can be said of a job that is not among them. */
export function useAreTrackedJobsRead(): boolean {
  const tracked = trackedOf(useConnection()?.accountId ?? "");
  return useSyncExternalStore(tracked.subscribe, tracked.isRead);
}
