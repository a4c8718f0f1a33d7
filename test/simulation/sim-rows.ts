import type { StoreName } from "#storage/keys.ts";
import {
  getChangeKey,
  isLeftAlone,
  type RowChange,
  type RowStore,
  SlotTakenError,
  type StoredRow,
} from "#storage/rows.ts";

/** The database of a virtual browser, as its pages share it. */
export interface SimRows extends RowStore {
  /** A page of another version writes or removes a row. False where the slot is taken. */
  putOutside(store: StoreName, row: StoredRow): boolean;
  removeOutside(store: StoreName, key: string): void;
  /** The browser deletes the database. The pages get an empty one. */
  wipe(): void;
}

/**
 * The rows of a virtual browser: those of the product's memory store, without copies, since ours are never changed.
 * `watch` is told of every change that a page makes.
 */
export function createSimRows(watch: (change: RowChange) => void = () => {}): SimRows {
  const stores = new Map<StoreName, Map<string, StoredRow>>();
  const of = (name: StoreName) => {
    let rows = stores.get(name);
    if (!rows) {
      rows = new Map();
      stores.set(name, rows);
    }
    return rows;
  };
  const holderOf = (store: StoreName, row: StoredRow) => {
    if (row.slot === undefined) return undefined;
    for (const other of of(store).values()) if (other.slot === row.slot && other.key !== row.key) return other;
    return undefined;
  };
  return {
    get: async (store, key) => of(store).get(key),
    all: async (store, accountId) =>
      [...of(store).values()].filter((row) => accountId === undefined || row.scope === accountId),
    edit: async (target, decide) => {
      const { changes: wanted, result } = decide(
        of(target.store).get(target.key),
        (target.reads ?? []).map(({ store, key }) => of(store).get(key)),
      );
      const changes = wanted.filter((change) => !isLeftAlone(of(change.store).get(getChangeKey(change)), change));
      for (const change of changes) {
        if (change.kind === "put" && holderOf(change.store, change.row))
          throw new SlotTakenError(change.row.slot ?? "");
      }
      for (const change of changes) {
        watch(change);
        if (change.kind === "put") of(change.store).set(change.row.key, change.row);
        else of(change.store).delete(change.key);
      }
      return result;
    },
    putOutside: (store, row) => {
      if (holderOf(store, row)) return false;
      of(store).set(row.key, row);
      return true;
    },
    removeOutside: (store, key) => void of(store).delete(key),
    wipe: () => stores.clear(),
  };
}
