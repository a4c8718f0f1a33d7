import { queryOptions } from "@tanstack/react-query";
import { changesSince } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { type ReadRows, type RowKind, readOne, readRows } from "#storage/typed-rows.ts";
import { isBehind, type Read, type RowsKey } from "./follow-rows.ts";

/** Rows are as they were read until one of them changes. What cannot be read is read again with the next change. */
const UNTIL_CHANGED = {
  staleTime: (query: Parameters<typeof isBehind>[0]) => (isBehind(query) ? 0 : FOREVER),
  retry: false,
};
const FOREVER = Number.POSITIVE_INFINITY;

/**
 * The rows of one kind that an account has, as `shape` makes them of the unordered values. All of them are read once, and
 * then those that changed. For a store and an account there is one kind. Rejects where the database cannot be read.
 */
export function rowsQuery<T, Shown>(kind: RowKind<T>, accountId: string, shape: (values: T[]) => Shown) {
  return queryOptions({
    ...UNTIL_CHANGED,
    queryKey: ["rows", kind.store, { accountId }] satisfies RowsKey,
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
    queryKey: ["rows", kind.store, { key }] satisfies RowsKey,
    queryFn: async (): Promise<Read & { value: T | undefined }> => {
      const { at } = changesSince(kind.store);
      return { at, value: await readOne(await openRows(), kind, key) };
    },
    select: ({ value }) => value,
  });
}
