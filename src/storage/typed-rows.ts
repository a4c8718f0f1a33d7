import { openRows } from "./database.ts";
import { quarantineRow } from "./quarantine.ts";
import type { RowChange, RowStore, StoredRow, StoreName } from "./row.ts";

export interface RowKind<T> {
  store: StoreName;
  /** Version written. Rows of an older version go through the same reader. */
  version: number;
  /** Untrusted in, typed out; undefined where it cannot be understood. */
  read(body: unknown, row: StoredRow): T | undefined;
}

/** Wraps a value as a row of its kind. */
export function toRow<T>(kind: RowKind<T>, accountId: string, key: string, body: T, slot?: string): StoredRow {
  return { key, scope: accountId, v: kind.version, body, ...(slot === undefined ? {} : { slot }) };
}

/** A change that writes one value of a kind: for edits that span several stores. */
export function putChange<T>(kind: RowKind<T>, accountId: string, key: string, body: T, slot?: string): RowChange {
  return { kind: "put", store: kind.store, row: toRow(kind, accountId, key, body, slot) };
}

/** Every readable value of a kind in a accountId. What cannot be read is put aside, and the rest loads. */
export async function readAll<T>(rows: RowStore, kind: RowKind<T>, accountId: string): Promise<T[]> {
  const values: T[] = [];
  for (const row of await rows.all(kind.store, accountId)) {
    const value = kind.read(row.body, row);
    if (value === undefined) await quarantineRow(rows, kind.store, row);
    else values.push(value);
  }
  return values;
}

export async function readOne<T>(rows: RowStore, kind: RowKind<T>, key: string): Promise<T | undefined> {
  const row = await rows.get(kind.store, key);
  return row && kind.read(row.body, row);
}

/** Writes one value, whatever was there before. */
export async function saveOne<T>(kind: RowKind<T>, accountId: string, key: string, body: T): Promise<void> {
  const rows = await openRows();
  await rows.edit({ store: kind.store, key }, () => ({
    changes: [putChange(kind, accountId, key, body)],
    result: undefined,
  }));
}

export async function removeOne(store: StoreName, key: string): Promise<void> {
  const rows = await openRows();
  await rows.edit({ store, key }, () => ({ changes: [{ kind: "remove", store, key }], result: undefined }));
}
