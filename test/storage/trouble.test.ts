import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { intentRows } from "#runs/submit/outbox.ts";
import { makeRoom, openRows, reopenRows } from "#storage/database.ts";
import { loadDraft, saveDraft } from "#storage/drafts.ts";
import { exportRows, type ImportCutOffError, importPlaceRows, importRows } from "#storage/export-rows.ts";
import { trackedRows } from "#storage/job-records.ts";
import { DATABASE_NAME, DATABASE_VERSION, IMPORT_KEY, type StoreName } from "#storage/keys.ts";
import { createMemoryRows, type RowStore, type StoredRow } from "#storage/rows.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { readAll, readOne } from "#storage/typed-rows.ts";
import { wipe } from "#storage/wipe.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";
import { until } from "../setup/until.ts";
import { freshDatabase } from "./fresh-database.ts";

beforeEach(() => {
  freshDatabase();
  useStorageState.setState({ quarantined: 0, memoryAccepted: false });
});
afterEach(reopenRows);

const row = (key: string, body: unknown = {}, accountId = "a"): StoredRow => ({ key, scope: accountId, v: 1, body });
const put = (rows: RowStore, store: StoreName, value: StoredRow) =>
  rows.edit({ store, key: value.key }, () => ({ changes: [{ kind: "put", store, row: value }], result: undefined }));
const keys = async (rows: RowStore, store: StoreName) => (await rows.all(store)).map(({ key }) => key).sort();

// P15.
describe("the disk is full", () => {
  test("thumbnails are removed first, then old chats, then drafts, and never money", async () => {
    const rows = createMemoryRows();
    const now = 100 * 86_400_000;
    await put(rows, "thumbnails", row("t"));
    await put(rows, "chats", row("old", { updatedAtMs: now - 31 * 86_400_000 }));
    await put(rows, "chats", row("new", { updatedAtMs: now }));
    await put(rows, "chats", row("undated", {}));
    await put(rows, "drafts", row("d"));
    for (const store of ["outbox", "ledger", "jobs"] as const) await put(rows, store, row("kept"));

    expect(await makeRoom(rows, now)).toBe(true);
    expect(await keys(rows, "thumbnails")).toEqual([]);
    expect(await keys(rows, "chats")).toEqual(["new", "old", "undated"]);
    expect(await makeRoom(rows, now)).toBe(true);
    expect(await keys(rows, "chats")).toEqual(["new", "undated"]);
    expect(await makeRoom(rows, now)).toBe(true);
    expect(await keys(rows, "drafts")).toEqual([]);
    expect(await makeRoom(rows, now)).toBe(false);
    for (const store of ["outbox", "ledger", "jobs"] as const) expect(await keys(rows, store)).toEqual(["kept"]);
  });

  test("a write without room rejects with its reason and leaves the ledger intact", async () => {
    const rows = await openRows();
    await put(rows, "ledger", row("kept"));
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await expect(put(rows, "outbox", row("1"))).rejects.toMatchObject({ trouble: "full" });
    expect(useStorageState.getState().kind).toBe("full");
    full.mockRestore();
    expect(await keys(rows, "ledger")).toEqual(["kept"]);
    await put(rows, "outbox", row("1"));
    expect(useStorageState.getState().kind).toBe("durable");
  });

  test("room is made in steps until the write succeeds, and no further", async () => {
    const rows = await openRows();
    for (const store of ["thumbnails", "seen", "drafts", "ledger"] as const) await put(rows, store, row("1"));
    const realPut = IDBObjectStore.prototype.put;
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, value) {
      if (full.mock.calls.length < 3) throw new DOMException("full", "QuotaExceededError");
      return realPut.call(this, value);
    });
    await put(rows, "outbox", row("1"));
    full.mockRestore();
    expect(await keys(rows, "thumbnails")).toEqual([]);
    expect(await keys(rows, "seen")).toEqual([]);
    for (const store of ["drafts", "ledger", "outbox"] as const) expect(await keys(rows, store)).toEqual(["1"]);
    expect(useStorageState.getState().kind).toBe("durable");
  });

  test("a draft that cannot be written is no error", async () => {
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    expect(await saveDraft("a", "m", { prompt: "x" })).toBe(false);
    full.mockRestore();
    expect(await loadDraft("a", "m")).toBeUndefined();
    expect(await saveDraft("a", "m", { prompt: "x" })).toBe(true);
    expect((await loadDraft("a", "m"))?.payload).toEqual({ prompt: "x" });
  });
});

// P17.
describe("rows that cannot be read", () => {
  test("are set aside unchanged and counted, and the rest loads", async () => {
    const rows = await openRows();
    await put(rows, "jobs", row("good", { requestId: "job-1", submittedAtMs: 1 }));
    await put(rows, "jobs", row("bad", { requestId: 7 }));
    await put(rows, "jobs", row("worse", "text"));
    expect((await readAll(rows, trackedRows, "a")).map(({ requestId }) => requestId)).toEqual(["job-1"]);
    expect(await keys(rows, "jobs")).toEqual(["good"]);
    expect(await keys(rows, "quarantine")).toEqual(["jobs|bad", "jobs|worse"]);
    expect(useStorageState.getState().quarantined).toBe(2);
    const exported = await (await exportRows(rows)).text();
    expect(exported).toContain('"requestId":7');
  });

  test("no reader throws for arbitrary rows, and each result is valid", () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        const stored = row("1", body);
        const tracked = trackedRows.read(body, stored);
        if (tracked) expect(typeof tracked.requestId).toBe("string");
        const outbox = intentRows.read(body, stored);
        if (outbox) expect(Number.isSafeInteger(outbox.priceMicroUsd)).toBe(true);
      }),
      { numRuns: cases(1_000, 10_000) },
    );
  });
});

// P16 and P19.
describe("the database is taken away", () => {
  // P16.
  test("deleted while open: the first time it is reopened, then rows live in memory", async () => {
    await put(await openRows(), "jobs", row("1"));
    await deleteDatabase();
    await put(await openRows(), "jobs", row("2"));
    expect(await keys(await openRows(), "jobs")).toEqual(["2"]);
    expect(useStorageState.getState().kind).toBe("durable");
    await deleteDatabase();
    expect(useStorageState.getState().kind).toBe("memory");
    await put(await openRows(), "jobs", row("3"));
    expect(await keys(await openRows(), "jobs")).toEqual(["3"]);
  });

  // P19.
  test("an older tab that holds the database is reported until it lets go", async () => {
    const older = await openOlder();
    const opening = openRows();
    await until(() => expect(useStorageState.getState().kind).toBe("blocked"));
    older.close();
    await put(await opening, "drafts", row("1"));
    expect(useStorageState.getState().kind).toBe("durable");
  });

  // P19.
  test("a newer tab takes the database over, and this one reports it", async () => {
    const rows = await openRows();
    await put(rows, "drafts", row("1"));
    const newer = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(DATABASE_NAME, DATABASE_VERSION + 1);
      request.onsuccess = () => resolve(request.result);
    });
    newer.close();
    expect(useStorageState.getState().kind).toBe("replaced");
    await expect(put(rows, "drafts", row("2"))).rejects.toMatchObject({ trouble: "read-only" });
  });
});

function deleteDatabase(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(DATABASE_NAME);
    request.onsuccess = resolve;
    request.onerror = reject;
  });
}

/** A tab of the first version that ignores every request to let go. */
function openOlder(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, 1);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

describe("export, import and wipe", () => {
  test("an export is imported in another browser, without the slots of attempts", async () => {
    const rows = await openRows();
    await put(rows, "ledger", row("line", { n: 1 }));
    await put(rows, "outbox", { ...row("intent"), slot: "a|m" });
    const file = await exportRows(rows);
    freshDatabase();
    const fresh = await openRows();
    expect(await importRows(fresh, file)).toEqual({ added: 2, existing: 0, unreadable: 0 });
    expect(await fresh.get("ledger", "line")).toEqual(row("line", { n: 1 }));
    expect((await fresh.get("outbox", "intent"))?.slot).toBeUndefined();
    expect(await importRows(fresh, file)).toEqual({ added: 0, existing: 2, unreadable: 0 });
  });

  // P25
  test("an import without room says how far it came, and goes on with the same file", async () => {
    const rows = await openRows();
    for (let place = 0; place < 300; place += 1) await put(rows, "jobs", row(`job-${place}`, { place }));
    const file = await exportRows(rows);
    freshDatabase();
    const fresh = await openRows();
    const realPut = IDBObjectStore.prototype.put;
    let puts = 0;
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, value) {
      puts += 1;
      if (puts > 250) throw new DOMException("full", "QuotaExceededError");
      return realPut.call(this, value);
    });
    const cutOff = await importRows(fresh, file).catch((error: unknown) => error);
    full.mockRestore();
    expect(cutOff).toMatchObject({ name: "ImportCutOffError", place: { total: 300 } });
    const { read } = (cutOff as ImportCutOffError).place;
    expect(await keys(fresh, "jobs")).toHaveLength(read);
    expect(read).toBeGreaterThan(200);
    // The page may be closed with the error: the next one knows of it.
    expect(await readOne(fresh, importPlaceRows, IMPORT_KEY)).toEqual({ read: 200, total: 300 });
    expect(await importRows(fresh, file)).toEqual({ added: 300 - read, existing: read, unreadable: 0 });
    expect(await readOne(fresh, importPlaceRows, IMPORT_KEY)).toBeUndefined();
    expect(await keys(fresh, "jobs")).toHaveLength(300);
  });

  test("a file of another kind is refused; entries that are no rows are counted", async () => {
    const rows = createMemoryRows();
    await expect(importRows(rows, new Blob(["[]"]))).rejects.toThrow(/isn’t a Safelight export/);
    const odd = new Blob([JSON.stringify({ format: "safelight-rows", version: 1, stores: { jobs: [1, row("1")] } })]);
    expect(await importRows(rows, odd)).toEqual({ added: 1, existing: 0, unreadable: 1 });
  });

  test("a wipe removes the rows of one key and leaves the others", async () => {
    const rows = await openRows();
    await put(rows, "ledger", row("1"));
    await put(rows, "ledger", row("2", {}, "b"));
    await put(rows, "drafts", row("3"));
    await put(rows, "chats", row("4", {}, "a|wholes"));
    await put(rows, "chats", row("5", {}, "ab|wholes"));
    expect(await wipe("a")).toBe(3);
    expect(await keys(rows, "ledger")).toEqual(["2"]);
    expect(await keys(rows, "chats")).toEqual(["5"]);
  });
});
