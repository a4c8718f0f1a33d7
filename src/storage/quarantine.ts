import type { RowStore, StoredRow, StoreName } from "./row.ts";
import { useStorageState } from "./storage-state.ts";

/** Moves a row nobody can read out of the way, whole, so that it can be exported and the rest can load. */
export async function quarantineRow(rows: RowStore, store: StoreName, row: StoredRow): Promise<void> {
  const aside: StoredRow = { key: `${store}|${row.key}`, scope: row.scope, v: 1, body: { store, row } };
  try {
    await rows.edit({ store, key: row.key, also: ["quarantine"] }, () => ({
      changes: [
        { kind: "put", store: "quarantine", row: aside },
        { kind: "remove", store, key: row.key },
      ],
      result: undefined,
    }));
  } catch {
    // A store that cannot be written keeps the row where it is; it is skipped all the same.
  }
  useStorageState.setState((state) => ({ quarantined: state.quarantined + 1 }));
}
