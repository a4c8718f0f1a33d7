import { RelayRefusal } from "../relay/relay-refusal.ts";

/**
 * The whole body of a request as text. Throws a RelayRefusal, `too_large` past `maxBytes`, and `too_slow` where it has
 * not come within `longestMs`.
 */
export async function readTextUpTo(request: Request, maxBytes: number, longestMs: number): Promise<string> {
  const tooLarge = () => new RelayRefusal(413, "too_large", `The request is larger than ${maxBytes} bytes.`);
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) throw tooLarge();
  const reader = request.body?.getReader();
  if (!reader) return "";
  let deadline: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const refusal = new RelayRefusal(408, "too_slow", "The request arrived too slowly.");
    deadline = setTimeout(() => reject(refusal), longestMs);
  });
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > maxBytes) throw tooLarge();
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    clearTimeout(deadline);
    reader.releaseLock();
  }
}
