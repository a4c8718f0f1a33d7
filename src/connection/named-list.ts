import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { isRecord } from "#lib/read.ts";
import { oneLine } from "#lib/visible-text.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, refuseNewer } from "#storage/typed-rows.ts";
import { useConnection } from "./connection-store.ts";
import { redactOwnKey } from "./find-key.ts";
import { storedRowQuery } from "./stored-rows.ts";

/** Something that a person saved under a name, one line. */
export interface Named {
  name: string;
}

/** What such things are: presets, recipes, snippets. A list of them is one row, exported and deleted with the account's others. */
export interface NamedKind<T extends Named> extends RowKind<readonly T[]> {
  /** Begins the key of the row. */
  row: string;
  /** What the list has until the person first changes it, as untrusted as the body of a row. */
  beforeFirstChange?: (part: string) => unknown;
  read(body: unknown): readonly T[] | undefined;
}

/** `read` makes an entry of untrusted data without its name; undefined where it is none. `write`: see `RowKind`. */
export function namedKind<T extends Named>(
  row: string,
  read: (raw: Record<string, unknown>, name: string) => T | undefined,
  rest: Pick<NamedKind<T>, "write" | "beforeFirstChange"> = {},
): NamedKind<T> {
  const readOne = (raw: unknown) => {
    const item = isRecord(raw) && typeof raw.name === "string" && raw.name !== "" ? read(raw, raw.name) : undefined;
    return item ?? [];
  };
  return {
    ...rest,
    row,
    store: "settings",
    version: 1,
    read: (body) => (Array.isArray(body) ? body.flatMap(readOne) : undefined),
  };
}

const MAX_NAME_LENGTH = 120;
const asName = (text: string) => oneLine(text, MAX_NAME_LENGTH);

/** The key of a list's row. An account may have several of a kind, such as one for each model: `part` names it. */
const rowKey = ({ row }: { row: string }, accountId: string, part: string) =>
  part === "" ? `${row}|${accountId}` : `${row}|${accountId}|${part}`;

/** A list of the current account, by name and live over all tabs, and what can be done with it. */
export interface NamedList<T extends Named> extends NamedListActs<T> {
  items: readonly T[];
  /** Until then it is empty, which does not mean that nothing was saved. */
  isRead: boolean;
}

/** See `NamedListActs`. `part`: which list of the account, where it has several of this kind. */
export function useNamedList<T extends Named>(kind: NamedKind<T>, part = ""): NamedList<T> {
  const accountId = useConnection()?.accountId ?? "";
  const { data, isFetched } = useQuery(storedRowQuery(kind, rowKey(kind, accountId, part)));
  return useMemo(() => {
    const items = data ?? (isFetched ? kind.read(kind.beforeFirstChange?.(part)) : undefined) ?? [];
    return { items, isRead: isFetched, ...namedListActs(kind, accountId, part) };
  }, [kind, accountId, part, data, isFetched]);
}

/**
 * What can be done with a list. Names are unique in it. Each act is one transaction over all tabs, and rejects with a
 * `StorageError` where nothing was written. The connected key is struck out of what is stored (K1).
 */
export interface NamedListActs<T extends Named> {
  /** One of the same name is replaced. */
  save(item: T): Promise<void>;
  /** In the place of one that had the name. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** See `NamedListActs`. */
export function namedListActs<T extends Named>(kind: NamedKind<T>, accountId: string, part = ""): NamedListActs<T> {
  const key = rowKey(kind, accountId, part);
  async function change(next: (items: readonly T[]) => readonly T[]): Promise<void> {
    await (await openRows()).edit({ store: kind.store, key }, (row) => {
      refuseNewer(kind, row);
      const before = kind.read(row ? row.body : kind.beforeFirstChange?.(part)) ?? [];
      const items = next(before).toSorted((a, b) => a.name.localeCompare(b.name));
      return { changes: [putChange(kind, accountId, key, items)], result: undefined };
    });
  }
  return {
    save: (item) => {
      const named = redactOwnKey({ ...item, name: asName(item.name) });
      return change((items) => [...items.filter(({ name }) => name !== named.name), named]);
    },
    rename: (from, to) => {
      const name = redactOwnKey(asName(to));
      return change((items) =>
        items
          .filter((item) => item.name === from || item.name !== name)
          .map((item) => (item.name === from ? { ...item, name } : item)),
      );
    },
    remove: (name) => change((items) => items.filter((item) => item.name !== name)),
  };
}

/**
 * The entries of every list of a kind that an account has, each with the part that names its list. Rejects where the database
 * cannot be read.
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
    return (kind.read(row.body) ?? []).map((item) => ({ item, part }));
  });
}
