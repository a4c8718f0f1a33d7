import { describe, expect, it } from "vitest";
import type { FolderFile, FolderHandle } from "#media/archive/folder-handle.ts";
import { keepFile, WrittenDifferentlyError } from "#media/archive/keep-file.ts";

/** A folder as the browser gives it, in memory; `spoil` changes what is written, as a full or broken disk may. */
function folder(spoil = (bytes: Uint8Array) => bytes) {
  const files = new Map<string, Uint8Array>();
  const file = (name: string): FolderFile => ({
    getFile: async () => new File([(files.get(name) ?? new Uint8Array()).slice()], name),
    createWritable: async () => {
      const parts: Uint8Array[] = [];
      return new WritableStream<Uint8Array>({
        write: (part) => void parts.push(part),
        close: () => void files.set(name, spoil(Buffer.concat(parts))),
      });
    },
  });
  const handle: FolderHandle = {
    name: "archive",
    getFileHandle: async (name, { create = false } = {}) => {
      if (!files.has(name) && !create) throw new DOMException("No such file", "NotFoundError");
      if (!files.has(name)) files.set(name, new Uint8Array());
      return file(name);
    },
    removeEntry: async (name) => void files.delete(name),
  };
  return { files, handle };
}
const blob = (text: string) => new Blob([text]);

describe("a file kept in a folder", () => {
  it("never takes the place of another, and is not written twice", async () => {
    const { files, handle } = folder();
    expect(await keepFile(handle, "a.png", blob("one"))).toBe("a.png");
    expect(await keepFile(handle, "a.png", blob("two"))).toBe("a-2.png");
    expect(await keepFile(handle, "a.png", blob("one"))).toBe("a.png");
    expect(await keepFile(handle, "a.png", blob("two"))).toBe("a-2.png");
    expect([...files.keys()]).toEqual(["a.png", "a-2.png"]);
  });

  it.each([
    ["cut short", (bytes: Uint8Array) => bytes.slice(0, -1)],
    ["changed", (bytes: Uint8Array) => bytes.map((byte, place) => (place === 2 ? byte ^ 1 : byte))],
  ])("is taken out again where what was written is %s", async (_, spoil) => {
    const { files, handle } = folder(spoil);
    await expect(keepFile(handle, "a.png", blob("some bytes"))).rejects.toBeInstanceOf(WrittenDifferentlyError);
    expect(files.size).toBe(0);
  });

  it("passes on any other refusal of the browser", async () => {
    const { handle } = folder();
    const refused = { ...handle, getFileHandle: () => Promise.reject(new DOMException("No", "NotAllowedError")) };
    await expect(keepFile(refused, "a.png", blob("x"))).rejects.toMatchObject({ name: "NotAllowedError" });
  });
});
