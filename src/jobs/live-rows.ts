import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { type RowKind, readAll } from "#storage/typed-rows.ts";

/** Every value of a kind in a accountId, read once and again whenever any tab wrote one. Shaped for `useSyncExternalStore`. */
export interface LiveRows<T> {
  snapshot(): readonly T[];
  subscribe(listener: () => void): () => void;
}

/** Makes the live rows of one kind: one instance per accountId, shared by all who ask. */
export function liveRowsOf<T>(kind: RowKind<T>, compare: (a: T, b: T) => number): (accountId: string) => LiveRows<T> {
  const stores = new Map<string, LiveRows<T>>();
  return (accountId) => {
    const known = stores.get(accountId) ?? createLiveRows(kind, compare, accountId);
    stores.set(accountId, known);
    return known;
  };
}

function createLiveRows<T>(kind: RowKind<T>, compare: (a: T, b: T) => number, accountId: string): LiveRows<T> {
  let values: readonly T[] = [];
  let reading = false;
  let again = false;
  let stop: (() => void) | undefined;
  const listeners = new Set<() => void>();

  async function read(): Promise<void> {
    again = reading;
    if (reading) return;
    reading = true;
    try {
      values = (await readAll(await openRows(), kind, accountId)).sort(compare);
      for (const listener of listeners) listener();
    } catch {
      // The rows cannot be read just now. What is known stays; the next change tries again.
    } finally {
      reading = false;
    }
    if (again) await read();
  }
  return {
    snapshot: () => values,
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
