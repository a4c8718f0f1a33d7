import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileWriter, StoredFile } from "#sandbox/endpoints/stored-file.ts";

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
    finish: () => storedFile(file, size),
    discard: () => void file.close().catch(() => {}),
  };
}

const CHUNK_BYTES = 256 * 1024;

function storedFile(file: FileHandle, size: number): StoredFile {
  return {
    size,
    // Read piece by piece as it is asked for, so that a reader who stops asking leaves nothing open.
    read(first, last) {
      let at = first;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const length = Math.min(CHUNK_BYTES, last + 1 - at);
            const { bytesRead, buffer } = await file.read({ buffer: new Uint8Array(length), position: at });
            if (bytesRead === 0) throw new Error("The file ended early.");
            at += bytesRead;
            controller.enqueue(buffer.subarray(0, bytesRead));
            if (at > last) controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    },
    // Whoever still reads gets no more: it was deleted, or had to make room.
    discard: () => void file.close().catch(() => {}),
  };
}
