import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  MAX_NAME_LENGTH,
  type Named,
  type NamedList,
  withoutNamed,
  withRenamed,
  withRestored,
  withSaved,
} from "#lib/named-list.ts";
import { isRecord } from "#lib/read.ts";
import { oneLine } from "#lib/visible-text.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, refuseNewer } from "#storage/typed-rows.ts";
import { useConnection } from "./connection-store.ts";
import { redactOwnKey } from "./find-key.ts";
import { storedRowQuery } from "./stored-rows.ts";

/** A kind of named items, such as presets. A list of them is one row, exported and deleted with the account's rows. */
export interface NamedKind<T extends Named> extends RowKind<readonly T[]> {
  /** The first part of the row's key. */
  row: string;
  order: (a: T, b: T) => number;
}

/**
 * `read` parses a stored item, given its name; undefined where it is no item. The list is ordered by name unless
 * `order` says otherwise. `write`: see `RowKind`.
 */
export function namedKind<T extends Named>(
  row: string,
  read: (raw: Record<string, unknown>, name: string) => T | undefined,
  { order = byName, write }: Partial<Pick<NamedKind<T>, "order" | "write">> = {},
): NamedKind<T> {
  const readItem = (raw: unknown) => {
    const item = isRecord(raw) && typeof raw.name === "string" && raw.name !== "" ? read(raw, raw.name) : undefined;
    return item ?? [];
  };
  return {
    row,
    order,
    store: "settings",
    version: 1,
    read: (body) => (Array.isArray(body) ? body.flatMap(readItem) : undefined),
    ...(write ? { write } : {}),
  };
}

const byName = (a: Named, b: Named) => a.name.localeCompare(b.name);

/** The key of a list's row. An account may have several lists of a kind: `part` says which, such as a model's ID. */
const rowKey = ({ row }: { row: string }, accountId: string, part: string) =>
  part === "" ? `${row}|${accountId}` : `${row}|${accountId}|${part}`;

/**
 * A list of the current account, live over all tabs. `part`: which one, where the account has several of this kind. Its
 * actions reject with a `StorageError`.
 */
export function useNamedList<T extends Named>(kind: NamedKind<T>, part = ""): NamedList<T> {
  const accountId = useConnection()?.accountId ?? "";
  const { data: items, isSuccess, isError } = useQuery(storedRowQuery(kind, rowKey(kind, accountId, part)));
  return useMemo(
    () => ({
      items: items ?? [],
      // If a later read fails, the items of the earlier one are still shown.
      isRead: isSuccess || items !== undefined,
      hasFailed: isError && items === undefined,
      ...namedListActs(kind, accountId, part),
    }),
    [kind, accountId, part, items, isSuccess, isError],
  );
}

/** The actions of an account's list, for code outside React. Each is one transaction over all tabs. */
export function namedListActs<T extends Named>(kind: NamedKind<T>, accountId: string, part = ""): NamedListActs<T> {
  const key = rowKey(kind, accountId, part);
  return createActs(async (change) =>
    (await openRows()).edit({ store: kind.store, key }, (row) => {
      refuseNewer(kind, row);
      const items = (row && kind.read(row.body, row)) ?? [];
      const changed = change(items);
      const changes = [putChange(kind, accountId, key, changed.toSorted(kind.order))];
      return { changes: changed === items ? [] : changes, result: changed };
    }),
  );
}

type NamedListActs<T extends Named> = Pick<NamedList<T>, "save" | "restore" | "rename" | "remove">;

/**
 * The actions of a list. `edit` applies its argument to the stored items, stores the result and resolves to it. The API
 * key is redacted from what is saved.
 */
export function createActs<T extends Named>(
  edit: (change: (items: readonly T[]) => readonly T[]) => Promise<readonly T[]>,
): NamedListActs<T> {
  return {
    save: async (item) => {
      const stored = redactOwnKey({ ...item, name: oneLine(item.name, MAX_NAME_LENGTH) });
      await edit((items) => withSaved(items, stored));
      return stored;
    },
    restore: async (item) => {
      const [restored = item] = await edit((items) => withRestored(items, item));
      return restored;
    },
    rename: async (from, to) => {
      const name = redactOwnKey(oneLine(to, MAX_NAME_LENGTH));
      await edit((items) => withRenamed(items, from, name));
      return name;
    },
    remove: async (name) => {
      await edit((items) => withoutNamed(items, name));
    },
  };
}

/**
 * The items of every list of a kind that an account has, each with the part that names its list. Rejects where the
 * database cannot be read.
 */
export async function allNamed<T extends Named>(
  kind: NamedKind<T>,
  accountId: string,
): Promise<readonly { item: T; part: string }[]> {
  const rows = await (await openRows()).all(kind.store, accountId);
  const start = rowKey(kind, accountId, "");
  return rows.flatMap((row) => {
    if (row.key !== start && !row.key.startsWith(`${start}|`)) return [];
    const part = row.key.slice(start.length + 1);
    return (kind.read(row.body, row) ?? []).map((item) => ({ item, part }));
  });
}
