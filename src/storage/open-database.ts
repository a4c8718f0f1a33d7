import { openDB } from "idb";
import { abortableDelay } from "#lib/delay.ts";
import { randomId } from "#lib/random-id.ts";
import { isClosedError, type SafelightDatabase, type SafelightSchema, upgrade } from "./indexed-rows.ts";
import { DATABASE_NAME, DATABASE_VERSION, IDENTITY_KEY } from "./keys.ts";
import { setStorageKind } from "./storage-state.ts";

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

const REOPEN_AFTER_MS = [50, 200, 1_000];

/**
 * Opens the database of this version, and makes it where there is none. `onClosed` hears that the browser has closed it
 * under this page. Rejects with what IndexedDB says: a `VersionError` where a newer studio made it.
 */
export async function openDatabase(onClosed: () => void): Promise<SafelightDatabase> {
  for (const waitMs of REOPEN_AFTER_MS) {
    try {
      return await openOnce(onClosed);
    } catch (error) {
      // While the browser clears what it holds of a site, it ends the opening of a database, too.
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
export async function identityOf(database: SafelightDatabase): Promise<string | undefined> {
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
