import { isCancelledError, type Query, type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import { type ChangedKeys, changesSince, hasChangedSince, onChange, onWipe } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { STORE_NAMES, type StoreName } from "#storage/keys.ts";
import { type ReadRows, type RowKind, readOne, readRows } from "#storage/typed-rows.ts";

/** Rows are as they were read until one of them changes, whatever the clock says, for as long as the connection is open. */
const UNTIL_CHANGED = {
  staleTime: (query: Pick<Query, "queryKey" | "state">) =>
    isBehind(query) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
};

/**
 * The rows of one kind that an account has, as `shape` makes them of the values, which come in the order of their keys.
 * All of them are read once, and then those that changed. For a store and an account there is one kind. Rejects where the
 * database cannot be read.
 */
export function storedRowsQuery<T, Shown>(kind: RowKind<T>, accountId: string, shape: (values: T[]) => Shown) {
  type Rows = ReadUpTo & { rows: ReadRows<T>; shown: Shown };
  return queryOptions({
    ...UNTIL_CHANGED,
    queryKey: ["rows", kind.store, { accountId }] satisfies RowsKey,
    queryFn: ({ client, queryKey }): Promise<Rows> => {
      const before = client.getQueryData<Rows>(queryKey);
      return readUntilSettled(kind.store, before?.upTo, async (upTo, keys) => {
        const known = before && keys !== "all" ? { rows: before.rows, changed: keys } : undefined;
        const rows = await readRows(await openRows(), kind, accountId, known);
        if (before?.rows === rows) return { ...before, upTo };
        return { upTo, rows, shown: shape([...rows.values.values()]) };
      });
    },
    select: ({ shown }) => shown,
    // To compare thousands of rows with those before takes longer than to show them.
    structuralSharing: false,
  });
}

/**
 * All rows of a query as they are now, for those who act on them: what a screen shows may be a moment older. Rejects where
 * the database cannot be read.
 */
export async function readRowsNow<T, Shown>(
  client: QueryClient,
  options: ReturnType<typeof storedRowsQuery<T, Shown>>,
): Promise<Shown> {
  for (;;) {
    const read = await client.fetchQuery(options).catch((error: unknown) => {
      // What was read of another account is deleted, and this with it: see `followRows`.
      if (isCancelledError(error)) return undefined;
      throw error;
    });
    // A read that was under way when this was asked for may have begun before the last change.
    const query = client.getQueryCache().find({ queryKey: options.queryKey });
    if (read && (query === undefined || !isBehind(query))) return read.shown;
  }
}

/** The value of one row; undefined where there is none. It is the same object as long as it says the same. */
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
 * Reads what changed after the change of the number `since`. Where that fails and something changed meanwhile, it is tried
 * again: the change may have been what it failed of, such as a database that was lost. Otherwise rejects with what `read`
 * does.
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

/** What every query of stored rows holds: see `stored-rows.ts`. */
interface ReadUpTo {
  /** The number of the store's last change that is in it for sure: see `changesSince`. */
  upTo: number;
}

/** The key of a query of stored rows: of all rows of an account in a store, or of one row. */
type RowsKey = readonly ["rows", StoreName, { accountId: string } | { key: string }];

/** Whether rows changed since they were read, or were not read yet. */
function isBehind({ queryKey, state }: Pick<Query, "queryKey" | "state">): boolean {
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
