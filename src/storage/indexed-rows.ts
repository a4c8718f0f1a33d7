import type { DBSchema, IDBPDatabase, IDBPObjectStore } from "idb";
import { STORE_NAMES, type StoreName } from "./keys.ts";
import {
  isLeftAlone,
  isStoredRow,
  keyOf,
  type RowStore,
  SlotTakenError,
  StorageError,
  type StoredRow,
} from "./rows.ts";

type RowsIn<Name extends StoreName> = Record<
  Name,
  { key: string; value: StoredRow; indexes: { scope: string; slot: string } }
>;
export type SafelightSchema = DBSchema & RowsIn<StoreName>;
export type SafelightDatabase = IDBPDatabase<SafelightSchema>;

/**
 * Stores whose rows must be on the disk before a promise resolves: they hold what was sent and charged, and what to
 * watch.
 */
const STRICT = new Set<StoreName>(["outbox", "ledger", "jobs", "settings", "batches"]);

/**
 * Creates the stores that are missing. Additive only: a page one version older must be able to read what this one
 * writes. Throws what IndexedDB throws; the upgrade is then undone.
 */
export function upgrade(database: SafelightDatabase): void {
  for (const name of STORE_NAMES) {
    if (database.objectStoreNames.contains(name)) continue;
    const store = database.createObjectStore(name, { keyPath: "key" });
    store.createIndex("scope", "scope");
    store.createIndex("slot", "slot", { unique: true });
  }
}

function writeError(error: unknown): Error {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "ConstraintError") return new SlotTakenError("slot");
  if (error instanceof StorageError || error instanceof SlotTakenError) return error;
  return new StorageError(name === "QuotaExceededError" ? "full" : "failed", error);
}

type ReadableStore = IDBPObjectStore<SafelightSchema, [StoreName], StoreName, "readonly">;

/** Whether the connection was closed before a request, under it, or while it was opened. */
export function isClosedError(error: unknown): boolean {
  const { name } = error instanceof Error || error instanceof DOMException ? error : { name: "" };
  return name === "InvalidStateError" || name === "AbortError";
}

/**
 * Rows in IndexedDB. `current` gives the open database, and opens it again where the browser closed it; what it rejects
 * with, every call rejects with. `onClosed` hears of a database that turned out to be closed, which the browser does not
 * always report to a page that was frozen.
 */
export function createIndexedRows(
  current: () => Promise<SafelightDatabase>,
  onClosed: (database: SafelightDatabase) => void,
): RowStore {
  async function withOpen<T>(act: (database: SafelightDatabase) => T): Promise<Awaited<T>> {
    const database = await current();
    try {
      return await act(database);
    } catch (error) {
      if (!isClosedError(error)) throw error;
      onClosed(database);
      return await act(await current());
    }
  }
  function read<T>(store: StoreName, act: (rows: ReadableStore) => Promise<T>): Promise<T> {
    return withOpen((database) => {
      const transaction = database.transaction(store);
      // Its requests reject, too; nobody else waits for its end.
      transaction.done.catch(() => {});
      return act(transaction.store);
    });
  }
  return {
    get: async (store, key) => {
      const raw: unknown = await read(store, (rows) => rows.get(key));
      return isStoredRow(raw) ? raw : undefined;
    },
    all: async (store, accountId) => {
      const raws: unknown[] = await read(store, (rows) =>
        accountId === undefined ? rows.getAll() : rows.index("scope").getAll(accountId),
      );
      return raws.filter(isStoredRow);
    },
    edit: async (target, decide) => {
      const reads = target.reads ?? [];
      const names = [...new Set([target.store, ...(target.also ?? []), ...reads.map(({ store }) => store)])];
      const durability = names.some((name) => STRICT.has(name)) ? "strict" : "relaxed";
      const transaction = await withOpen((database) => database.transaction(names, "readwrite", { durability }));
      const done = transaction.done.catch((error: unknown) => {
        throw writeError(transaction.error ?? error);
      });
      // Each row is read once: what is decided about may be large.
      const found = new Map<string, Promise<StoredRow | undefined>>();
      const read = (store: StoreName, key: string) => {
        const name = `${store}|${key}`;
        const reading =
          found.get(name) ??
          transaction
            .objectStore(store)
            .get(key)
            .then((raw: unknown) => (isStoredRow(raw) ? raw : undefined));
        found.set(name, reading);
        return reading;
      };
      try {
        const [row, ...others] = await Promise.all([target, ...reads].map(({ store, key }) => read(store, key)));
        const { changes: wanted, result } = decide(row, others);
        const stored = await Promise.all(wanted.map((change) => read(change.store, keyOf(change))));
        const changes = wanted.filter((change, place) => !isLeftAlone(stored[place], change));
        const writes = changes.map((change) =>
          change.kind === "put"
            ? transaction.objectStore(change.store).put(change.row)
            : transaction.objectStore(change.store).delete(change.key),
        );
        await Promise.all([...writes, done]);
        return result;
      } catch (error) {
        done.catch(() => {});
        try {
          transaction.abort();
        } catch {
          // Already finished or aborted: nothing was written.
        }
        throw writeError(error);
      }
    },
  };
}
