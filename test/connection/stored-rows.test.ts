import "fake-indexeddb/auto";
import { QueryObserver } from "@tanstack/react-query";
import { openDB } from "idb";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createQueryClient } from "#connection/client.ts";
import { followRows, readRowsNow, storedRowQuery, storedRowsQuery } from "#connection/stored-rows.ts";
import { asRecord } from "#lib/read.ts";
import { announceChanges, announceWipe, noteMissedChanges } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { DATABASE_NAME } from "#storage/keys.ts";
import type { RowChange, StoredRow } from "#storage/rows.ts";
import { useStorageState } from "#storage/storage-state.ts";
import type { RowKind } from "#storage/typed-rows.ts";
import { until } from "../setup/until.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

beforeEach(() => {
  freshDatabase();
  useStorageState.setState({ quarantined: 0 });
});

interface Note {
  id: string;
  text: string;
}

const notes: RowKind<Note> = {
  store: "ledger",
  version: 1,
  isMoney: true,
  read: (body, { key }) => {
    const { text } = asRecord(body);
    return typeof text === "string" ? { id: key, text } : undefined;
  },
};

const put = (key: string, text: unknown, more: Partial<StoredRow> = {}): RowChange => ({
  kind: "put",
  store: "ledger",
  row: { key, scope: "a", v: 1, body: { text }, ...more },
});
const remove = (key: string): RowChange => ({ kind: "remove", store: "ledger", key, evenNewer: true });

async function write(...changes: RowChange[]): Promise<void> {
  await (await openRows()).edit({ store: "ledger", key: "" }, () => ({ changes, result: undefined }));
}

/** As another tab writes, whose report does not come, or comes later. */
async function writeUnheard(key: string, text: unknown): Promise<void> {
  const database = await openDB(DATABASE_NAME);
  await database.put("ledger", { key, scope: "a", v: 1, body: { text } });
  database.close();
}

/** Lets the next call of a method read at once, and give what it read only when it is released. */
async function holdNext(method: "get" | "all") {
  const rows = await openRows();
  const real = rows[method].bind(rows) as (...asked: unknown[]) => Promise<never>;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  vi.spyOn(rows, method).mockImplementationOnce(async (...asked: unknown[]) => {
    const found = await real(...asked);
    begin();
    await released;
    return found;
  });
  return { begun, release };
}

const sorted = (all: Note[]) => all.sort((a, b) => a.id.localeCompare(b.id)).map(({ id, text }) => `${id} ${text}`);

/** A page that shows the notes of the account `a` from now on, and what of them it reads. */
async function showNotes() {
  const client = createQueryClient();
  onTestFinished(followRows(client));
  const rows = await openRows();
  const all = vi.spyOn(rows, "all");
  const get = vi.spyOn(rows, "get");
  const observer = new QueryObserver(client, storedRowsQuery(notes, "a", sorted));
  let renders = 0;
  // As a component hears of it: of what is shown alone.
  observer.setOptions({ ...observer.options, notifyOnChangeProps: ["data"] });
  onTestFinished(
    observer.subscribe(() => {
      renders += 1;
    }),
  );
  await until(() => expect(observer.getCurrentResult().isPending).toBe(false));
  const shown = () => observer.getCurrentResult().data;
  return { client, observer, shown, all, get, renders: () => renders };
}

describe("all rows of a kind", () => {
  test("are read once, and then only those that were written or deleted", async () => {
    await write(put("1", "fox"), put("2", "owl"), put("x", "other", { scope: "b" }));
    const { shown, all, get } = await showNotes();
    expect(shown()).toEqual(["1 fox", "2 owl"]);
    await write(put("2", "wren"), put("3", "hare"), remove("1"));
    await until(() => expect(shown()).toEqual(["2 wren", "3 hare"]));
    expect(all).toHaveBeenCalledTimes(1);
    expect(get.mock.calls.map(([, key]) => key)).toEqual(["2", "3", "1"]);
  });

  test("are the same object when other accounts write", async () => {
    await write(put("1", "fox"));
    const { client, shown, get, renders } = await showNotes();
    const before = shown();
    const count = renders();
    await write(put("x", "owl", { scope: "b" }));
    await until(() => expect(client.isFetching()).toBe(0));
    expect(get).toHaveBeenCalledTimes(1);
    expect(shown()).toBe(before);
    expect(renders()).toBe(count);
  });

  test("are all read again where it is not known what changed", async () => {
    const { shown, all } = await showNotes();
    await writeUnheard("1", "fox");
    noteMissedChanges();
    await until(() => expect(shown()).toEqual(["1 fox"]));
    // As a tab of the version before reports it.
    await writeUnheard("2", "owl");
    announceChanges({ ledger: "all" });
    await until(() => expect(shown()).toEqual(["1 fox", "2 owl"]));
    expect(all).toHaveBeenCalledTimes(3);
  });

  test("keep the order of their keys, whichever was written last", async () => {
    await write(put("1", "fox"), put("3", "owl"));
    const client = createQueryClient();
    onTestFinished(followRows(client));
    const observer = new QueryObserver(
      client,
      storedRowsQuery(notes, "a", (all) => all.map(({ id }) => id)),
    );
    onTestFinished(observer.subscribe(() => {}));
    await until(() => expect(observer.getCurrentResult().data).toEqual(["1", "3"]));
    await write(put("2", "hare"), put("1", "wren"));
    await until(() => expect(observer.getCurrentResult().data).toEqual(["1", "2", "3"]));
  });

  test("have what was written while all of them were being read", async () => {
    await write(put("1", "fox"));
    const { begun, release } = await holdNext("all");
    const showing = showNotes();
    await begun;
    await write(put("1", "owl"), put("2", "hare"));
    release();
    const { shown } = await showing;
    await until(() => expect(shown()).toEqual(["1 owl", "2 hare"]));
  });

  test("have what was written while one of them was being read", async () => {
    await write(put("1", "fox"));
    const { shown, all, get } = await showNotes();
    const { begun, release } = await holdNext("get");
    await write(put("1", "owl"));
    await begun;
    const reads = get.mock.calls.length;
    await write(put("1", "wren"));
    await write(put("2", "hare"));
    // The read is not begun anew for each of them.
    expect(get).toHaveBeenCalledTimes(reads);
    release();
    await until(() => expect(shown()).toEqual(["1 wren", "2 hare"]));
    expect(all).toHaveBeenCalledTimes(1);
  });

  test("have what was written while nobody looked and they were still being read", async () => {
    await write(put("1", "fox"));
    const { begun, release } = await holdNext("all");
    const client = createQueryClient();
    onTestFinished(followRows(client));
    const observer = new QueryObserver(client, storedRowsQuery(notes, "a", sorted));
    const hide = observer.subscribe(() => {});
    await begun;
    hide();
    await write(put("2", "owl"));
    // Shown again, they wait for the read that began before.
    onTestFinished(observer.subscribe(() => {}));
    release();
    await until(() => expect(observer.getCurrentResult().data).toEqual(["1 fox", "2 owl"]));
  });

  test("are read when they are shown again, also where the clock was set back meanwhile", async () => {
    await write(put("1", "fox"));
    const client = createQueryClient();
    const observer = new QueryObserver(client, storedRowsQuery(notes, "a", sorted));
    const hide = observer.subscribe(() => {});
    await until(() => expect(observer.getCurrentResult().data).toEqual(["1 fox"]));
    hide();
    await write(put("2", "owl"));
    vi.spyOn(Date, "now").mockReturnValue(Date.now() - 3_600_000);
    onTestFinished(observer.subscribe(() => {}));
    await until(() => expect(observer.getCurrentResult().data).toEqual(["1 fox", "2 owl"]));
  });

  test("that nobody looks at are forgotten with an account that is deleted", async () => {
    await write(put("1", "fox"));
    const client = createQueryClient();
    onTestFinished(followRows(client));
    const query = storedRowsQuery(notes, "a", sorted);
    await client.fetchQuery(query);
    announceWipe("a");
    expect(client.getQueryData(query.queryKey)).toBeUndefined();
  });

  test("that cannot be read are put aside, but not where another tab has just written them anew", async () => {
    const { isMoney: _, ...loose } = notes;
    await write(put("1", 7), put("2", 8));
    const { begun, release } = await holdNext("all");
    const reading = createQueryClient().fetchQuery(storedRowsQuery(loose, "a", sorted));
    await begun;
    await write(put("1", "fox"));
    release();
    await reading;
    const rows = await openRows();
    expect(await rows.get("ledger", "1")).toMatchObject({ body: { text: "fox" } });
    expect(await rows.get("ledger", "2")).toBeUndefined();
    expect(useStorageState.getState().quarantined).toBe(1);
  });

  test("are read a few times at most for each of many writes in a row", async () => {
    const { client, shown, all, get } = await showNotes();
    const refetched = vi.spyOn(client, "refetchQueries");
    for (let place = 0; place < 150; place += 1) await write(put("1", `${place}`));
    await until(() => expect(shown()).toEqual(["1 149"]));
    expect(all).toHaveBeenCalledTimes(1);
    expect(get.mock.calls.length).toBeLessThanOrEqual(150);
    expect(refetched.mock.calls.length).toBeLessThanOrEqual(300);
  });

  test("have, when they are shown again, what was written while another connection was", async () => {
    await write(put("1", "fox"));
    const client = createQueryClient();
    const stopFollowing = followRows(client);
    const observer = new QueryObserver(client, storedRowsQuery(notes, "a", sorted));
    const hide = observer.subscribe(() => {});
    await until(() => expect(observer.getCurrentResult().data).toEqual(["1 fox"]));
    hide();
    stopFollowing();
    const rows = await openRows();
    const all = vi.spyOn(rows, "all");
    await write(put("2", "owl"));
    expect(client.isFetching()).toBe(0);
    onTestFinished(observer.subscribe(() => {}));
    await until(() => expect(observer.getCurrentResult().data).toEqual(["1 fox", "2 owl"]));
    expect(all).not.toHaveBeenCalled();
  });

  test("stay as they were where they cannot be read, and are read with the next change", async () => {
    await write(put("1", "fox"));
    const { observer, shown, get } = await showNotes();
    get.mockRejectedValueOnce(new Error("closed"));
    await write(put("1", "owl"));
    await until(() => expect(observer.getCurrentResult().isError).toBe(true));
    expect(shown()).toEqual(["1 fox"]);
    await write(put("2", "wren"));
    // With what the failed read had missed.
    await until(() => expect(shown()).toEqual(["1 owl", "2 wren"]));
  });

  test("are read again where a read failed while they changed, such as that of a lost database", async () => {
    const rows = await openRows();
    let fail = (_error: Error) => {};
    const failing = new Promise<StoredRow[]>((_, reject) => {
      fail = reject;
    });
    vi.spyOn(rows, "all").mockReturnValueOnce(failing);
    const showing = showNotes();
    await writeUnheard("1", "fox");
    announceChanges({ ledger: "all" });
    fail(new Error("closed"));
    const { shown, observer } = await showing;
    expect(observer.getCurrentResult().isError).toBe(false);
    expect(shown()).toEqual(["1 fox"]);
  });

  test("that cannot be read count as looked for, also while somebody else looks again", async () => {
    const client = createQueryClient();
    onTestFinished(followRows(client));
    const query = storedRowsQuery(notes, "a", sorted);
    vi.spyOn(await openRows(), "all").mockRejectedValue(new Error("read-only"));
    const first = new QueryObserver(client, query);
    const wasFetched = new Set<boolean>();
    onTestFinished(first.subscribe(({ isFetched }) => wasFetched.add(isFetched)));
    await until(() => expect(first.getCurrentResult().isError).toBe(true));
    wasFetched.clear();
    const second = new QueryObserver(client, query);
    onTestFinished(second.subscribe(() => {}));
    await until(() => expect(client.isFetching()).toBe(0));
    expect(first.getCurrentResult().isFetched).toBe(true);
    expect(wasFetched).not.toContain(false);
  });

  test("count those that are left alone, one by one", async () => {
    await write(put("1", "fox"), put("2", 7), put("3", "owl", { v: 9 }));
    const { shown } = await showNotes();
    expect(shown()).toEqual(["1 fox", "3 owl"]);
    const newer = () => useStorageState.getState().newerRows;
    expect(newer()).toBe(2);
    await write(put("1", 8));
    await until(() => expect(shown()).toEqual(["3 owl"]));
    expect(newer()).toBe(3);
    await write(remove("2"), remove("3"), put("1", "hare"));
    await until(() => expect(shown()).toEqual(["1 hare"]));
    expect(newer()).toBe(0);
  });
});

describe("rows for those who act on them", () => {
  test("hold what was written while they were being read", async () => {
    await write(put("1", "fox"));
    const client = createQueryClient();
    const { begun, release } = await holdNext("all");
    const read = readRowsNow(client, storedRowsQuery(notes, "a", sorted));
    await begun;
    await write(put("2", "owl"));
    // It joins the read that is under way.
    const second = readRowsNow(client, storedRowsQuery(notes, "a", sorted));
    release();
    expect(await read).toEqual(["1 fox", "2 owl"]);
    expect(await second).toEqual(["1 fox", "2 owl"]);
  });

  test("are read again where the account of another connection was deleted meanwhile", async () => {
    await write(put("1", "fox"));
    const client = createQueryClient();
    onTestFinished(followRows(client));
    const { begun, release } = await holdNext("all");
    const read = readRowsNow(client, storedRowsQuery(notes, "a", sorted));
    await begun;
    announceWipe("b");
    release();
    expect(await read).toEqual(["1 fox"]);
  });

  test("are not given where the database cannot be read", async () => {
    const rows = await openRows();
    vi.spyOn(rows, "all").mockRejectedValueOnce(new Error("The disk is gone"));
    const read = readRowsNow(createQueryClient(), storedRowsQuery(notes, "a", sorted));
    await expect(read).rejects.toThrow("The disk is gone");
  });
});

describe("one row", () => {
  test("is read again when it was written, and for no other", async () => {
    const client = createQueryClient();
    onTestFinished(followRows(client));
    const observer = new QueryObserver(client, storedRowQuery(notes, "1"));
    const rows = await openRows();
    const get = vi.spyOn(rows, "get");
    onTestFinished(observer.subscribe(() => {}));
    const shown = () => observer.getCurrentResult().data;
    await until(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
    expect(shown()).toBeUndefined();
    await write(put("1", "fox"));
    await until(() => expect(shown()).toEqual({ id: "1", text: "fox" }));
    const reads = get.mock.calls.length;
    const before = shown();
    await write(put("2", "owl"));
    await write(put("1", "fox"));
    await until(() => expect(get.mock.calls.length).toBe(reads + 1));
    await until(() => expect(client.isFetching()).toBe(0));
    expect(shown()).toBe(before);
    await write(remove("1"));
    await until(() => expect(shown()).toBeUndefined());
  });
});
