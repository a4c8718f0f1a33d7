import { type Query, queryOptions } from "@tanstack/react-query";
import { type ChangedKeys, changesSince } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import type { StoreName } from "#storage/keys.ts";
import { type ReadRows, type RowKind, readOne, readRows } from "#storage/typed-rows.ts";
import { isBehind, type Read, type RowsKey } from "./follow-rows.ts";

/** Rows are as they were read until one of them changes, for as long as the connection is open. */
const UNTIL_CHANGED = {
  staleTime: (query: Pick<Query, "queryKey" | "state">) => (isBehind(query) ? 0 : Number.POSITIVE_INFINITY),
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
};

/**
 * The rows of one kind that an account has, as `shape` makes them of the values, which come in the order of their keys.
 * All of them are read once, and then those that changed. For a store and an account there is one kind. Rejects where the
 * database cannot be read.
 */
export function storedRowsQuery<T, Shown>(kind: RowKind<T>, accountId: string, shape: (values: T[]) => Shown) {
  type Rows = Read & { rows: ReadRows<T>; shown: Shown };
  return queryOptions({
    ...UNTIL_CHANGED,
    queryKey: ["rows", kind.store, { accountId }] satisfies RowsKey,
    queryFn: ({ client, queryKey }): Promise<Rows> => {
      const before = client.getQueryData<Rows>(queryKey);
      return readUntilSettled(kind.store, before?.at, async (at, keys) => {
        const known = before && keys !== "all" ? { rows: before.rows, changed: keys } : undefined;
        const rows = await readRows(await openRows(), kind, accountId, known);
        if (before?.rows === rows) return { ...before, at };
        return { at, rows, shown: shape([...rows.values.values()]) };
      });
    },
    select: ({ shown }) => shown,
    // To compare thousands of rows with those before takes longer than to show them.
    structuralSharing: false,
  });
}

/** The value of one row; undefined where there is none. It is the same object as long as it says the same. */
export function storedRowQuery<T>(kind: RowKind<T>, key: string) {
  return queryOptions({
    ...UNTIL_CHANGED,
    queryKey: ["rows", kind.store, { key }] satisfies RowsKey,
    queryFn: (): Promise<Read & { value: T | undefined }> =>
      readUntilSettled(kind.store, undefined, async (at) => ({
        at,
        value: await readOne(await openRows(), kind, key),
      })),
    select: ({ value }) => value,
  });
}

/**
 * Reads what changed after the change `before`. Where that fails and something changed meanwhile, it is tried again: the
 * change may have been what it failed of, such as a database that was lost. Otherwise rejects with what `read` does.
 */
async function readUntilSettled<T>(
  store: StoreName,
  before: number | undefined,
  read: (at: number, keys: ChangedKeys) => Promise<T>,
): Promise<T> {
  const { at, keys } = changesSince(store, before);
  try {
    return await read(at, keys);
  } catch (error) {
    if (changesSince(store).at === at) throw error;
    return readUntilSettled(store, before, read);
  }
}
