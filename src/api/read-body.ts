import { NoAnswerError, UnreadableAnswerError } from "./api-error.ts";

/**
 * Reads a body as text and stops at `maxBytes`, so that an endless answer cannot fill the memory.
 * With `truncate` the start is returned; otherwise too much is an `UnreadableAnswerError`. A connection that breaks in
 * the middle is a `NoAnswerError`.
 */
export async function readBody(
  response: Response,
  { maxBytes, truncate = false }: { maxBytes: number; truncate?: boolean },
): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await readChunk(reader);
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
    if (bytes <= maxBytes) continue;
    reader.cancel().catch(() => {});
    if (truncate) return text.slice(0, maxBytes);
    throw new UnreadableAnswerError({ status: response.status, excerpt: text, reason: "The answer is too large." });
  }
}

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (cause) {
    throw new NoAnswerError({ cause });
  }
}
