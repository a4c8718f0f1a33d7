import { holdsKey, type KeyShape } from "#lib/key-shape.ts";
import { isRecord, type JsonRecord, parseJson } from "#lib/read.ts";
import { LONGEST_P } from "./create-search.ts";

/** What a link may unfold to. A small one can be made to unfold without end. */
const MOST_BYTES = 256 * 1024;
// Names the way of packing, and prevents that the router reads digits as a number.
const PACKED = "z";

/** A payload as the `p` of a link: JSON, deflated, base64url. Undefined where it would be too long for a link. */
export async function writeSharedPayload(payload: JsonRecord): Promise<string | undefined> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(payload)), new CompressionStream("deflate-raw"));
  if (!packed) return undefined;
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const words = PACKED + text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return words.length <= LONGEST_P ? words : undefined;
}

/** The payload of a link, or undefined for anything that is none. What comes back is untrusted. */
export async function readSharedPayload(words: string): Promise<JsonRecord | undefined> {
  if (!words.startsWith(PACKED) || words.length > LONGEST_P) return undefined;
  try {
    const text = atob(words.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"));
    const { value } = parseJson(new TextDecoder().decode(bytes));
    return bytes && isRecord(value) ? value : undefined;
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
    if (length > MOST_BYTES) return undefined;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

interface Sharable {
  payload: JsonRecord;
  /** How many values were left out. */
  leftOut: number;
}

/**
 * A payload without what is not for others: the key, should someone have pasted it into a field, inline files, and files
 * stored from this device. Everything else stays key for key.
 */
export function sharablePayload(
  payload: JsonRecord,
  { keyShape, ownAddresses }: { keyShape: KeyShape | undefined; ownAddresses: ReadonlySet<string> },
): Sharable {
  let leftOut = 0;
  const isPrivate = (text: string) =>
    /^(blob|data|file):/i.test(text) || ownAddresses.has(text) || (keyShape !== undefined && holdsKey(text, keyShape));
  function publicValue(value: unknown): unknown {
    if (typeof value === "string" && isPrivate(value)) {
      leftOut += 1;
      return undefined;
    }
    if (Array.isArray(value)) return value.map(publicValue).filter((item) => item !== undefined);
    return isRecord(value) ? publicRecord(value) : value;
  }
  function publicRecord(record: JsonRecord): JsonRecord {
    const entries = Object.entries(record).map(([name, value]): [string, unknown] => [name, publicValue(value)]);
    return Object.fromEntries(
      entries.filter(([name, value]) => value !== undefined && !(isEmptyList(value) && !isEmptyList(record[name]))),
    );
  }
  return { payload: publicRecord(payload), leftOut };
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
