// Strikes a key out of bytes that pass by. Whoever holds a key uses it on everything that a service answers.
import { KEY_PLACEHOLDER } from "./key-shape.ts";

/** Shorter keys are words, and would be struck out of ordinary texts. */
const SHORTEST = 8;
/** Shorter parts of an encoded key are left: they reveal little, and stand in ordinary texts. */
const SHORTEST_CODED = 12;

/** The spellings of a character as bytes, the longest first, by the first of their bytes. */
type Spellings = readonly (readonly Uint8Array[] | undefined)[];
/** A text as the spellings of each of its characters. */
type Pattern = readonly Spellings[];

export interface ByteStriker {
  /** What may be passed on now: everything but an end that may be the beginning of the key. */
  push(bytes: Uint8Array): Uint8Array;
  /** The rest. */
  end(): Uint8Array;
}

/**
 * Replaces each occurrence of a key by `[key]`, wherever the bytes are cut. It is found as it is, in hexadecimal digits
 * and in base64, also as a part of a longer text, and each character of it may be escaped as in JSON, in an address or in
 * HTML. The key must be ASCII.
 */
export function createByteStriker(key: string): ByteStriker {
  if (key.length < SHORTEST) return { push: (bytes) => bytes, end: () => new Uint8Array() };
  const patterns = codingsOf(key).map((text) => Array.from(text, spellingsOf));
  const byFirst: Pattern[][] = [];
  const isFirst = new Uint8Array(256);
  for (const pattern of patterns) {
    pattern[0]?.forEach((_, byte) => {
      isFirst[byte] = 1;
      byFirst[byte] = [...(byFirst[byte] ?? []), pattern];
    });
  }
  const placeholder = new TextEncoder().encode(KEY_PLACEHOLDER);
  let held: Uint8Array = new Uint8Array();
  const take = (data: Uint8Array, isOver: boolean): Uint8Array => {
    const parts: Uint8Array[] = [];
    held = new Uint8Array();
    let from = 0;
    for (let at = 0; at < data.length; at += 1) {
      if (isFirst[data[at] as number] === 0) continue;
      const length = matchAt(data, at, byFirst[data[at] as number] ?? [], isOver);
      if (length === "begins") {
        held = data.slice(at);
        parts.push(data.subarray(from, at));
        return join(parts);
      }
      if (length === 0) continue;
      parts.push(data.subarray(from, at), placeholder);
      from = at + length;
      at = from - 1;
    }
    if (from === 0) return data;
    parts.push(data.subarray(from));
    return join(parts);
  };
  return {
    push: (bytes) => take(held.length === 0 ? bytes : join([held, bytes]), false),
    end: () => take(held, true),
  };
}

/** The text with the key struck out, in each of its spellings. */
export function strikeFromText(text: string, key: string): string {
  return createTextStriker(key)(text);
}

/** The same for many texts, by one striker that has ended or not begun. */
export function createTextStriker(key: string, striker = createByteStriker(key)): (text: string) => string {
  return (text) => {
    // Whole texts that are shorter than any spelling: most headers.
    if (text.length < Math.min(key.length, SHORTEST_CODED)) return text;
    const decoder = new TextDecoder();
    const start = decoder.decode(striker.push(new TextEncoder().encode(text)), { stream: true });
    return start + decoder.decode(striker.end());
  };
}

/** The key, and what of it is the same in every text that has it within and is encoded as a whole. The longest first. */
function codingsOf(key: string): string[] {
  const hex = Array.from(key, (character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const inBase64 = [0, 1, 2].map((before) => {
    const coded = btoa(`${" ".repeat(before)}${key}`);
    // Characters at both ends depend on what stands beside the key.
    const wholeBits = (before + key.length) * 8;
    return coded.slice(Math.ceil((before * 8) / 6), Math.floor(wholeBits / 6));
  });
  const urlSafe = inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const coded = [btoa(key), ...inBase64, ...urlSafe, hex, hex.toUpperCase()];
  return [key, ...new Set(coded.filter((text) => text.length >= SHORTEST_CODED))];
}

/** A character as it is, and escaped for JSON, for an address (once or twice) and for HTML. */
function spellingsOf(character: string): Spellings {
  const known = SPELLINGS.get(character);
  if (known) return known;
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, "0");
  const both = [hex, hex.toUpperCase()];
  const spellings = [
    character,
    ...both.flatMap((digits) => [`%${digits}`, `%25${digits}`, `\\u00${digits}`, `&#x${digits};`, `&#X${digits};`]),
    `&#${code};`,
    ...('"\\/'.includes(character) ? [`\\${character}`] : []),
    ...(NAMED[character] ?? []),
  ];
  // The longest first: a `%` in the key is itself the beginning of an escape.
  const sorted = [...new Set(spellings)]
    .sort((a, b) => b.length - a.length)
    .map((text) => new TextEncoder().encode(text));
  const byFirst: Uint8Array[][] = [];
  for (const spelling of sorted) {
    const first = spelling[0] as number;
    byFirst[first] = [...(byFirst[first] ?? []), spelling];
  }
  SPELLINGS.set(character, byFirst);
  return byFirst;
}

/** Of each character that was ever part of a key, and so of no key in particular. */
const SPELLINGS = new Map<string, Spellings>();

const NAMED: Record<string, string[]> = {
  "&": ["&amp;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  '"': ["&quot;"],
  "'": ["&apos;"],
};

/**
 * How many bytes there are the first of the patterns that fits, 0 where none does, `begins` where more bytes have to be
 * seen first. Nothing more comes where it `isOver`.
 */
function matchAt(data: Uint8Array, at: number, patterns: readonly Pattern[], isOver: boolean): number | "begins" {
  for (const pattern of patterns) {
    const length = lengthAt(data, at, pattern);
    if (length === "begins" ? !isOver : length > 0) return length;
  }
  return 0;
}

function lengthAt(data: Uint8Array, start: number, pattern: Pattern): number | "begins" {
  let at = start;
  for (const spellings of pattern) {
    if (at === data.length) return "begins";
    let longest = 0;
    for (const spelling of spellings[data[at] as number] ?? []) {
      const same = sameBytes(data, spelling, at);
      if (same === spelling.length) {
        longest = same;
        break;
      }
      if (at + same === data.length) return "begins";
    }
    if (longest === 0) return 0;
    at += longest;
  }
  return at - start;
}

/** How many first bytes of a spelling stand there. */
function sameBytes(data: Uint8Array, spelling: Uint8Array, at: number): number {
  let same = 0;
  while (same < spelling.length && at + same < data.length && data[at + same] === spelling[same]) same += 1;
  return same;
}

function join(parts: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
