import "../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  announceChanges,
  type ChangedKeys,
  changesSince,
  hasChangedSince,
  noteMissedChanges,
  onChange,
} from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import type { RowChange } from "#storage/rows.ts";
import { until } from "../setup/until.ts";
import { freshDatabase } from "./fresh-database.ts";

beforeEach(freshDatabase);

/** What listeners hear of a store. */
function hear(store: Parameters<typeof onChange>[0]): ChangedKeys[] {
  const heard: ChangedKeys[] = [];
  onTestFinished(onChange(store, (keys) => heard.push(keys)));
  return heard;
}

const put = (store: "jobs" | "marks", key: string): RowChange => ({
  kind: "put",
  store,
  row: { key, scope: "a", v: 1, body: {} },
});

describe("a write", () => {
  test("names the store and the keys of each row, of deleted ones too", async () => {
    const jobs = hear("jobs");
    const marks = hear("marks");
    const ledger = hear("ledger");
    const rows = await openRows();
    await rows.edit({ store: "jobs", key: "1", also: ["marks", "ledger"] }, () => ({
      changes: [put("jobs", "1"), put("jobs", "2"), put("marks", "1"), { kind: "remove", store: "jobs", key: "3" }],
      result: undefined,
    }));
    expect(jobs).toEqual([["1", "2", "3"]]);
    expect(marks).toEqual([["1"]]);
    expect(ledger).toEqual([]);
  });

  test("that failed, and one that decides to change nothing, is reported to nobody", async () => {
    const jobs = hear("jobs");
    const rows = await openRows();
    await rows.edit({ store: "jobs", key: "1" }, () => ({ changes: [], result: undefined }));
    const failed = rows.edit({ store: "jobs", key: "1" }, () => {
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow();
    expect(jobs).toEqual([]);
  });

  test("names the rows that were dropped to make room for it", async () => {
    const rows = await openRows();
    const picture: RowChange = {
      kind: "put",
      store: "thumbnails",
      row: { key: "picture", scope: "a", v: 1, body: {} },
    };
    await rows.edit({ store: "thumbnails", key: "picture" }, () => ({ changes: [picture], result: undefined }));
    const thumbnails = hear("thumbnails");
    const jobs = hear("jobs");
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await rows.edit({ store: "jobs", key: "1" }, () => ({ changes: [put("jobs", "1")], result: undefined }));
    expect(thumbnails).toEqual([["picture"]]);
    expect(jobs).toEqual([["1"]]);
  });

  test("of very many rows names none of them", () => {
    const jobs = hear("jobs");
    announceChanges({ jobs: Array.from({ length: 5_000 }, (_, place) => `job-${place}`) });
    expect(jobs).toEqual(["all"]);
  });
});

describe("between tabs", () => {
  /** A tab, as far as it sends and hears changes. */
  function openTab() {
    const channel = new BroadcastChannel("safelight-rows");
    const heard: unknown[] = [];
    channel.onmessage = ({ data }: MessageEvent<unknown>) => heard.push(data);
    onTestFinished(() => channel.close());
    return { heard, send: (message: unknown) => channel.postMessage(message) };
  }

  test("a message names stores, as the version before reads it, and the keys", async () => {
    hear("jobs");
    const tab = openTab();
    announceChanges({ jobs: ["1", "2"], seen: "all" });
    await until(() => expect(tab.heard).toEqual([{ v: 1, stores: ["jobs", "seen"], keys: { jobs: ["1", "2"] } }]));
  });

  test.each([
    ["of the version before, without keys", { v: 1, stores: ["jobs"] }, "all"],
    ["with keys", { v: 1, stores: ["jobs", "later-store"], keys: { jobs: ["7"] } }, ["7"]],
    ["with keys that are none", { v: 1, stores: ["jobs"], keys: { jobs: "7" } }, "all"],
    ["with too many keys", { v: 1, stores: ["jobs"], keys: { jobs: Array.from({ length: 9_999 }, String) } }, "all"],
  ])("a message %s", async (_name, message, keys) => {
    const jobs = hear("jobs");
    const tab = openTab();
    tab.send({ v: 2, stores: ["jobs"] });
    tab.send("jobs");
    tab.send(message);
    await until(() => expect(jobs).toEqual([keys]));
  });

  test("a page that comes back out of the browser's memory may have missed any change", () => {
    const jobs = hear("jobs");
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    expect(jobs).toEqual(["all"]);
  });
});

describe("what changed since", () => {
  test("is each key once, as far back as is asked", () => {
    const { upTo: at } = changesSince("jobs");
    announceChanges({ jobs: ["1", "2"] });
    const between = changesSince("jobs", at);
    announceChanges({ jobs: ["2", "3"], marks: ["4"] });
    expect(between.keys).toEqual(["1", "2"]);
    expect(changesSince("jobs", between.upTo).keys).toEqual(["2", "3"]);
    expect(changesSince("jobs", at).keys).toEqual(["1", "2", "3"]);
    expect(changesSince("jobs", changesSince("jobs").upTo).keys).toEqual([]);
    const changed = (key?: string) => hasChangedSince("jobs", between.upTo, key);
    expect([changed(), changed("1"), changed("2"), changed("4")]).toEqual([true, false, true, false]);
    expect(hasChangedSince("jobs", changesSince("jobs").upTo)).toBe(false);
  });

  test("is everything for who asks first, after a change that names none, and too late", () => {
    expect(changesSince("jobs").keys).toBe("all");
    const { upTo: at } = changesSince("jobs");
    noteMissedChanges();
    expect(changesSince("jobs", at).keys).toBe("all");
    expect(hasChangedSince("jobs", at, "any")).toBe(true);
    const now = changesSince("jobs").upTo;
    for (let place = 0; place < 1_500; place += 1) announceChanges({ jobs: [`job-${place}`] });
    expect(changesSince("jobs", now).keys).toBe("all");
    expect(changesSince("jobs", now + 1_499).keys).toEqual(["job-1499"]);
  });
});
