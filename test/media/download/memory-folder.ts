import type { FolderFile, FolderHandle } from "#media/download/archive-folder.ts";

/** A folder as the browser gives it, in memory; `spoil` changes what is written, as a full or broken disk may. */
export function memoryFolder(spoil: (bytes: Uint8Array) => Uint8Array | Promise<never> = (bytes) => bytes) {
  const files = new Map<string, Uint8Array>();
  const file = (name: string): FolderFile => ({
    getFile: async () => new File([(files.get(name) ?? new Uint8Array()).slice()], name),
    createWritable: async () => {
      const parts: Uint8Array[] = [];
      return new WritableStream<Uint8Array>({
        write: (part) => void parts.push(part),
        close: async () => void files.set(name, await spoil(Buffer.concat(parts))),
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
