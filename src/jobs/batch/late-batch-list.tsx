import { lazy, Suspense, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { batchesOf } from "./stored-batches.ts";

const BatchList = lazy(() =>
  import("./batch-list.tsx").then(
    (module) => ({ default: module.BatchList }),
    () => ({
      default: () => <p className="px-[9px] text-[12px] text-ink-3">The lines of runs did not load. Reload.</p>,
    }),
  ),
);

/** `BatchList`, loaded with the first line of runs. */
export function LateBatchList() {
  const stored = batchesOf(useConnection()?.accountId ?? "");
  const hasAny = useSyncExternalStore(stored.subscribe, stored.snapshot).length > 0;
  return (
    hasAny && (
      <Suspense>
        <BatchList />
      </Suspense>
    )
  );
}
