import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { abortableDelay } from "#lib/delay.ts";
import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { readAll } from "#storage/typed-rows.ts";
import { outboxRows } from "./submit/outbox-row.ts";
import { useTrackedJobs } from "./use-tracked-jobs.ts";

const AGAIN_AFTER_MS = 5_000;

const JobWatching = lazy(async () => {
  for (;;) {
    try {
      return { default: (await import("./job-watching.tsx")).JobWatching };
    } catch {
      // Money may wait for it: it is asked for until it comes.
      await abortableDelay(AGAIN_AFTER_MS);
    }
  }
});

/**
 * Loads the watching of jobs once there is something to watch, in this tab or another: a job, a sent intent, a job on
 * the screen, or trouble with the storage to tell. Mounted once, in the shell. Shows nothing.
 */
export function JobWatcher() {
  const hasJobs = useTrackedJobs().length > 0;
  const hasSent = useHasSent(useConnection()?.accountId ?? "");
  const asksForJobs = useAsksForJobs();
  const hasTrouble = useStorageState(
    ({ kind, quarantined }) => (kind !== "opening" && kind !== "durable") || quarantined > 0,
  );
  const [isNeeded, setIsNeeded] = useState(false);
  if (!isNeeded && (hasJobs || hasSent || asksForJobs || hasTrouble)) setIsNeeded(true);
  return (
    isNeeded && (
      <Suspense>
        <JobWatching />
      </Suspense>
    )
  );
}

/** Whether anything was ever sent with this key from this browser. Notes that cannot be read count as some. */
function useHasSent(accountId: string): boolean {
  const [hasSent, setHasSent] = useState(false);
  useEffect(() => {
    const look = () =>
      openRows()
        .then((rows) => readAll(rows, outboxRows, accountId))
        .then(
          (sent) => sent.length > 0 && setHasSent(true),
          () => setHasSent(true),
        );
    void look();
    return onChange("outbox", () => void look());
  }, [accountId]);
  return hasSent;
}

function useAsksForJobs(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    // A screen adds its query while it renders, and another component must not be told in the middle of that.
    (listener) => cache.subscribe(() => queueMicrotask(listener)),
    () =>
      cache.find({ queryKey: ["jobs", "detail"], exact: false, predicate: (query) => !query.isDisabled() }) !==
      undefined,
  );
}
