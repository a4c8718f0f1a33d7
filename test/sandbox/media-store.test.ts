import { describe, expect, it } from "vitest";
import { createMediaStore } from "#sandbox/media/media-store.ts";

const file = (length: number) => ({ bytes: new Uint8Array(length), contentType: "image/png" });

describe("the store of finished media", () => {
  it("makes a file once, however often it is requested", async () => {
    const store = createMediaStore();
    let made = 0;
    const make = async () => file(++made);
    const all = await Promise.all([store.take("a", make), store.take("a", make)]);
    all.push(await store.take("a", make));
    expect(all.map(({ bytes }) => bytes.length)).toEqual([1, 1, 1]);
  });

  it("makes one file at a time", async () => {
    const store = createMediaStore();
    let working = 0;
    let most = 0;
    const make = async () => {
      working += 1;
      most = Math.max(most, working);
      await Promise.resolve();
      working -= 1;
      return file(1);
    };
    await Promise.all(["a", "b", "c"].map((key) => store.take(key, make)));
    expect(most).toBe(1);
  });

  it("drops the least recently requested file when space is short", async () => {
    const store = createMediaStore(10);
    const made: string[] = [];
    const take = (key: string) =>
      store.take(key, async () => {
        made.push(key);
        return file(5);
      });
    for (const key of ["a", "b", "a", "c", "a", "b"]) await take(key);
    expect(made).toEqual(["a", "b", "c", "b"]);
  });

  it("tries again after a failure, and the next file does not wait", async () => {
    const store = createMediaStore();
    await expect(store.take("a", () => Promise.reject(new Error("no encoder")))).rejects.toThrow("no encoder");
    expect((await store.take("b", async () => file(2))).bytes.length).toBe(2);
    expect((await store.take("a", async () => file(3))).bytes.length).toBe(3);
  });
});
