import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FileWriter, KeptFile } from "#sandbox/endpoints/kept-file.ts";

/** A temporary file that has no name any more: the system removes it with the process, however that ends. */
export async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `safelight-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}

/** An upload of the sandbox on the disk, so that many of them take no memory. */
export async function openUploadFile(): Promise<FileWriter> {
  const file = await openNameless();
  let size = 0;
  return {
    async append(bytes) {
      await file.appendFile(bytes);
      size += bytes.length;
    },
    finish: () => keptFile(file, size),
    discard: () => void file.close().catch(() => {}),
  };
}

function keptFile(file: FileHandle, size: number): KeptFile {
  let readers = 0;
  let isDiscarded = false;
  const closeUnused = () => {
    if (isDiscarded && readers === 0) file.close().catch(() => {});
  };
  return {
    size,
    read(first, last) {
      readers += 1;
      const stream = file.createReadStream({ start: first, end: last, autoClose: false });
      stream.once("close", () => {
        readers -= 1;
        closeUnused();
      });
      return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
    },
    discard() {
      isDiscarded = true;
      closeUnused();
    },
  };
}
