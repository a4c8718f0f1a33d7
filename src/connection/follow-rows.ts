import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { hasChangedSince, onChange, onWipe } from "#storage/changes.ts";
import { STORE_NAMES, type StoreName } from "#storage/keys.ts";

/** What every query of stored rows holds: see `stored-rows.ts`. */
export interface ReadUpTo {
  /** The number of the store's last change that is in it for sure: see `changesSince`. */
  upTo: number;
}

/** The key of a query of stored rows: of all rows of an account in a store, or of one row. */
export type RowsKey = readonly ["rows", StoreName, { accountId: string } | { key: string }];

/** Whether rows changed since they were read, or were not read yet. */
export function isBehind({ queryKey, state }: Pick<Query, "queryKey" | "state">): boolean {
  const [, store, rows] = queryKey as unknown as RowsKey;
  const read = state.data as ReadUpTo | undefined;
  return hasChangedSince(store, read?.upTo, "key" in rows ? rows.key : undefined);
}

/**
 * From now on, the rows that are on the screen follow what any tab writes; others are read when they are shown. Returns
 * the way to stop.
 */
export function followRows(client: QueryClient): () => void {
  const isDue = (query: Query) => isBehind(query) && query.state.fetchStatus === "idle";
  const readAgain = (queryKey: QueryKey) => void client.refetchQueries({ queryKey, type: "active", predicate: isDue });
  const stops = STORE_NAMES.map((store) => onChange(store, () => readAgain(["rows", store])));
  // A read that was under way when a row was written may have begun before.
  const stopLooking = client.getQueryCache().subscribe((event) => {
    const isRead = event.type === "updated" && event.action.type === "success";
    if (isRead && event.query.queryKey[0] === "rows") readAgain(event.query.queryKey);
  });
  // What was deleted for a person is not shown once more when they come back to it.
  const stopWiping = onWipe(() => client.removeQueries({ queryKey: ["rows"], type: "inactive" }));
  return () => {
    for (const stop of [...stops, stopLooking, stopWiping]) stop();
  };
}
