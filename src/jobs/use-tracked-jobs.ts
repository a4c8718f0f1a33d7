import { useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { type TrackedJob, trackedRows } from "#storage/tracked-jobs.ts";
import { liveRowsOf } from "./live-rows.ts";

export type { TrackedJob } from "#storage/tracked-jobs.ts";

const trackedOf = liveRowsOf(trackedRows, (jobs): readonly TrackedJob[] =>
  jobs.sort((a, b) => b.submittedAtMs - a.submittedAtMs),
);

/** Every job this browser knows of for the current key, newest first: submitted here, recovered, or imported. */
export function useTrackedJobs(): readonly TrackedJob[] {
  const tracked = trackedOf(useConnection()?.accountId ?? "");
  return useSyncExternalStore(tracked.subscribe, tracked.snapshot);
}
