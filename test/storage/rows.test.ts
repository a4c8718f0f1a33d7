import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openRows, reopenRows } from "#storage/database.ts";
import { DATABASE_NAME } from "#storage/keys.ts";
import { createMemoryRows, type RowStore, SlotTakenError, type StoredRow } from "#storage/rows.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { freshDatabase } from "./fresh-database.ts";

const row = (key: string, more: Partial<StoredRow> = {}): StoredRow => ({
  key,
  scope: "a",
  v: 1,
  body: { key },
  ...more,
});

const put = (rows: RowStore, value: StoredRow) =>
  rows.edit({ store: "outbox", key: value.key }, () => ({
    changes: [{ kind: "put", store: "outbox", row: value }],
    result: undefined,
  }));

beforeEach(freshDatabase);
afterEach(reopenRows);

const kinds: [string, () => Promise<RowStore>][] = [
  ["IndexedDB", openRows],
  ["memory", async () => createMemoryRows()],
];

describe.each(kinds)("rows in %s", (_name, open) => {
  test("a row is read back, and only by its own accountId", async () => {
    const rows = await open();
    await put(rows, row("1"));
    await put(rows, row("2", { scope: "b" }));
    expect(await rows.get("outbox", "1")).toEqual(row("1"));
    expect((await rows.all("outbox", "b")).map(({ key }) => key)).toEqual(["2"]);
    expect(await rows.all("outbox")).toHaveLength(2);
  });

  test("a second row for a taken slot is refused and changes nothing", async () => {
    const rows = await open();
    await put(rows, row("1", { slot: "model" }));
    await expect(put(rows, row("2", { slot: "model" }))).rejects.toBeInstanceOf(SlotTakenError);
    expect(await rows.get("outbox", "2")).toBeUndefined();
    await put(rows, row("1"));
    await put(rows, row("2", { slot: "model" }));
    expect((await rows.get("outbox", "2"))?.slot).toBe("model");
  });

  test("an edit whose function throws writes nothing", async () => {
    const rows = await open();
    const edit = rows.edit({ store: "outbox", key: "1", also: ["ledger"] }, () => {
      throw new Error("no");
    });
    await expect(edit).rejects.toThrow();
    expect(await rows.all("outbox")).toEqual([]);
  });

  test("changes to several stores are made together", async () => {
    const rows = await open();
    await put(rows, row("1", { slot: "model" }));
    const edit = rows.edit({ store: "outbox", key: "9", also: ["ledger"] }, () => ({
      changes: [
        { kind: "put", store: "ledger", row: row("line") },
        { kind: "put", store: "outbox", row: row("9", { slot: "model" }) },
      ],
      result: undefined,
    }));
    await expect(edit).rejects.toBeInstanceOf(SlotTakenError);
    expect(await rows.all("ledger")).toEqual([]);
  });
});

// P18.
test("a database newer than this page is read whole and not written", async () => {
  const rows = await openRows();
  await put(rows, row("1"));
  await raiseVersion();
  reopenRows();
  const older = await openRows();
  expect(useStorageState.getState().kind).toBe("newer");
  expect(await older.get("outbox", "1")).toEqual(row("1"));
  await expect(put(older, row("2"))).rejects.toMatchObject({ trouble: "read-only" });
  // A page that only reads stands in nobody's way.
  await raiseVersion(100);
  expect(useStorageState.getState().kind).toBe("replaced");
});

// P20.
test("without IndexedDB the rows live in memory and the state says so", async () => {
  const real = globalThis.indexedDB;
  Object.defineProperty(globalThis, "indexedDB", {
    configurable: true,
    get() {
      throw new DOMException("denied", "SecurityError");
    },
  });
  try {
    const rows = await openRows();
    await put(rows, row("1"));
    expect(await rows.get("outbox", "1")).toEqual(row("1"));
    expect(useStorageState.getState().kind).toBe("memory");
  } finally {
    Object.defineProperty(globalThis, "indexedDB", { configurable: true, writable: true, value: real });
  }
});

/** A newer studio upgraded the database while this page was away. */
function raiseVersion(version = 99): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, version);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  });
}
