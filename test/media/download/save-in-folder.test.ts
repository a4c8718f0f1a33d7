import { describe, expect, it } from "vitest";
import { storeFile, WrittenDifferentlyError } from "#media/download/save-in-folder.ts";
import { memoryFolder } from "./memory-folder.ts";

const blob = (text: string) => new Blob([text]);

describe("a file stored in a folder", () => {
  it("never replaces another file, and is not written twice", async () => {
    const { files, handle } = memoryFolder();
    expect(await storeFile(handle, "a.png", blob("one"))).toBe("a.png");
    expect(await storeFile(handle, "a.png", blob("two"))).toBe("a-2.png");
    expect(await storeFile(handle, "a.png", blob("one"))).toBe("a.png");
    expect(await storeFile(handle, "a.png", blob("two"))).toBe("a-2.png");
    expect([...files.keys()]).toEqual(["a.png", "a-2.png"]);
  });

  it.each([
    ["cut short", (bytes: Uint8Array) => bytes.slice(0, -1)],
    ["changed", (bytes: Uint8Array) => bytes.map((byte, place) => (place === 2 ? byte ^ 1 : byte))],
  ])("is removed again when what was written is %s", async (_, spoil) => {
    const { files, handle } = memoryFolder(spoil);
    await expect(storeFile(handle, "a.png", blob("some bytes"))).rejects.toBeInstanceOf(WrittenDifferentlyError);
    expect(files.size).toBe(0);
  });

  it("leaves no empty file behind when the disk is full", async () => {
    const full = () => Promise.reject(new DOMException("No room", "QuotaExceededError"));
    const { files, handle } = memoryFolder(full);
    await expect(storeFile(handle, "a.png", blob("some bytes"))).rejects.toMatchObject({ name: "QuotaExceededError" });
    expect(files.size).toBe(0);
  });

  it("rejects with any other error of the browser", async () => {
    const { handle } = memoryFolder();
    const refused = { ...handle, getFileHandle: () => Promise.reject(new DOMException("No", "NotAllowedError")) };
    await expect(storeFile(refused, "a.png", blob("x"))).rejects.toMatchObject({ name: "NotAllowedError" });
  });
});
