import { onChange } from "./changes.ts";
import { openRows } from "./database.ts";
import type { StoreName } from "./keys.ts";
import { type RowKind, readAll, readOne } from "./typed-rows.ts";

/** What is shown of a store's rows of one account. Fits `useSyncExternalStore`; nothing here throws or rejects. */
interface LiveRows<Shown> {
  snapshot(): Shown;
  /** Whether the rows were read, or could not be: until then the snapshot is that of no rows. */
  isRead(): boolean;
  subscribe(listener: () => void): () => void;
}

/**
 * Live rows of one kind: read with the first subscriber, and again whenever any tab wrote one. One instance per account,
 * shared by all who ask. `shape` makes of the unordered values what is shown.
 */
export function liveRowsOf<T, Shown>(
  kind: RowKind<T>,
  shape: (values: T[]) => Shown,
): (accountId: string) => LiveRows<Shown> {
  return perAccount((accountId) =>
    createLive(kind.store, shape([]), async () => shape(await readAll(await openRows(), kind, accountId))),
  );
}

/** The same for one row of each account, found by its key; `none` where there is none. */
export function liveRowOf<T>(
  kind: RowKind<T>,
  keyOf: (accountId: string) => string,
  none: T,
): (accountId: string) => LiveRows<T> {
  return perAccount((accountId) =>
    createLive(kind.store, none, async (shown) => {
      const row = (await readOne(await openRows(), kind, keyOf(accountId))) ?? none;
      // Other rows of its store change often.
      return JSON.stringify(row) === JSON.stringify(shown) ? shown : row;
    }),
  );
}

function perAccount<Shown>(create: (accountId: string) => LiveRows<Shown>): (accountId: string) => LiveRows<Shown> {
  const stores = new Map<string, LiveRows<Shown>>();
  return (accountId) => {
    const known = stores.get(accountId) ?? create(accountId);
    stores.set(accountId, known);
    return known;
  };
}

function createLive<Shown>(
  store: StoreName,
  none: Shown,
  readShown: (shown: Shown) => Promise<Shown>,
): LiveRows<Shown> {
  let shown = none;
  let isRead = false;
  let reading = false;
  let again = false;
  let stop: (() => void) | undefined;
  const listeners = new Set<() => void>();

  async function read(): Promise<void> {
    again = reading;
    if (reading) return;
    reading = true;
    try {
      shown = await readShown(shown);
    } catch {
      // The rows cannot be read just now. What is known stays; the next change tries again.
    } finally {
      reading = false;
      isRead = true;
    }
    for (const listener of listeners) listener();
    if (again) await read();
  }
  return {
    snapshot: () => shown,
    isRead: () => isRead,
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) {
        stop = onChange(store, () => void read());
        void read();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop?.();
      };
    },
  };
}
