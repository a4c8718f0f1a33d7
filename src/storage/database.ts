import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from "idb";
import { abortableDelay } from "#lib/delay.ts";
import { randomId } from "#lib/random-id.ts";
import { isRecord } from "#lib/read.ts";
import { announceChanges, type RowChanges } from "./changes.ts";
import { DATABASE_NAME, DATABASE_VERSION, IDENTITY_KEY, ROW_VERSIONS, STORE_NAMES, type StoreName } from "./keys.ts";
import {
  createMemoryRows,
  type Decide,
  type EditTarget,
  getChangeKey,
  isLeftAlone,
  isStoredRow,
  type RowChange,
  type RowStore,
  SlotTakenError,
  StorageError,
  type StoredRow,
} from "./rows.ts";
import { resetStorageState, setStorageKind, useStorageState } from "./storage-state.ts";

let opened: Promise<RowStore> | undefined;

/**
 * Calls back after the database was deleted or closed under this page, so that what is still in memory can be written
 * again where it is not there any more. Returns the way to stop.
 */
export function onDatabaseLost(listener: () => void): () => void {
  return useStorageState.subscribe(({ closures }, before) => {
    if (closures > before.closures) listener();
  });
}

function isVersionError(error: unknown): boolean {
  return error instanceof Error && error.name === "VersionError";
}

/** Data of a newer version opens at its own version. Migrations only add, so it can be read; it is not written. */
async function openNewer(): Promise<RowStore> {
  const database = await openDB<SafelightSchema>(DATABASE_NAME, undefined, {
    // A tab that upgrades or deletes the database must not wait for a page that only reads.
    blocking: (_current, _next, event) => {
      (event.target as IDBDatabase).close();
      setStorageKind("replaced");
    },
  });
  setStorageKind("newer");
  const rows = createIndexedRows(
    async () => database,
    () => {},
  );
  return { ...rows, edit: () => Promise.reject(new StorageError("read-only")) };
}

/**
 * Reopens once when the browser closes the database under us; after that, rows live in memory and the state shows it.
 */
async function openDurable(): Promise<RowStore> {
  let database: Promise<SafelightDatabase> | undefined;
  let live: { database: SafelightDatabase; closed: () => void } | undefined;
  let identity: Promise<string | undefined> | undefined;
  let closures = 0;
  const onLiveClosed = () => {
    closures += 1;
    database = undefined;
    live = undefined;
    const isReplaced = useStorageState.getState().kind === "replaced";
    if (closures > 1 && !isReplaced) {
      opened = Promise.resolve(withAnnouncements(createMemoryRows()));
      setStorageKind("memory");
    }
    // After this page has let go of the database: what is written again waits for it to be opened anew.
    setTimeout(() => {
      useStorageState.setState({ closures: useStorageState.getState().closures + 1 });
      if (!isReplaced) void noteLoss();
    });
  };
  /** A closed database may be whole: the browser's storage process died, say. Only a lost one is reported. */
  const noteLoss = async () => {
    const identityBefore = await identity;
    if (useStorageState.getState().kind !== "memory") {
      identity = current().then(ensureDatabaseIdentity, () => undefined);
      const identityNow = await identity;
      if (identityNow !== undefined && identityNow === identityBefore) return;
    }
    useStorageState.setState(({ losses }) => ({ losses: losses + 1 }));
    announceChanges(Object.fromEntries(STORE_NAMES.map((store) => [store, "all"])));
  };
  const current = () => {
    if (useStorageState.getState().kind === "replaced") return Promise.reject(new StorageError("read-only"));
    if (database === undefined) {
      const connecting = connect();
      database = connecting;
      // What could not be opened is tried again by the next call.
      connecting.catch(() => {
        if (database === connecting) database = undefined;
      });
    }
    return database;
  };
  const connect = async () => {
    // A closing may be reported twice: by a request that failed, and by the browser.
    let isClosed = false;
    const onClosedOnce = () => {
      if (!isClosed) onLiveClosed();
      isClosed = true;
    };
    const fresh = await openDatabase(onClosedOnce);
    if (!isClosed) live = { database: fresh, closed: onClosedOnce };
    return fresh;
  };
  identity = current().then(ensureDatabaseIdentity, () => undefined);
  await current();
  setStorageKind("durable");
  return createIndexedRows(current, (found) => {
    if (found === live?.database) live.closed();
  });
}

/**
 * Writes, and on a full disk again after making room, until no more can be made. Thumbnails go first, records of
 * money never.
 */
async function editWithRoom<T>(rows: RowStore, target: EditTarget, decide: Decide<T>): Promise<T> {
  for (;;) {
    try {
      return await rows.edit(target, decide);
    } catch (error) {
      const isFull = error instanceof StorageError && error.trouble === "full";
      if (!isFull || target.isExpendable || !(await makeRoom(rows, Date.now()))) throw error;
    }
  }
}

/** The keys of the rows that were written or deleted, by store. */
function changedRows(changes: readonly RowChange[]): RowChanges {
  const keys = new Map<StoreName, Set<string>>();
  for (const change of changes) keys.set(change.store, (keys.get(change.store) ?? new Set()).add(getChangeKey(change)));
  return Object.fromEntries([...keys].map(([store, some]) => [store, [...some]]));
}

/** Reports every write to this page and the other tabs, and a full disk to the person. */
function withAnnouncements(rows: RowStore): RowStore {
  const edit: RowStore["edit"] = async (target, decide) => {
    let changes: RowChange[] = [];
    const result = await rows.edit(target, (current, reads) => {
      const decision = decide(current, reads);
      changes = decision.changes;
      return decision;
    });
    announceChanges(changedRows(changes));
    return result;
  };
  return {
    ...rows,
    edit: async (target, decide) => {
      try {
        const result = await editWithRoom({ ...rows, edit }, target, decide);
        if (useStorageState.getState().kind === "full" && !target.isExpendable) setStorageKind("durable");
        return result;
      } catch (error) {
        const isFull = error instanceof StorageError && error.trouble === "full";
        if (isFull && !target.isExpendable) setStorageKind("full");
        throw error;
      }
    },
  };
}

async function open(): Promise<RowStore> {
  try {
    return withAnnouncements(await openDurable());
  } catch (error) {
    if (isVersionError(error)) return openNewer();
    setStorageKind("memory");
    return withAnnouncements(createMemoryRows());
  }
}

/**
 * The rows of this browser, opened at the first call. Never rejects: without IndexedDB they live in memory, and
 * `useStorageState` shows it.
 */
export function openRows(): Promise<RowStore> {
  opened ??= open();
  return opened;
}

/** The rows of this browser, opened when first needed. `edit` rejects with `StorageError` where nothing was written. */
export const browserRows: RowStore = {
  get: async (store, key) => (await openRows()).get(store, key),
  all: async (store, accountId) => (await openRows()).all(store, accountId),
  edit: async (target, decide) => (await openRows()).edit(target, decide),
};

/** Lets the next `openRows` open the database anew. For tests. */
export function reopenRows(): void {
  opened = undefined;
  resetStorageState();
}

const OLD_CHAT_MS = 30 * 86_400_000;
/** How many rows one write drops. */
const DROPPED_AT_ONCE = 200;

/** When a row was last changed, in ms, where it says so. A row that does not is never old. */
function changedAtMs({ body }: StoredRow): number | undefined {
  const at = isRecord(body) ? (body.changedAtMs ?? body.updatedAtMs ?? body.savedAtMs) : undefined;
  return typeof at === "number" ? at : undefined;
}

async function drop(rows: RowStore, store: StoreName, isDropped: (row: StoredRow) => boolean): Promise<number> {
  const dropped = (await rows.all(store)).filter((row) => row.v <= ROW_VERSIONS[store] && isDropped(row));
  // Some at a time: thousands of small images one by one would keep the write that waits for them for long.
  for (let at = 0; at < dropped.length; at += DROPPED_AT_ONCE) {
    const some = dropped.slice(at, at + DROPPED_AT_ONCE);
    const changes = some.map(({ key }) => ({ kind: "remove", store, key }) as const);
    await rows.edit({ store, key: some[0]?.key ?? "" }, () => ({ changes, result: undefined }));
  }
  return dropped.length;
}

/**
 * Frees space when the disk is full, starting with what can be loaded or made again: thumbnails, the list of
 * requests, the index of the history, chats older than 30 days, drafts. The outbox, the ledger and the followed jobs are
 * never dropped. Resolves with whether anything was dropped; a store that cannot be written is skipped.
 */
export async function makeRoom(rows: RowStore, nowMs: number): Promise<boolean> {
  const steps: [StoreName, (row: StoredRow) => boolean][] = [
    ["thumbnails", () => true],
    ["requests", () => true],
    ["seen", () => true],
    ["chats", (row) => nowMs - (changedAtMs(row) ?? nowMs) > OLD_CHAT_MS],
    ["drafts", () => true],
  ];
  for (const [store, isDropped] of steps) {
    if ((await drop(rows, store, isDropped).catch(() => 0)) > 0) return true;
  }
  return false;
}

async function openOnce(onClosed: () => void): Promise<SafelightDatabase> {
  return openDB<SafelightSchema>(DATABASE_NAME, DATABASE_VERSION, {
    upgrade,
    blocked: () => setStorageKind("blocked"),
    blocking: (_current, next, event) => {
      (event.target as IDBDatabase).close();
      // A deletion, by the person or to make room, has no next version. A newer studio has one, and this page must not
      // write.
      if (next !== null) setStorageKind("replaced");
      onClosed();
    },
    terminated: onClosed,
  });
}

/** The waits before each further try to open the database. */
const REOPEN_AFTER_MS = [50, 200, 1_000];

/**
 * Opens the database of this version, and makes it where there is none. `onClosed` hears that the browser has closed it
 * under this page. Rejects with what IndexedDB says: a `VersionError` where a newer version made it.
 */
async function openDatabase(onClosed: () => void): Promise<SafelightDatabase> {
  for (const waitMs of REOPEN_AFTER_MS) {
    try {
      return await openOnce(onClosed);
    } catch (error) {
      // While the browser clears the data of a site, it ends the opening of a database, too.
      if (!isClosedError(error)) throw error;
      await abortableDelay(waitMs);
    }
  }
  return openOnce(onClosed);
}

/**
 * The name that a database got when it was made. Another name means that it was deleted and made anew, perhaps by another
 * tab. Undefined where it cannot be read or written. Never rejects.
 */
async function ensureDatabaseIdentity(database: SafelightDatabase): Promise<string | undefined> {
  try {
    const { store, done } = database.transaction("settings", "readwrite");
    done.catch(() => {});
    const known: unknown = (await store.get(IDENTITY_KEY))?.body;
    const identity = typeof known === "string" ? known : randomId();
    if (identity !== known) await store.put({ key: IDENTITY_KEY, scope: "", v: 1, body: identity });
    await done;
    return identity;
  } catch {
    return undefined;
  }
}

type RowsIn<Name extends StoreName> = Record<
  Name,
  { key: string; value: StoredRow; indexes: { scope: string; slot: string } }
>;
type SafelightSchema = DBSchema & RowsIn<StoreName>;
type SafelightDatabase = IDBPDatabase<SafelightSchema>;

/**
 * Stores whose rows must be on the disk before a promise resolves: they hold what was sent and charged, and the jobs to
 * follow.
 */
const STRICT = new Set<StoreName>(["outbox", "ledger", "jobs", "settings", "batches"]);

/**
 * Creates the stores that are missing. Additive only: a page one version older must be able to read what this one
 * writes. Throws what IndexedDB throws; the upgrade is then undone.
 */
function upgrade(database: SafelightDatabase): void {
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
function isClosedError(error: unknown): boolean {
  const { name } = error instanceof Error || error instanceof DOMException ? error : { name: "" };
  return name === "InvalidStateError" || name === "AbortError";
}

/**
 * Rows in IndexedDB. `current` gives the open database, and opens it again where the browser closed it; what it rejects
 * with, every call rejects with. `onClosed` hears of a database that turned out to be closed, which the browser does not
 * always report to a page that was frozen.
 */
function createIndexedRows(
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
        const stored = await Promise.all(wanted.map((change) => read(change.store, getChangeKey(change))));
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
