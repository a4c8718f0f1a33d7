import { isRecord } from "#lib/read.ts";
import { IDENTITY_KEY, STORE_NAMES, type StoreName } from "./keys.ts";
import { isStoredRow, type RowStore, type StoredRow } from "./rows.ts";

const FORMAT = "safelight-rows";
const VERSION = 1;

/**
 * Every row of this browser, or of one account, as one JSON file. The key is in none of the rows, so it is in no export
 * either. Rejects where the database cannot be read.
 */
export async function exportRows(rows: RowStore, accountId?: string): Promise<Blob> {
  const stores: Partial<Record<StoreName, StoredRow[]>> = {};
  for (const name of STORE_NAMES) {
    stores[name] = (await rows.all(name, accountId)).filter(({ key }) => key !== IDENTITY_KEY);
  }
  return new Blob([JSON.stringify({ format: FORMAT, version: VERSION, stores })], { type: "application/json" });
}

interface ImportReport {
  added: number;
  /** Rows that were here already: what is here stays. */
  existing: number;
  /** Entries that are no rows. */
  unreadable: number;
}

/**
 * Imports an export. A row that is here already stays as it is, because it may have moved on since. Rejects with an
 * `Error` or a `SyntaxError` where the file is no export, and with `StorageError` where a row cannot be written; those
 * before it stay.
 */
export async function importRows(rows: RowStore, file: Blob): Promise<ImportReport> {
  const raw: unknown = JSON.parse(await file.text());
  if (!isRecord(raw) || raw.format !== FORMAT || !isRecord(raw.stores))
    throw new Error("This file is no Safelight export.");
  const report: ImportReport = { added: 0, existing: 0, unreadable: 0 };
  for (const store of STORE_NAMES) {
    const entries = raw.stores[store];
    for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
      if (!isStoredRow(entry)) {
        report.unreadable += 1;
        continue;
      }
      // The attempt that held the slot belongs to the browser that wrote it.
      const { slot: _slot, ...row } = entry;
      const isNew = await rows.edit<boolean>({ store, key: row.key }, (current) =>
        current === undefined
          ? { changes: [{ kind: "put", store, row }], result: true }
          : { changes: [], result: false },
      );
      if (isNew) report.added += 1;
      else report.existing += 1;
    }
  }
  return report;
}
