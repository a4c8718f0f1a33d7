import { type RowChange, type RowStore, SlotTakenError, type StoredRow, type StoreName } from "./row.ts";

/** Rows kept for the life of the page only: private windows, blocked storage, tests of the plain core. */
export function createMemoryRows(): RowStore {
  const stores = new Map<StoreName, Map<string, StoredRow>>();
  const of = (name: StoreName) => {
    const rows = stores.get(name) ?? new Map<string, StoredRow>();
    stores.set(name, rows);
    return rows;
  };
  const holdsSlot = (change: RowChange, slot: string) =>
    [...of(change.store).values()].some(
      (row) => row.slot === slot && change.kind === "put" && row.key !== change.row.key,
    );
  const apply = (change: RowChange) => {
    if (change.kind === "remove") of(change.store).delete(change.key);
    else of(change.store).set(change.row.key, structuredClone(change.row));
  };
  return {
    get: async (store, key) => structuredClone(of(store).get(key)),
    all: async (store, accountId) =>
      [...of(store).values()]
        .filter((row) => accountId === undefined || row.scope === accountId)
        .map((row) => structuredClone(row)),
    edit: async (target, decide) => {
      const { changes, result } = decide(
        structuredClone(of(target.store).get(target.key)),
        (target.reads ?? []).map(({ store, key }) => structuredClone(of(store).get(key))),
      );
      for (const change of changes) {
        if (change.kind === "put" && change.row.slot !== undefined && holdsSlot(change, change.row.slot)) {
          throw new SlotTakenError(change.row.slot);
        }
      }
      changes.forEach(apply);
      return result;
    },
  };
}
