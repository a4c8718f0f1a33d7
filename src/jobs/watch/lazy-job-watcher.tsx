import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { abortableDelay } from "#lib/delay.ts";
import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import type { StoreName } from "#storage/keys.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { lazyNamed } from "#ui/lazy-named.tsx";
import { useTrackedJobs } from "../use-tracked-jobs.ts";

const AGAIN_AFTER_MS = 5_000;

/** `JobWatcher`, mounted once, in the shell, while `useHasWork`. Renders nothing. */
export const LazyJobWatcher = lazyNamed(loadJobWatcher, "JobWatcher");

async function loadJobWatcher() {
  for (;;) {
    try {
      return await import("./job-watcher.tsx");
    } catch {
      // An open submit may wait for it, so it is asked for until it comes.
      await abortableDelay(AGAIN_AFTER_MS);
    }
  }
}

/**
 * Whether there is something to watch or to show in the queue, from this tab or another: a tracked job, a submit, a batch, a
 * job or a list of them on the screen, or trouble with the storage. Stays true from then on.
 */
export function useHasWork(): boolean {
  const accountId = useConnection()?.accountId ?? "";
  const hasJobs = useTrackedJobs().length > 0;
  const hasSent = useHasRows("outbox", accountId);
  const hasBatches = useHasRows("batches", accountId);
  const isJobShown = useIsJobShown();
  const hasTrouble = useStorageState(
    ({ kind, quarantined, newerRows, losses }) =>
      (kind !== "opening" && kind !== "durable") || quarantined + newerRows + losses > 0,
  );
  const [hasWork, setHasWork] = useState(false);
  if (!hasWork && (hasJobs || hasSent || hasBatches || isJobShown || hasTrouble)) setHasWork(true);
  return hasWork;
}

/**
 * Whether this browser has rows of the key in a store. What they say is read later, by code that is not in the first load. A
 * store that cannot be read counts as yes.
 */
function useHasRows(store: StoreName, accountId: string): boolean {
  const [hasRows, setHasRows] = useState(false);
  useEffect(() => {
    const read = () =>
      openRows()
        .then((rows) => rows.all(store, accountId))
        .then(
          (rows) => rows.length > 0 && setHasRows(true),
          () => setHasRows(true),
        );
    void read();
    return onChange(store, () => void read());
  }, [store, accountId]);
  return hasRows;
}

function useIsJobShown(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    // A screen adds its query while it renders, and another component must not be set meanwhile.
    (listener) => cache.subscribe(() => queueMicrotask(listener)),
    () => cache.find({ queryKey: ["jobs"], exact: false, predicate: (query) => !query.isDisabled() }) !== undefined,
  );
}
