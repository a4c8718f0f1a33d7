import { parseJson } from "./read.ts";

/** What a packed text may unfold to. A small one can be made to unfold without end. */
export const MAX_UNPACKED = 256 * 1024;
// Names the way of packing, and prevents that the router reads digits as a number.
const PACKED = "z";

/** A JSON value as a text for a link: deflated, base64url. Undefined where it has more characters than `longest`. */
export async function packJson(value: unknown, longest: number): Promise<string | undefined> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  if (!packed) return undefined;
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const words = PACKED + text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return words.length <= longest ? words : undefined;
}

/** The value of a packed text, or undefined for anything else. What comes back is untrusted. Never rejects. */
export async function unpackJson(words: string, longest: number): Promise<unknown> {
  if (!words.startsWith(PACKED) || words.length > longest) return undefined;
  try {
    const text = atob(words.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"));
    return bytes && parseJson(new TextDecoder().decode(bytes)).value;
  } catch {
    return undefined;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  pipe: ReadableWritablePair<Uint8Array<ArrayBuffer>, BufferSource>,
): Promise<Uint8Array | undefined> {
  const source = new ReadableStream<BufferSource>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source.pipeThrough(pipe)) {
    parts.push(part);
    length += part.length;
    if (length > MAX_UNPACKED) return undefined;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
