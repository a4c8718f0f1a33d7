import { UnreadableAnswerError } from "./api-error.ts";
import { readChunk } from "./read-chunk.ts";

interface Bounds {
  maxBytes: number;
  /** Ends the reading at once. */
  signal: AbortSignal;
  /** Too much is no error: the start is returned. */
  truncate?: boolean;
}

/**
 * Reads a body as text and stops at `maxBytes`, so that an endless answer cannot fill the memory: too much is an
 * `UnreadableAnswerError`. A connection that breaks in the middle is a `NoAnswerError`, an abort the signal's reason.
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
      throw new UnreadableAnswerError({ status: response.status, excerpt: text, reason: "The answer is too large." });
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
