import { parseJson } from "./read.ts";

/** The most bytes that a packed text may unpack to. A small text can be made to unpack to gigabytes. */
export const MAX_UNPACKED = 256 * 1024;
// Names the way of packing. Without it the router would read a text of digits as a number.
const PACKED = "z";

/**
 * A JSON value as a text for a link: deflated, base64url.
 * Undefined where the text is longer than `longest` characters, or the value larger than `MAX_UNPACKED`.
 */
export async function packJson(value: unknown, longest: number): Promise<string | undefined> {
  const packed = await pipeAll(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  if (!packed) return undefined;
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const packedText = PACKED + text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return packedText.length <= longest ? packedText : undefined;
}

/** The value of a packed text, or undefined for anything else. What comes back is untrusted. */
export async function unpackJson(packedText: string, longest: number): Promise<unknown> {
  if (!packedText.startsWith(PACKED) || packedText.length > longest) return undefined;
  try {
    const text = atob(packedText.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const bytes = await pipeAll(packed, new DecompressionStream("deflate-raw"));
    return bytes && parseJson(new TextDecoder().decode(bytes)).value;
  } catch {
    return undefined;
  }
}

async function pipeAll(
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
