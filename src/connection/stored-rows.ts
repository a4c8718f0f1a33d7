import { isCancelledError, type Query, type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import { type ChangedKeys, changesSince, hasChangedSince, onChange, onWipe } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { STORE_NAMES, type StoreName } from "#storage/keys.ts";
import { type ReadRows, type RowKind, readOne, readRows } from "#storage/typed-rows.ts";

/** Rows stay valid until one of them changes, not for a time, and stay cached as long as the connection is open. */
const UNTIL_CHANGED = {
  staleTime: (query: Pick<Query, "queryKey" | "state">) =>
    isOutdated(query) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
};

/**
 * An account's rows of one kind, made into one value by `shape`, which gets them in the order of their keys. All rows
 * are read once, and later only those that changed. There must be only one kind per store. Rejects where the database
 * cannot be read.
 */
export function storedRowsQuery<T, Shown>(kind: RowKind<T>, accountId: string, shape: (values: T[]) => Shown) {
  type Rows = ReadUpTo & { rows: ReadRows<T>; shown: Shown };
  return queryOptions({
    ...UNTIL_CHANGED,
    queryKey: ["rows", kind.store, { accountId }] satisfies RowsKey,
    queryFn: ({ client, queryKey }): Promise<Rows> => {
      const previous = client.getQueryData<Rows>(queryKey);
      return readUntilSettled(kind.store, previous?.upTo, async (upTo, keys) => {
        const known = previous && keys !== "all" ? { rows: previous.rows, changed: keys } : undefined;
        const rows = await readRows(await openRows(), kind, accountId, known);
        if (previous?.rows === rows) return { ...previous, upTo };
        return { upTo, rows, shown: shape([...rows.values.values()]) };
      });
    },
    select: ({ shown }) => shown,
    // Comparing thousands of rows with the earlier ones takes longer than showing them.
    structuralSharing: false,
  });
}

/**
 * All rows of a query, newer than any change so far, for code that acts on them: a screen may show slightly older ones.
 * Rejects where the database cannot be read.
 */
export async function readRowsNow<T, Shown>(
  client: QueryClient,
  options: ReturnType<typeof storedRowsQuery<T, Shown>>,
): Promise<Shown> {
  for (;;) {
    const read = await client.fetchQuery(options).catch((error: unknown) => {
      // `followRows` removes queries after a deletion of local data, and cancels this read. It is tried again.
      if (isCancelledError(error)) return undefined;
      throw error;
    });
    // A read that was already under way may have begun before the last change.
    const query = client.getQueryCache().find({ queryKey: options.queryKey });
    if (read && (query === undefined || !isOutdated(query))) return read.shown;
  }
}

/** The value of one row; undefined where there is none. The same object as long as its contents do not change. */
export function storedRowQuery<T>(kind: RowKind<T>, key: string) {
  return queryOptions({
    ...UNTIL_CHANGED,
    queryKey: ["rows", kind.store, { key }] satisfies RowsKey,
    queryFn: (): Promise<ReadUpTo & { value: T | undefined }> =>
      readUntilSettled(kind.store, undefined, async (upTo) => ({
        upTo,
        value: await readOne(await openRows(), kind, key),
      })),
    select: ({ value }) => value,
  });
}

/**
 * Reads what changed after the change number `since`. If that fails and rows changed meanwhile, reads again: the change
 * may be the reason, such as a database that was lost. Otherwise rejects as `read` does.
 */
async function readUntilSettled<T>(
  store: StoreName,
  since: number | undefined,
  read: (upTo: number, keys: ChangedKeys) => Promise<T>,
): Promise<T> {
  const { upTo, keys } = changesSince(store, since);
  try {
    return await read(upTo, keys);
  } catch (error) {
    if (!hasChangedSince(store, upTo)) throw error;
    return readUntilSettled(store, since, read);
  }
}

/** Part of the data of every query in this file. */
interface ReadUpTo {
  /** The number of the last change of the store that the data is sure to contain: see `changesSince`. */
  upTo: number;
}

/** The key of a query of stored rows: of all rows of an account in a store, or of one row. */
type RowsKey = readonly ["rows", StoreName, { accountId: string } | { key: string }];

/** Whether rows changed since they were read, or were not read yet. */
function isOutdated({ queryKey, state }: Pick<Query, "queryKey" | "state">): boolean {
  const [, store, rows] = queryKey as unknown as RowsKey;
  const read = state.data as ReadUpTo | undefined;
  return hasChangedSince(store, read?.upTo, "key" in rows ? rows.key : undefined);
}

/**
 * Reads the rows that are on the screen again whenever any tab writes them. Other rows are read when they are shown.
 * Returns the way to stop.
 */
export function followRows(client: QueryClient): () => void {
  const isDue = (query: Query) => isOutdated(query) && query.state.fetchStatus === "idle";
  const readAgain = (queryKey: QueryKey) => void client.refetchQueries({ queryKey, type: "active", predicate: isDue });
  const stops = STORE_NAMES.map((store) => onChange(store, () => readAgain(["rows", store])));
  // A read that was under way during a write may lack it.
  const stopLooking = client.getQueryCache().subscribe((event) => {
    const isRead = event.type === "updated" && event.action.type === "success";
    if (isRead && event.query.queryKey[0] === "rows") readAgain(event.query.queryKey);
  });
  // So that deleted rows do not appear again when their screen is opened next.
  const stopWiping = onWipe(() => client.removeQueries({ queryKey: ["rows"], type: "inactive" }));
  return () => {
    for (const stop of [...stops, stopLooking, stopWiping]) stop();
  };
}
