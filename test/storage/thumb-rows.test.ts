import { beforeEach, describe, expect, it } from "vitest";
import { browserRows, makeRoom } from "#storage/database.ts";
import { readThumb, removeThumbs, type StoredThumb, writeThumbs } from "#storage/thumb-rows.ts";
import { readShapes, writeShapes } from "#storage/tile-shapes.ts";
import { freshDatabase } from "./fresh-database.ts";

const ACCOUNT = "account-a";
const thumb = (bytes = 8, over: Partial<StoredThumb> = {}): StoredThumb => ({
  type: "image/webp",
  bytes: new ArrayBuffer(bytes),
  width: 1600,
  height: 1200,
  ...over,
});
const named = (from: number, count: number, bytes?: number) =>
  new Map(Array.from({ length: count }, (_, place) => [`x.example/${from + place}.png`, thumb(bytes)] as const));
const there = async (place: number) => (await readThumb(ACCOUNT, `x.example/${place}.png`)) !== undefined;

beforeEach(freshDatabase);

describe("small pictures", () => {
  it("are read back with what is known of their files, by account", async () => {
    await writeThumbs(ACCOUNT, new Map([["x.example/a.mp4", thumb(8, { durationSeconds: 5 })]]), [], 1);
    const found = await readThumb(ACCOUNT, "x.example/a.mp4");
    expect(found).toMatchObject({ type: "image/webp", width: 1600, height: 1200, durationSeconds: 5 });
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
    await removeThumbs(ACCOUNT, ["x.example/0.png", "x.example/unknown.png"]);
    expect(await Promise.all([there(0), there(1)])).toEqual([false, true]);
    expect(await makeRoom(browserRows, 1)).toBe(true);
    expect(await browserRows.all("thumbnails")).toEqual([]);
  });
});

describe("shapes of tiles", () => {
  it("are read back by chunks, the newest forty", async () => {
    for (let place = 0; place <= 41; place++) await writeShapes(ACCOUNT, place, new Map([[`job-${place}`, 1.5]]));
    const chunks = await readShapes(ACCOUNT);
    expect([...chunks.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 2));
    expect(chunks.get(41)).toEqual(new Map([["job-41", 1.5]]));
    expect(await readShapes("account-b")).toEqual(new Map());
  });
});
