import type { Query, QueryClient } from "@tanstack/react-query";
import { changesSince, onChange } from "#storage/changes.ts";
import { STORE_NAMES, type StoreName } from "#storage/keys.ts";

/** What every query of rows has read: see `row-queries.ts`. */
export interface Read {
  /** The number of the store's last change that is in it for sure: see `changesSince`. */
  at: number;
}

/** The key of a query of rows: all rows of an account in a store, or one row. */
export type RowsKey = readonly ["rows", StoreName, { accountId: string } | { key: string }];

/** Whether rows changed since they were read, or were not read yet. */
export function isBehind({ queryKey, state }: Pick<Query, "queryKey" | "state">): boolean {
  const [, store, about] = queryKey as unknown as RowsKey;
  const { keys } = changesSince(store, (state.data as Read | undefined)?.at);
  if (keys === "all") return true;
  return "key" in about ? keys.includes(about.key) : keys.length > 0;
}

/** From now on, the rows that are on the screen follow what any tab writes. Returns the way to stop. */
export function followRows(client: QueryClient): () => void {
  const stops = STORE_NAMES.map((store) => onChange(store, () => void readAgain(client, store)));
  return () => {
    for (const stop of stops) stop();
  };
}

/** Rows that nobody looks at are read when somebody does. Never rejects. */
async function readAgain(client: QueryClient, store: StoreName): Promise<void> {
  const shown = { queryKey: ["rows", store], type: "active", predicate: isBehind } as const;
  // A read that is under way is not begun anew: many changes in a row would let none end.
  await client.refetchQueries(shown, { cancelRefetch: false });
  // It may have begun before the change. One that failed is tried again with the next change.
  const isMissed = client
    .getQueryCache()
    .findAll(shown)
    .some(({ state }) => state.status === "success");
  if (isMissed) await readAgain(client, store);
}
