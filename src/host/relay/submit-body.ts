import type { Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { openNameless } from "../nameless-file.ts";

/** The whole body of a request, ready to be sent. */
export interface SubmitBody {
  length: number;
  /** The bytes, or a stream of them; each call begins anew. */
  content(): Buffer | Readable;
  /** Gives up the space it takes. */
  discard(): Promise<void>;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Small, because hundreds of requests may come at a time. */
const MAX_BYTES_IN_MEMORY = 128 * 1024;

/**
 * Reads a body to its end: a small one into memory, a large one into a temporary file, so that many large ones
 * at once take no memory. Each byte goes through the hash as well. Rejects with a TypeError when the body breaks off or is
 * larger than 64 MB, and with the error of the system when it cannot be set aside.
 */
export async function readSubmitBody(incoming: Readable, hash: Hash): Promise<SubmitBody> {
  const chunks: Buffer[] = [];
  let length = 0;
  let file: FileHandle | undefined;
  try {
    for await (const chunk of whole(incoming)) {
      length += chunk.length;
      if (length > MAX_BYTES) throw new TypeError("The body is too large.");
      hash.update(chunk);
      if (file) await file.appendFile(chunk);
      else chunks.push(chunk);
      if (!file && length > MAX_BYTES_IN_MEMORY) {
        file = await openNameless();
        await file.appendFile(Buffer.concat(chunks.splice(0)));
      }
    }
  } catch (error) {
    await file?.close();
    throw error;
  }
  if (!file) {
    const bytes = Buffer.concat(chunks, length);
    return { length, content: () => bytes, discard: async () => {} };
  }
  const spooled = file;
  return {
    length,
    content: () => spooled.createReadStream({ start: 0, autoClose: false }),
    discard: () => spooled.close(),
  };
}

async function* whole(incoming: Readable): AsyncGenerator<Buffer> {
  try {
    // The connection stays, for the answer that says what is wrong.
    yield* incoming.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw new TypeError("The body was cut off.", { cause: error });
  }
}
