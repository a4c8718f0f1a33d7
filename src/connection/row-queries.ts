import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import { type ChangedKeys, changesSince, onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { STORE_NAMES, type StoreName } from "#storage/keys.ts";
import { type ReadRows, type RowKind, readOne, readRows } from "#storage/typed-rows.ts";

/** Until a row changes. What cannot be read is read again with the next change. */
const UNTIL_CHANGED = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

interface Read {
  /** The number of the store's last change that is in it for sure: see `changesSince`. */
  at: number;
}

/**
 * The rows of one kind that an account has, as `shape` makes them of the unordered values. All of them are read once, and
 * then those that changed. For a store and an account there is one kind. Rejects where the database cannot be read.
 */
export function rowsQuery<T, Shown>(kind: RowKind<T>, accountId: string, shape: (values: T[]) => Shown) {
  return queryOptions({
    ...UNTIL_CHANGED,
    queryKey: ["rows", kind.store, { accountId }] as const,
    queryFn: async ({ client, queryKey }): Promise<Read & { rows: ReadRows<T>; shown: Shown }> => {
      const before = client.getQueryData<Read & { rows: ReadRows<T>; shown: Shown }>(queryKey);
      const { at, keys } = changesSince(kind.store, before?.at);
      const known = before && keys !== "all" ? { rows: before.rows, changed: keys } : undefined;
      const rows = await readRows(await openRows(), kind, accountId, known);
      if (before?.rows === rows) return { ...before, at };
      return { at, rows, shown: shape([...rows.values.values()]) };
    },
    select: ({ shown }) => shown,
    // To compare thousands of rows with those before takes longer than to show them.
    structuralSharing: false,
  });
}

/** The value of one row; undefined where there is none. It is the same object as long as it says the same. */
export function rowQuery<T>(kind: RowKind<T>, key: string) {
  return queryOptions({
    ...UNTIL_CHANGED,
    queryKey: ["rows", kind.store, { key }] as const,
    queryFn: async (): Promise<Read & { value: T | undefined }> => {
      const { at } = changesSince(kind.store);
      return { at, value: await readOne(await openRows(), kind, key) };
    },
    select: ({ value }) => value,
  });
}

/** From now on, what is in the cache of rows follows what any tab writes. Returns the way to stop. */
export function followRows(client: QueryClient): () => void {
  const stops = STORE_NAMES.map((store) => onChange(store, (keys) => void readAgain(client, store, keys)));
  return () => {
    for (const stop of stops) stop();
  };
}

/** Reads what is on the screen; the rest is read when it is shown. Never rejects. */
async function readAgain(client: QueryClient, store: StoreName, keys: ChangedKeys): Promise<void> {
  const isConcerned = ({ queryKey }: { queryKey: QueryKey }) => concerns(queryKey, keys);
  // A read that is under way is not begun anew: many changes in a row would let none end.
  await client.invalidateQueries({ queryKey: ["rows", store], predicate: isConcerned }, { cancelRefetch: false });
  const shown = client.getQueryCache().findAll({ queryKey: ["rows", store], type: "active", predicate: isConcerned });
  const isMissed = shown.some(({ queryKey, state }) => {
    if (state.status !== "success") return false;
    return concerns(queryKey, changesSince(store, (state.data as Read).at).keys);
  });
  // The read that was under way had begun before the change.
  if (isMissed) await readAgain(client, store, keys);
}

function concerns([, , about]: QueryKey, keys: ChangedKeys): boolean {
  if (keys === "all") return true;
  const { key } = about as { key?: string };
  return key === undefined ? keys.length > 0 : keys.includes(key);
}
