import { isRecord } from "#lib/json.ts";
import { isStoredRow, type RowStore, STORE_NAMES, type StoredRow, type StoreName } from "./row.ts";

const FORMAT = "safelight-rows";
const VERSION = 1;

/** Everything this browser keeps, as one JSON file. The key is in none of the rows, so it is in no export either. */
export async function exportRows(rows: RowStore, accountId?: string): Promise<Blob> {
  const stores: Partial<Record<StoreName, StoredRow[]>> = {};
  for (const name of STORE_NAMES) stores[name] = await rows.all(name, accountId);
  return new Blob([JSON.stringify({ format: FORMAT, version: VERSION, stores })], { type: "application/json" });
}

export interface ImportReport {
  added: number;
  /** Rows that were here already: what is here stays. */
  kept: number;
  /** Entries that are no rows. */
  unreadable: number;
}

/**
 * Brings an export back in. A row that is here already stays as it is, because it may have moved on since. Throws where
 * the file is no export.
 */
export async function importRows(rows: RowStore, file: Blob): Promise<ImportReport> {
  const raw: unknown = JSON.parse(await file.text());
  if (!isRecord(raw) || raw.format !== FORMAT || !isRecord(raw.stores))
    throw new Error("This file is no Safelight export.");
  const report: ImportReport = { added: 0, kept: 0, unreadable: 0 };
  for (const store of STORE_NAMES) {
    const entries = raw.stores[store];
    for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
      if (!isStoredRow(entry)) {
        report.unreadable += 1;
        continue;
      }
      // A slot is held by an attempt of the browser that wrote it, and none of its pages runs here.
      const { slot: _slot, ...row } = entry;
      const isNew = await rows.edit<boolean>({ store, key: row.key }, (current) =>
        current === undefined
          ? { changes: [{ kind: "put", store, row }], result: true }
          : { changes: [], result: false },
      );
      if (isNew) report.added += 1;
      else report.kept += 1;
    }
  }
  return report;
}

/** Deletes every row of one connection from this browser. What the service holds stays there. */
export async function wipeScope(rows: RowStore, accountId: string): Promise<number> {
  let wiped = 0;
  for (const store of STORE_NAMES) {
    // A connection has scopes of its own below its own one, such as that of its conversations.
    const own = (await rows.all(store)).filter((row) => row.scope === accountId || row.scope.startsWith(`${accountId}|`));
    for (const { key } of own) {
      await rows.edit({ store, key }, () => ({ changes: [{ kind: "remove", store, key }], result: undefined }));
      wiped += 1;
    }
  }
  return wiped;
}
