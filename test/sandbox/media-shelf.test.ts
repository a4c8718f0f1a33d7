import { describe, expect, it } from "vitest";
import { createMediaShelf } from "#sandbox/media-shelf.ts";

const file = (length: number) => ({ bytes: new Uint8Array(length), contentType: "image/png" });

describe("the shelf of finished media", () => {
  it("makes a file once, however often and however early it is asked for again", async () => {
    const shelf = createMediaShelf();
    let made = 0;
    const make = async () => file(++made);
    const all = await Promise.all([shelf.take("a", make), shelf.take("a", make)]);
    all.push(await shelf.take("a", make));
    expect(all.map(({ bytes }) => bytes.length)).toEqual([1, 1, 1]);
  });

  it("makes one file at a time", async () => {
    const shelf = createMediaShelf();
    let working = 0;
    let most = 0;
    const make = async () => {
      working += 1;
      most = Math.max(most, working);
      await Promise.resolve();
      working -= 1;
      return file(1);
    };
    await Promise.all(["a", "b", "c"].map((key) => shelf.take(key, make)));
    expect(most).toBe(1);
  });

  it("lets go of the file asked for longest ago when space is short", async () => {
    const shelf = createMediaShelf(10);
    const made: string[] = [];
    const take = (key: string) =>
      shelf.take(key, async () => {
        made.push(key);
        return file(5);
      });
    for (const key of ["a", "b", "a", "c", "a", "b"]) await take(key);
    expect(made).toEqual(["a", "b", "c", "b"]);
  });

  it("tries again after a failure, and does not hold up the next file", async () => {
    const shelf = createMediaShelf();
    await expect(shelf.take("a", () => Promise.reject(new Error("no encoder")))).rejects.toThrow("no encoder");
    expect((await shelf.take("b", async () => file(2))).bytes.length).toBe(2);
    expect((await shelf.take("a", async () => file(3))).bytes.length).toBe(3);
  });
});
