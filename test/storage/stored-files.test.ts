import { beforeEach, describe, expect, it } from "vitest";
import { browserRows, makeRoom } from "#storage/database.ts";
import {
  readFileFacts,
  readStoredFacts,
  readThumb,
  removeFiles,
  type StoredFile,
  writeFiles,
} from "#storage/stored-files.ts";
import { freshDatabase } from "./fresh-database.ts";

const ACCOUNT = "account-a";
const file = (bytes = 8): StoredFile => ({
  facts: { width: 1600, height: 1200 },
  thumb: { type: "image/webp", bytes: new ArrayBuffer(bytes) },
});
const named = (from: number, count: number, stored = file()) =>
  new Map(Array.from({ length: count }, (_, place) => [`x.example/${from + place}.png`, stored] as const));
const there = async (place: number) => (await readThumb(ACCOUNT, `x.example/${place}.png`)) !== undefined;
const known = async () => [...(await readStoredFacts(ACCOUNT)).keys()];

beforeEach(freshDatabase);

describe("small pictures", () => {
  it("are read back with what is known of their files, by account", async () => {
    const clip = { ...file(), facts: { width: 1600, height: 1200, durationSeconds: 5 } };
    await writeFiles(ACCOUNT, new Map([["x.example/a.mp4", clip]]), 1);
    const found = await readThumb(ACCOUNT, "x.example/a.mp4");
    expect(found).toMatchObject(clip);
    expect(found?.thumb.bytes.byteLength).toBe(8);
    expect(await readThumb("account-b", "x.example/a.mp4")).toBeUndefined();
    expect(await readStoredFacts(ACCOUNT)).toEqual(new Map([["x.example/a.mp4", clip.facts]]));
    expect(await readStoredFacts("account-b")).toEqual(new Map());
  });

  it("go, the ones seen longest ago first, once there are too many; the shapes of their files stay", async () => {
    await writeFiles(ACCOUNT, named(0, 3000), 1);
    await writeFiles(ACCOUNT, new Map([["x.example/0.png", { facts: {} }]]), 2);
    await writeFiles(ACCOUNT, named(3000, 1), 3);
    expect(await there(0)).toBe(true);
    expect(await there(1)).toBe(false);
    expect(await there(3000)).toBe(true);
    expect(await known()).toContain("x.example/1.png");
  });

  it("go as well once they are too large together", async () => {
    const large = 25 * 1024 * 1024;
    await writeFiles(ACCOUNT, named(0, 1, file(large)), 1);
    await writeFiles(ACCOUNT, named(1, 1, file(large)), 2);
    await writeFiles(ACCOUNT, named(2, 1, file(large)), 3);
    expect(await Promise.all([there(0), there(1), there(2)])).toEqual([false, true, true]);
  });

  it("go with what is deleted, and first when space runs out", async () => {
    await writeFiles(ACCOUNT, named(0, 2), 1);
    await removeFiles(ACCOUNT, ["x.example/0.png", "x.example/unknown.png"]);
    expect(await Promise.all([there(0), there(1)])).toEqual([false, true]);
    expect(await known()).toEqual(["x.example/1.png"]);
    expect(await makeRoom(browserRows, 1)).toBe(true);
    expect(await browserRows.all("thumbnails")).toEqual([]);
  });
});

describe("shapes of files", () => {
  const shape = { facts: { width: 3, height: 2 } };

  it("are stored without a small picture, too, and leave one that is there alone", async () => {
    await writeFiles(ACCOUNT, named(0, 1), 1);
    await writeFiles(ACCOUNT, named(0, 2, shape), 2);
    expect(await there(0)).toBe(true);
    expect(await there(1)).toBe(false);
    expect((await readStoredFacts(ACCOUNT)).get("x.example/1.png")).toEqual(shape.facts);
    // A file of which nothing is known is not listed.
    await writeFiles(ACCOUNT, new Map([["x.example/2.png", { facts: {} }]]), 3);
    expect(await known()).toHaveLength(2);
  });

  it("go, the ones seen longest ago first, once there are too many", async () => {
    await writeFiles(ACCOUNT, named(0, 1), 1);
    await writeFiles(ACCOUNT, named(1, 4999, shape), 2);
    expect(await known()).toHaveLength(5000);
    await writeFiles(ACCOUNT, named(5000, 1, shape), 3);
    expect(await known()).toHaveLength(4500);
    expect(await there(0)).toBe(false);
  });

  it("are read from a list that a page of before wrote, and it reads ours", async () => {
    await writeFiles(ACCOUNT, named(0, 1), 7);
    const key = `${ACCOUNT}|thumbs`;
    const row = await browserRows.get("thumbnails", key);
    const list: unknown = JSON.parse(String(row?.body));
    expect(list).toEqual({ "x.example/0.png": [8, 7, 1600, 1200] });
    await browserRows.edit({ store: "thumbnails", key }, (before) => ({
      changes: before
        ? [{ kind: "put", store: "thumbnails", row: { ...before, body: '{"x.example/0.png":[8,7]}' } }]
        : [],
      result: undefined,
    }));
    expect(await known()).toEqual([]);
    await writeFiles(ACCOUNT, new Map([["x.example/0.png", { facts: { width: 1600, height: 1200 } }]]), 8);
    expect(await known()).toEqual(["x.example/0.png"]);
  });

  it("are untrusted: what is no number above zero and no extension is left out", () => {
    const raw = { width: 2, height: -1, bytes: "9", durationSeconds: Number.NaN, extension: "../x", isLoaded: true };
    expect(readFileFacts(raw)).toEqual({ width: 2 });
    expect(readFileFacts([])).toEqual({});
    expect(readFileFacts({ extension: "png", label: "PNG picture" })).toEqual({ extension: "png" });
  });
});
