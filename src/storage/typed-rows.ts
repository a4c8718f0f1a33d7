import { sameJson } from "#lib/read.ts";
import { openRows } from "./database.ts";
import type { StoreName } from "./keys.ts";
import { type RowChange, type RowStore, StorageError, type StoredRow } from "./rows.ts";
import { noteNewerRows, useStorageState } from "./storage-state.ts";

export interface RowKind<T> {
  store: StoreName;
  /** Version written. Rows of an older version go through the same reader. */
  version: number;
  /** Untrusted in, typed out; undefined where it cannot be understood. */
  read(body: unknown, row: StoredRow): T | undefined;
  /**
   * Rows that cannot be read stay where they are, with their slot: they are about money, and a newer version may know
   * what they mean. Rows of other kinds are set aside.
   */
  isMoney?: true;
  /** What is stored for a value, where that is not the value itself: spellings that an older version still reads. */
  write?(value: T): unknown;
}

/** Wraps a value as a row of its kind. */
function toRow<T>(kind: RowKind<T>, accountId: string, key: string, value: T, slot?: string): StoredRow {
  const body = kind.write ? kind.write(value) : value;
  return { key, scope: accountId, v: kind.version, body, ...(slot === undefined ? {} : { slot }) };
}

/**
 * A change that writes one value of a kind, for edits that span several stores. Writes nothing by itself.
 */
export function putChange<T>(kind: RowKind<T>, accountId: string, key: string, body: T, slot?: string): RowChange {
  return { kind: "put", store: kind.store, row: toRow(kind, accountId, key, body, slot) };
}

/** Whether a newer version of Safelight wrote a row. This code does not know what it means. */
export function isNewer<T>(kind: RowKind<T>, row: StoredRow | undefined): boolean {
  return row !== undefined && row.v > kind.version;
}

/** For deciders that would lose what a newer version wrote: throws `StorageError` with the trouble `newer`. */
export function refuseNewer<T>(kind: RowKind<T>, row: StoredRow | undefined): void {
  if (isNewer(kind, row)) throw new StorageError("newer");
}

/** The rows of a kind that an account has. */
export interface ReadRows<T> {
  /** The values by key, in the order of the keys; those of newer rows included where this version understands them. */
  values: ReadonlyMap<string, T>;
  /** The keys of the rows that a newer version wrote, and of those of money that cannot be read. */
  leftAlone: ReadonlySet<string>;
}

/**
 * Reads every row of a kind that an account has. With `before`, an earlier reading, only the rows of the keys in `changed`
 * are read again. An equal value stays the same object, and so does the earlier reading where nothing changed. What cannot
 * be read is moved to `quarantine`, except rows of money and of a newer version: those stay, and the storage state counts
 * them. Rejects where the database cannot be read.
 */
export async function readRows<T>(
  rows: RowStore,
  kind: RowKind<T>,
  accountId: string,
  before?: { rows: ReadRows<T>; changed: readonly string[] },
): Promise<ReadRows<T>> {
  const values = new Map(before?.rows.values);
  const leftAlone = new Set(before?.rows.leftAlone);
  let isChanged = before === undefined;
  let isAdded = false;
  const unreadable: StoredRow[] = [];
  /** `row`: undefined where it is not there, or not the account's. */
  const take = (key: string, row: StoredRow | undefined) => {
    const value = row && kind.read(row.body, row);
    const isLeftAlone = isNewer(kind, row) || (row !== undefined && value === undefined && kind.isMoney === true);
    if (row && value === undefined && !isLeftAlone) unreadable.push(row);
    const known = values.get(key);
    if (sameJson(value, known) && isLeftAlone === leftAlone.has(key)) return;
    isChanged = true;
    isAdded ||= known === undefined;
    if (value === undefined) values.delete(key);
    else values.set(key, value);
    if (isLeftAlone) leftAlone.add(key);
    else leftAlone.delete(key);
  };
  if (before === undefined) for (const row of await rows.all(kind.store, accountId)) take(row.key, row);
  else {
    const found = await Promise.all(before.changed.map((key) => rows.get(kind.store, key)));
    for (const [place, key] of before.changed.entries()) {
      const row = found[place];
      take(key, row?.scope === accountId ? row : undefined);
    }
  }
  for (const row of unreadable) await quarantineRow(rows, kind.store, row);
  noteNewerRows(`${kind.store}|${accountId}`, leftAlone.size);
  if (before && !isChanged) return before.rows;
  return { values: isAdded ? new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1))) : values, leftAlone };
}

/** Every readable value of a kind that an account has, in the order of their keys, as `readRows` reads them. */
export async function readAll<T>(rows: RowStore, kind: RowKind<T>, accountId: string): Promise<T[]> {
  return [...(await readRows(rows, kind, accountId)).values.values()];
}

/** One value; undefined where there is none, or none that can be read. Rejects where the database cannot be read. */
export async function readOne<T>(rows: RowStore, kind: RowKind<T>, key: string): Promise<T | undefined> {
  const row = await rows.get(kind.store, key);
  // The other stores are counted where all of their rows are read.
  if (kind.store === "settings") noteNewerRows(`settings#${key}`, isNewer(kind, row) ? 1 : 0);
  return row && kind.read(row.body, row);
}

/**
 * Writes one value over whatever was there before. Rejects with `StorageError` where it was not written: with the trouble
 * `newer` where a newer version wrote what is there.
 */
export async function saveOne<T>(kind: RowKind<T>, accountId: string, key: string, body: T): Promise<void> {
  const rows = await openRows();
  await rows.edit({ store: kind.store, key }, (row) => {
    refuseNewer(kind, row);
    return { changes: [putChange(kind, accountId, key, body)], result: undefined };
  });
}

/**
 * Deletes the row of one value, if there is one. Rejects with `StorageError` where it was not deleted: with the trouble
 * `newer` where a newer version wrote it.
 */
export async function removeOne<T>(kind: RowKind<T>, key: string): Promise<void> {
  const { store } = kind;
  const rows = await openRows();
  await rows.edit({ store, key }, (row) => {
    refuseNewer(kind, row);
    return { changes: [{ kind: "remove", store, key }], result: undefined };
  });
}

/** Moves a row that cannot be read into `quarantine` unchanged, so that it can be exported and the rest can load. */
async function quarantineRow(rows: RowStore, store: StoreName, row: StoredRow): Promise<void> {
  const quarantinedRow: StoredRow = { key: `${store}|${row.key}`, scope: row.scope, v: 1, body: { store, row } };
  try {
    const isMoved = await rows.edit<boolean>({ store, key: row.key, also: ["quarantine"] }, (latest) => {
      // Another tab may have written it anew meanwhile.
      if (!sameJson(latest, row)) return { changes: [], result: false };
      const changes: RowChange[] = [
        { kind: "put", store: "quarantine", row: quarantinedRow },
        { kind: "remove", store, key: row.key },
      ];
      return { changes, result: true };
    });
    if (isMoved) useStorageState.setState((state) => ({ quarantined: state.quarantined + 1 }));
  } catch {
    // Where the store cannot be written, the row stays where it is; it is skipped all the same.
  }
}
