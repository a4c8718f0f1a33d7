import { NoAnswerError } from "./api-error.ts";

type Chunk = ReadableStreamReadResult<Uint8Array>;

/**
 * The next piece of a body. An abort ends the wait at once, with the signal's reason: the signal that the request was
 * made with is not enough, for Node loses its trail now and then once a body has begun. A connection that breaks is a
 * `NoAnswerError`.
 */
export function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<Chunk> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const settle = (end: () => void) => {
      signal.removeEventListener("abort", stop);
      end();
    };
    reader.read().then(
      (chunk) => settle(() => resolve(chunk)),
      (cause: unknown) => settle(() => reject(signal.aborted ? signal.reason : new NoAnswerError({ cause }))),
    );
  });
}
