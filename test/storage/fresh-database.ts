import { IDBFactory } from "fake-indexeddb";
import { reopenRows } from "#storage/database.ts";

/** An empty browser: no database, nothing opened. */
export function freshDatabase(): void {
  globalThis.indexedDB = new IDBFactory();
  reopenRows();
}
