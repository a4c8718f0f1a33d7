import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { type RowKind, readAll } from "#storage/typed-rows.ts";

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
  const stores = new Map<string, LiveRows<Shown>>();
  return (accountId) => {
    const known = stores.get(accountId) ?? createLiveRows(kind, shape, accountId);
    stores.set(accountId, known);
    return known;
  };
}

function createLiveRows<T, Shown>(kind: RowKind<T>, shape: (values: T[]) => Shown, accountId: string): LiveRows<Shown> {
  let shown = shape([]);
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
      shown = shape(await readAll(await openRows(), kind, accountId));
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
        stop = onChange(kind.store, () => void read());
        void read();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop?.();
      };
    },
  };
}
