import "fake-indexeddb/auto";
import { forceCloseDatabase } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { onChange } from "#storage/changes.ts";
import { onDatabaseLost, openRows, reopenRows } from "#storage/database.ts";
import { DATABASE_NAME, DATABASE_VERSION, IDENTITY_KEY, STORE_NAMES } from "#storage/keys.ts";
import type { RowStore, StoredRow } from "#storage/rows.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { until } from "../setup/until.ts";
import { freshDatabase } from "./fresh-database.ts";

const opened: IDBDatabase[] = [];
let stop = () => {};
let losses = 0;
beforeEach(() => {
  freshDatabase();
  opened.length = 0;
  losses = 0;
  stop = onDatabaseLost(() => {
    losses += 1;
  });
  const open = indexedDB.open.bind(indexedDB);
  vi.spyOn(indexedDB, "open").mockImplementation((name, version) => {
    const request = open(name, version);
    request.addEventListener("success", () => opened.push(request.result));
    return request;
  });
});
afterEach(() => {
  stop();
  reopenRows();
});

const row = (key: string): StoredRow => ({ key, scope: "a", v: 1, body: {} });
const put = (rows: RowStore, key: string) =>
  rows.edit({ store: "outbox", key }, () => ({
    changes: [{ kind: "put", store: "outbox", row: row(key) }],
    result: undefined,
  }));
const reported = () => useStorageState.getState().losses;
const settled = () => until(() => expect(losses).toBe(1));

function deleteDatabase(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(DATABASE_NAME);
    request.onsuccess = resolve;
    request.onerror = reject;
  });
}

// P16.
describe("a database that vanishes under the page", () => {
  test("deleted: is reported, and can be written again from memory", async () => {
    const rows = await openRows();
    await put(rows, "1");
    let changes = 0;
    const stopListening = onChange("ledger", () => {
      changes += 1;
    });
    const stopRestoring = onDatabaseLost(() => void put(rows, "1"));
    await deleteDatabase();
    await until(() => expect(reported()).toBe(1));
    await until(async () => expect(await rows.get("outbox", "1")).toEqual(row("1")));
    expect(losses).toBe(1);
    expect(changes).toBe(1);
    expect(useStorageState.getState().kind).toBe("durable");
    stopListening();
    stopRestoring();
  });

  test("cleared by the browser: is reported", async () => {
    await put(await openRows(), "1");
    const [first] = opened;
    // The browser's own deletion asks nobody: it closes the connections.
    forceCloseDatabase(first as never);
    await deleteDatabase();
    await until(() => expect(reported()).toBe(1));
    expect(losses).toBe(1);
  });

  test("while it is opened again: is opened once more", async () => {
    const rows = await openRows();
    await put(rows, "1");
    vi.mocked(indexedDB.open).mockImplementationOnce(() => {
      throw new DOMException("The connection was closed.", "AbortError");
    });
    forceCloseDatabase(opened[0] as never);
    await put(rows, "2");
    expect(await rows.all("outbox")).toHaveLength(2);
    expect(useStorageState.getState().kind).toBe("durable");
  });

  test("made again by another tab before this one looks: is reported", async () => {
    const rows = await openRows();
    await put(rows, "1");
    forceCloseDatabase(opened[0] as never);
    await deleteDatabase();
    await makeEmpty();
    await until(() => expect(reported()).toBe(1));
    expect(await rows.all("outbox")).toEqual([]);
  });

  test("closed and whole: is opened again, and nothing is reported", async () => {
    const rows = await openRows();
    await put(rows, "1");
    forceCloseDatabase(opened[0] as never);
    await settled();
    expect(await rows.get("outbox", "1")).toEqual(row("1"));
    await until(() => expect(opened).toHaveLength(2));
    // Behind the look at whose database it is.
    await rows.get("settings", IDENTITY_KEY);
    await rows.get("settings", IDENTITY_KEY);
    expect(reported()).toBe(0);
  });

  test("closed while the page was frozen: the next call opens it again", async () => {
    const rows = await openRows();
    await put(rows, "1");
    // A frozen page gets no event.
    opened[0]?.close();
    expect(await rows.get("outbox", "1")).toEqual(row("1"));
    await put(rows, "2");
    expect(await rows.all("outbox")).toHaveLength(2);
    await settled();
    await rows.get("settings", IDENTITY_KEY);
    await rows.get("settings", IDENTITY_KEY);
    expect(reported()).toBe(0);
  });

  test("taken over by a newer studio: nothing is reported as lost", async () => {
    await put(await openRows(), "1");
    await new Promise<void>((resolve) => {
      const request = indexedDB.open(DATABASE_NAME, DATABASE_VERSION + 1);
      request.onsuccess = () => resolve(request.result.close());
    });
    await settled();
    expect(useStorageState.getState().kind).toBe("replaced");
    expect(reported()).toBe(0);
  });
});

/** What another tab of this version makes when it opens a database that is gone. */
function makeEmpty(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, DATABASE_VERSION);
    request.onupgradeneeded = () => {
      for (const name of STORE_NAMES) {
        const store = request.result.createObjectStore(name, { keyPath: "key" });
        store.createIndex("scope", "scope");
        store.createIndex("slot", "slot", { unique: true });
      }
    };
    request.onsuccess = () => resolve(request.result.close());
    request.onerror = () => reject(request.error);
  });
}
