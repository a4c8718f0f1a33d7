import { makeSafe } from "#lib/read.ts";
import { NoAnswerError, UnreadableAnswerError } from "./api-error.ts";

interface Bounds {
  maxBytes: number;
  /** Ends the reading at once. */
  signal: AbortSignal;
  /** A body that is too long is no error: its start is returned. */
  truncate?: boolean;
}

/**
 * Reads a body as text and stops at `maxBytes`, so that an endless answer cannot fill the memory. Rejects with
 * `UnreadableAnswerError` when it is longer (unless `truncate`), with `NoAnswerError` when the connection breaks in the
 * middle, and with the signal's reason on an abort.
 */
export async function readBody(response: Response, { maxBytes, signal, truncate = false }: Bounds): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await readChunk(reader, signal);
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
      if (bytes <= maxBytes) continue;
      if (truncate) return text.slice(0, maxBytes);
      throw new UnreadableAnswerError({ status: response.status, excerpt: text, reason: "The response is too large." });
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

type Chunk = ReadableStreamReadResult<Uint8Array>;

/**
 * The next piece of a body. An abort ends the wait at once: the signal that the request was made with is not enough,
 * because Node sometimes ignores it once a body has begun. Rejects with the signal's reason on an abort, and with
 * `NoAnswerError` when the connection breaks.
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

/**
 * Parses the text of an answer, and drops the keys by which a later copy would reach a prototype (`makeSafe`). Throws
 * `UnreadableAnswerError` where the text is no JSON, nested too deeply or too large.
 */
export function readJson(text: string, status: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableAnswerError({ status, excerpt: text, reason: "The response is not JSON." });
  }
  if (!makeSafe(value)) {
    throw new UnreadableAnswerError({
      status,
      excerpt: text,
      reason: "The response is nested too deeply or too large.",
    });
  }
  return value;
}
