import { requestStream } from "./request-stream.ts";
import { SandboxError } from "./sandbox-error.ts";

/** How much one sandbox takes. In a page it is that page's memory, on a host everybody's. */
export interface Capacity {
  /** Runs and text answers until it is started again. */
  charges: number;
  /** Characters of JSON in the payloads of all its runs. */
  payloadCharacters: number;
  /** Bytes of one JSON body. */
  bodyBytes: number;
  /** Bytes of all JSON bodies that are being read at a time. */
  bodiesBytes: number;
  /** Bytes of one upload. */
  uploadBytes: number;
  /** Bytes of one stored upload. Of a larger one only the size is known. */
  storedFileBytes: number;
  /** Bytes of all stored uploads. The oldest are dropped beyond that. */
  storedBytes: number;
}

const MEGABYTE = 1024 * 1024;

export const CAPACITY: Capacity = {
  charges: 100_000,
  payloadCharacters: 64 * MEGABYTE,
  bodyBytes: 8 * MEGABYTE,
  bodiesBytes: 12 * MEGABYTE,
  uploadBytes: 4096 * MEGABYTE,
  storedFileBytes: 64 * MEGABYTE,
  storedBytes: 256 * MEGABYTE,
};

/** The sandbox has no room for another run or answer. Nothing is charged. */
export function sandboxFull(what: string): SandboxError {
  const message = `This sandbox holds ${what}, its limit until it restarts. Nothing was charged.`;
  return new SandboxError(403, message, "sandbox_full");
}

export function tooLarge(what: string, maxBytes: number): SandboxError {
  const limitText = maxBytes < MEGABYTE ? `${maxBytes} bytes` : `${Math.floor(maxBytes / MEGABYTE)} MB`;
  return new SandboxError(413, `${what} is larger than ${limitText}, which is the limit of this sandbox.`, "too_large");
}

/** Reads the bodies of requests as text. */
export type ReadText = (request: Request) => Promise<string>;

/** Throws 413 for a body that is too large, and 503 while others take up all the room. Rejects where a body breaks off. */
export function createBodyReader({ bodyBytes, bodiesBytes }: Capacity): ReadText {
  let readBytes = 0;
  return async (request) => {
    if (Number(request.headers.get("content-length") ?? 0) > bodyBytes) throw tooLarge("The body", bodyBytes);
    const pieces: Uint8Array[] = [];
    let size = 0;
    try {
      const body = await requestStream(request);
      for (const reader = body?.getReader(); reader; ) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        readBytes += value.length;
        if (size > bodyBytes) throw tooLarge("The body", bodyBytes);
        if (readBytes > bodiesBytes) throw new SandboxError(503, "The sandbox is busy. Try again.");
        pieces.push(value);
      }
      // Decoded in one go, because piece by piece it takes ten times as long.
      return new TextDecoder().decode(joined(pieces, size));
    } finally {
      readBytes -= size;
    }
  };
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
