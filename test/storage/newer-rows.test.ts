import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ledgerRows } from "#runs/ledger/ledger.ts";
import { intentRows } from "#runs/submit/outbox.ts";
import { makeRoom, openRows, reopenRows } from "#storage/database.ts";
import { trackedRows } from "#storage/job-records.ts";
import { STORE_NAMES, type StoreName } from "#storage/keys.ts";
import { createMemoryRows, type RowStore, type StoredRow } from "#storage/rows.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { type RowKind, readAll, removeOne, saveOne } from "#storage/typed-rows.ts";
import { wipe } from "#storage/wipe.ts";
import fc from "../setup/fc.ts";
import { makeIntent } from "../setup/make-intent.ts";
import { freshDatabase } from "./fresh-database.ts";

beforeEach(freshDatabase);
afterEach(reopenRows);

const row = (key: string, v: number, more: Partial<StoredRow> = {}): StoredRow => ({
  key,
  scope: "a",
  v,
  body: { of: v },
  ...more,
});
const put = (rows: RowStore, store: StoreName, value: StoredRow) =>
  rows.edit({ store, key: value.key }, () => ({ changes: [{ kind: "put", store, row: value }], result: undefined }));

const kinds: [string, () => Promise<RowStore>][] = [
  ["IndexedDB", openRows],
  ["memory", async () => createMemoryRows()],
];

// M28.
describe.each(kinds)("a row of a newer version in %s", (_name, open) => {
  test("stays as it is, whatever older code writes, and its slot stays taken", async () => {
    const rows = await open();
    await put(rows, "outbox", row("1", 9, { slot: "model" }));
    await rows.edit({ store: "outbox", key: "1", also: ["ledger"] }, () => ({
      changes: [
        { kind: "put", store: "outbox", row: row("1", 1) },
        { kind: "put", store: "ledger", row: row("line", 1) },
      ],
      result: undefined,
    }));
    await rows.edit({ store: "outbox", key: "1" }, () => ({
      changes: [{ kind: "remove", store: "outbox", key: "1" }],
      result: undefined,
    }));
    expect(await rows.get("outbox", "1")).toEqual(row("1", 9, { slot: "model" }));
    expect(await rows.get("ledger", "line")).toEqual(row("line", 1));
    await expect(put(rows, "outbox", row("2", 1, { slot: "model" }))).rejects.toMatchObject({ name: "SlotTakenError" });
  });

  test("is replaced by the version that wrote it", async () => {
    const rows = await open();
    await put(rows, "outbox", row("1", 9));
    await put(rows, "outbox", row("1", 9, { body: "later" }));
    expect((await rows.get("outbox", "1"))?.body).toBe("later");
  });

  test("outlives every edit of older code, in any order", async () => {
    const step = fc.record({ key: fc.constantFrom("1", "2"), isRemoval: fc.boolean(), v: fc.nat(8) });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...STORE_NAMES), fc.array(step, { maxLength: 8 }), async (store, steps) => {
        freshDatabase();
        const rows = await open();
        await put(rows, store, row("1", 9));
        for (const { key, isRemoval, v } of steps) {
          await rows.edit({ store, key }, () => ({
            changes: [isRemoval ? { kind: "remove", store, key } : { kind: "put", store, row: row(key, v) }],
            result: undefined,
          }));
        }
        expect(await rows.get(store, "1")).toEqual(row("1", 9));
      }),
      { numRuns: 40 },
    );
  });

  test("is not dropped to make room", async () => {
    const rows = await open();
    await put(rows, "drafts", row("new", 9));
    await put(rows, "thumbnails", row("new", 9));
    expect(await makeRoom(rows, 0)).toBe(false);
    expect(await rows.all("drafts")).toHaveLength(1);
  });
});

describe("what this page cannot read", () => {
  const unreadable = (key: string, v: number, more: Partial<StoredRow> = {}) => row(key, v, { body: 7, ...more });

  test("stays where it is and is counted when a newer version wrote it", async () => {
    const rows = await openRows();
    await put(rows, "jobs", unreadable("new", 9));
    await put(rows, "jobs", unreadable("old", 1));
    expect(await readAll(rows, trackedRows, "a")).toEqual([]);
    await readAll(rows, trackedRows, "a");
    expect((await rows.all("jobs")).map(({ key }) => key)).toEqual(["new"]);
    expect((await rows.all("quarantine")).map(({ key }) => key)).toEqual(["jobs|old"]);
    expect(useStorageState.getState().newerRows).toBe(1);
    await wipe("a");
    await readAll(rows, trackedRows, "a");
    expect(useStorageState.getState().newerRows).toBe(0);
  });

  test("stays with its slot when it is about money, of any version", async () => {
    const rows = await openRows();
    const unknown = { ...makeIntent({ intentId: "1" }), state: "paused" };
    await put(rows, "outbox", row("1", 1, { body: unknown, slot: "model" }));
    await put(rows, "ledger", unreadable("2", 1));
    expect(await readAll(rows, intentRows, "a")).toEqual([]);
    expect(await readAll(rows, ledgerRows, "a")).toEqual([]);
    expect(await rows.get("outbox", "1")).toEqual(row("1", 1, { body: unknown, slot: "model" }));
    expect(await rows.all("ledger")).toHaveLength(1);
    expect(await rows.all("quarantine")).toEqual([]);
    expect(useStorageState.getState().newerRows).toBe(2);
  });

  test("is given where a newer row can be read, and counted", async () => {
    const rows = await openRows();
    await put(rows, "jobs", row("1", 9, { body: { requestId: "job-1", submittedAtMs: 1 } }));
    expect((await readAll(rows, trackedRows, "a")).map(({ requestId }) => requestId)).toEqual(["job-1"]);
    expect(useStorageState.getState().newerRows).toBe(1);
  });
});

describe("one value", () => {
  const colour: RowKind<string> = { store: "settings", version: 1, read: (raw) => String(raw) };

  test("of a newer version is neither saved over nor deleted, and the caller hears it", async () => {
    const rows = await openRows();
    await put(rows, "settings", row("colour", 9));
    await expect(saveOne(colour, "a", "colour", "red")).rejects.toMatchObject({ trouble: "newer" });
    await expect(removeOne(colour, "colour")).rejects.toMatchObject({ trouble: "newer" });
    expect(await rows.get("settings", "colour")).toEqual(row("colour", 9));
  });
});

test("a wipe deletes rows of every version: it is the person's own act", async () => {
  const rows = await openRows();
  await put(rows, "ledger", row("1", 9));
  expect(await wipe("a")).toBe(1);
  expect(await rows.all("ledger")).toEqual([]);
});
