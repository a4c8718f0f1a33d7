import type { RowStore, StoredRow, StoreName } from "#storage/row.ts";
import { SlotTakenError } from "#storage/row.ts";

/** The rows of a virtual browser: those of the product's memory store, without copies, since ours are never changed. */
export function createSimRows(): RowStore {
  const stores = new Map<StoreName, Map<string, StoredRow>>();
  const of = (name: StoreName) => {
    let rows = stores.get(name);
    if (!rows) {
      rows = new Map();
      stores.set(name, rows);
    }
    return rows;
  };
  return {
    get: async (store, key) => of(store).get(key),
    all: async (store, accountId) => [...of(store).values()].filter((row) => accountId === undefined || row.scope === accountId),
    edit: async (target, decide) => {
      const { changes, result } = decide(
        of(target.store).get(target.key),
        (target.reads ?? []).map(({ store, key }) => of(store).get(key)),
      );
      for (const change of changes) {
        if (change.kind !== "put" || change.row.slot === undefined) continue;
        for (const row of of(change.store).values()) {
          if (row.slot === change.row.slot && row.key !== change.row.key) throw new SlotTakenError(change.row.slot);
        }
      }
      for (const change of changes) {
        if (change.kind === "put") of(change.store).set(change.row.key, change.row);
        else of(change.store).delete(change.key);
      }
      return result;
    },
  };
}
