import { beforeEach, describe, expect, it } from "vitest";
import { browserRows, makeRoom } from "#storage/database.ts";
import {
  readFileFacts,
  readStoredFacts,
  readThumb,
  removeFiles,
  type StoredThumb,
  writeFacts,
  writeThumbs,
} from "#storage/stored-files.ts";
import { freshDatabase } from "./fresh-database.ts";

const ACCOUNT = "account-a";
const thumb = (bytes = 8, over: Partial<StoredThumb> = {}): StoredThumb => ({
  type: "image/webp",
  bytes: new ArrayBuffer(bytes),
  facts: { width: 1600, height: 1200 },
  ...over,
});
const files = <Of>(from: number, count: number, of: Of) =>
  new Map(Array.from({ length: count }, (_, place) => [`x.example/${from + place}.png`, of] as const));
const named = (from: number, count: number, bytes?: number) => files(from, count, thumb(bytes));
const there = async (place: number) => (await readThumb(ACCOUNT, `x.example/${place}.png`)) !== undefined;

beforeEach(freshDatabase);

describe("small pictures", () => {
  it("are read back with what is known of their files, by account", async () => {
    const clip = thumb(8, { facts: { width: 1600, height: 1200, durationSeconds: 5 } });
    await writeThumbs(ACCOUNT, new Map([["x.example/a.mp4", clip]]), [], 1);
    const found = await readThumb(ACCOUNT, "x.example/a.mp4");
    expect(found).toMatchObject({ type: "image/webp", facts: clip.facts });
    expect(found?.bytes.byteLength).toBe(8);
    expect(await readThumb("account-b", "x.example/a.mp4")).toBeUndefined();
  });

  it("go, the ones seen longest ago first, once there are too many", async () => {
    await writeThumbs(ACCOUNT, named(0, 3000), [], 1);
    await writeThumbs(ACCOUNT, new Map(), ["x.example/0.png"], 2);
    await writeThumbs(ACCOUNT, named(3000, 1), [], 3);
    expect(await there(0)).toBe(true);
    expect(await there(1)).toBe(false);
    expect(await there(3000)).toBe(true);
  });

  it("go as well once they are too large together", async () => {
    const large = 25 * 1024 * 1024;
    await writeThumbs(ACCOUNT, named(0, 1, large), [], 1);
    await writeThumbs(ACCOUNT, named(1, 1, large), [], 2);
    await writeThumbs(ACCOUNT, named(2, 1, large), [], 3);
    expect(await Promise.all([there(0), there(1), there(2)])).toEqual([false, true, true]);
  });

  it("go with what is deleted, and first when space runs out", async () => {
    await writeThumbs(ACCOUNT, named(0, 2), [], 1);
    await removeFiles(ACCOUNT, ["x.example/0.png", "x.example/unknown.png"]);
    expect(await Promise.all([there(0), there(1)])).toEqual([false, true]);
    expect(await makeRoom(browserRows, 1)).toBe(true);
    expect(await browserRows.all("thumbnails")).toEqual([]);
  });
});

describe("what is known of files", () => {
  const facts = { width: 3, height: 2, durationSeconds: 5 };
  const known = async () => [...(await readStoredFacts(ACCOUNT)).keys()];

  it("is read back by account, and goes with what is deleted", async () => {
    await writeFacts(ACCOUNT, files(0, 2, facts));
    await writeFacts(ACCOUNT, files(1, 1, { width: 6, height: 4 }));
    expect(await readStoredFacts("account-b")).toEqual(new Map());
    await removeFiles(ACCOUNT, ["x.example/0.png"]);
    expect(await readStoredFacts(ACCOUNT)).toEqual(files(1, 1, { width: 6, height: 4, durationSeconds: 5 }));
  });

  it("goes, what was learned longest ago first, once there are too many files", async () => {
    await writeFacts(ACCOUNT, files(0, 5000, facts));
    await writeFacts(ACCOUNT, files(0, 1, { width: 6, height: 4 }));
    await writeFacts(ACCOUNT, files(5000, 1, facts));
    const left = await known();
    expect(left).toHaveLength(5000);
    expect(left).not.toContain("x.example/1.png");
    expect(left.slice(-2)).toEqual(["x.example/0.png", "x.example/5000.png"]);
  });

  it("is untrusted: what is no number above zero and no extension is left out", () => {
    const raw = { width: 2, height: -1, bytes: "9", durationSeconds: Number.NaN, extension: "../x", isLoaded: true };
    expect(readFileFacts(raw)).toEqual({ width: 2 });
    expect(readFileFacts([])).toEqual({});
    expect(readFileFacts({ extension: "png", label: "PNG picture" })).toEqual({ extension: "png" });
  });
});
