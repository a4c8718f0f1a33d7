import "../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect, disconnect } from "#connection/connection-store.ts";
import { asRecord, asRecords } from "#lib/read.ts";
import {
  confirmDeletion,
  deletionText,
  getDeletedMedia,
  getDeletion,
  isFileDeleted,
  isMediaDeleted,
  noteDeletion,
  noteStored,
  onDeletedMedia,
  withdrawDeletion,
} from "#media/deleted-media.ts";
import { readJson, readText, writeText } from "#storage/browser-store.ts";
import { announceWipe } from "#storage/changes.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";

const service = { queueBaseUrl: "https://q.example", inferenceBaseUrl: "https://t.example", key: "key-1" };
const FILE = "https://s.example/out/6fb2b474fb3a480fa142f200537c6de4.png";
const INPUT = "https://s.example/in/a.png";
const job = { requestId: "job-1", files: [`${FILE}?Expires=1`], inputs: [INPUT] };
let accountId = "";
const stored = () => keyOfAccount(KEYS.deletedFiles, accountId);
const store = (deletions: unknown, v = 1) => writeText(stored(), JSON.stringify({ v, deletions }));
const storedNow = () => asRecords(asRecord(readJson(stored())).deletions);

beforeEach(async () => {
  localStorage.clear();
  ({ accountId } = await connect(service));
});
afterEach(() => {
  vi.unstubAllGlobals();
  disconnect();
});

/** The same browser after a reload: modules of a page begin anew. */
async function afterReload() {
  vi.resetModules();
  const [{ getDeletedMedia }] = await Promise.all([import("#media/deleted-media.ts")]);
  return getDeletedMedia(accountId);
}

describe("what was deleted", () => {
  it("is known by the job and by any address of its files", () => {
    noteDeletion(accountId, job);
    confirmDeletion(accountId, job.requestId);
    expect(isMediaDeleted("job-1")).toBe(true);
    expect([FILE, `${FILE}?Expires=2`, `${INPUT}?Signature=x`].every(isFileDeleted)).toBe(true);
    expect(isFileDeleted("https://s.example/in/b.png")).toBe(false);
    expect(isMediaDeleted("job-2")).toBe(false);
  });

  it("is known after a reload before anything is awaited", async () => {
    noteDeletion(accountId, job);
    const { jobs } = await afterReload();
    // The page died before the answer: taken for deleted, and told apart.
    expect(jobs.get("job-1")).toMatchObject({ isConfirmed: false });
    confirmDeletion(accountId, job.requestId);
    expect((await afterReload()).jobs.get("job-1")).toMatchObject({ isConfirmed: true });
  });

  it("is there again when the service refused, unless it was confirmed before", () => {
    noteDeletion(accountId, job);
    withdrawDeletion(accountId, job.requestId);
    expect(isFileDeleted(FILE)).toBe(false);
    noteDeletion(accountId, job, 1000);
    confirmDeletion(accountId, job.requestId);
    noteDeletion(accountId, job, 2000);
    withdrawDeletion(accountId, job.requestId);
    expect(getDeletion("job-1")).toMatchObject({ atMs: 1000, isConfirmed: true });
  });

  it("is another account's own affair", async () => {
    noteDeletion(accountId, job);
    await connect({ ...service, key: "key-2" });
    expect(isMediaDeleted("job-1")).toBe(false);
    expect(isFileDeleted(FILE)).toBe(false);
  });

  it("is heard of, also from another tab", () => {
    const heard: (boolean | "perhaps")[] = [];
    const stop = onDeletedMedia(() => heard.push(isFileDeleted(FILE)));
    noteDeletion(accountId, job);
    expect(heard.splice(0)).toEqual(["perhaps"]);
    const { name } = stored();
    const text = readText(stored()) ?? "";
    store([]);
    window.dispatchEvent(new StorageEvent("storage", { key: name }));
    expect(heard.splice(0)).toEqual([false]);
    writeText(stored(), text);
    window.dispatchEvent(new StorageEvent("storage", { key: name }));
    expect(heard.splice(0)).toEqual(["perhaps"]);
    stop();
    withdrawDeletion(accountId, job.requestId);
    expect(heard).toEqual([]);
  });

  it("keeps what another tab noted in between", () => {
    noteDeletion(accountId, job);
    const [known] = storedNow();
    store([known, { requestId: "job-2", atMs: 1, isConfirmed: true, files: [], inputs: [] }]);
    confirmDeletion(accountId, "job-1");
    expect([...getDeletedMedia(accountId).jobs.keys()].sort()).toEqual(["job-1", "job-2"]);
  });

  it("is confirmed although another tab wrote over the note", () => {
    noteDeletion(accountId, job);
    store([]);
    confirmDeletion(accountId, "job-1");
    expect(isFileDeleted(INPUT)).toBe(true);
  });

  it("is forgotten with the account's data, and not written again", () => {
    noteDeletion(accountId, job);
    localStorage.removeItem(stored().name);
    announceWipe(accountId);
    expect(isMediaDeleted("job-1")).toBe(false);
    noteDeletion(accountId, { ...job, requestId: "job-2" });
    expect(storedNow()).toMatchObject([{ requestId: "job-2" }]);
  });

  it("ends for a file that is stored again at its old address", () => {
    noteDeletion(accountId, job);
    expect(isFileDeleted(INPUT)).toBe("perhaps");
    noteStored(accountId, INPUT);
    expect(isFileDeleted(INPUT)).toBe(false);
    expect(isFileDeleted(FILE)).toBe("perhaps");
  });

  it("is bounded: the oldest is dropped first", () => {
    const many = Array.from({ length: 5000 }, (_, at) => ({ requestId: `old-${at}`, isConfirmed: true }));
    store(many);
    noteDeletion(accountId, { ...job, inputs: Array.from({ length: 500 }, (_, at) => `https://s.example/${at}.png`) });
    expect(storedNow()).toHaveLength(5000);
    expect(isMediaDeleted("old-0")).toBe(false);
    expect(isMediaDeleted("job-1")).toBe(true);
    const long = Array.from({ length: 100 }, (_, at) => `https://s.example/${"a".repeat(1900)}/${at}.png`);
    for (let at = 0; at < 10; at += 1) noteDeletion(accountId, { requestId: `long-${at}`, files: long, inputs: [] });
    expect((readText(stored()) ?? "").length).toBeLessThanOrEqual(1_000_000);
    expect(isMediaDeleted("long-9")).toBe(true);
    expect(isMediaDeleted("job-1")).toBe(false);
  });

  it("lives as long as the page where nothing can be written", () => {
    const refuse = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    vi.stubGlobal("localStorage", { getItem: () => null, setItem: refuse, removeItem: refuse });
    noteDeletion(accountId, job);
    noteDeletion(accountId, { ...job, requestId: "job-2" });
    confirmDeletion(accountId, "job-1");
    expect(isMediaDeleted("job-1") && isMediaDeleted("job-2")).toBe(true);
  });

  it("of version 0.1 is still known, and damaged notes are left out", async () => {
    writeText(KEYS.deletedMedia, JSON.stringify(["from-0.1", 7]));
    store([1, null, { requestId: 3 }, { requestId: "b", files: "x", atMs: "soon" }]);
    const { jobs } = await afterReload();
    expect([...jobs.keys()]).toEqual(["b", "from-0.1"]);
    expect(jobs.get("from-0.1")).toMatchObject({ atMs: undefined, isConfirmed: true });
  });

  it("as a newer version noted it is read, and not written over", () => {
    store([{ requestId: "new", isConfirmed: true, because: "asked" }], 2);
    const before = readText(stored());
    noteDeletion(accountId, job);
    noteDeletion(accountId, { ...job, requestId: "job-2" });
    expect(["new", "job-1", "job-2"].every(isMediaDeleted)).toBe(true);
    expect(readText(stored())).toBe(before);
  });

  it("is written in words", () => {
    expect(deletionText({ atMs: undefined, isConfirmed: true })).toBe("deleted");
    expect(deletionText({ atMs: 0, isConfirmed: true })).toMatch(/^deleted \w+ \d+, 19\d\d, \d+:\d\d\s[AP]M$/);
    expect(deletionText({ atMs: 0, isConfirmed: false })).toMatch(/^deletion not confirmed, requested \w+ \d+/);
    expect(deletionText({ atMs: 0, isConfirmed: false, isUnderWay: true })).toBe("being deleted");
  });
});
