// Strikes a key out of bytes that pass by. Whoever holds a key uses it on everything that a service answers.
import { KEY_PLACEHOLDER } from "./key-shape.ts";

/** Shorter keys are words, and would be struck out of ordinary texts. */
const SHORTEST = 8;

/** The ways in which a service may repeat a key: as it is, inside JSON, inside an address. */
function spellingsOf(key: string): Uint8Array[] {
  const inJson = JSON.stringify(key).slice(1, -1);
  const spellings = [key, inJson, key.replaceAll("/", "\\/"), encodeURIComponent(key), btoa(key)];
  return [...new Set(spellings)].map((text) => new TextEncoder().encode(text));
}

export interface ByteStriker {
  /** What may be passed on now: everything but an end that may be the beginning of the key. */
  push(bytes: Uint8Array): Uint8Array;
  /** The rest. */
  end(): Uint8Array;
}

/** Replaces each occurrence of a key by `[key]`, wherever the bytes are cut. The key must be ASCII. */
export function createByteStriker(key: string): ByteStriker {
  if (key.length < SHORTEST) return { push: (bytes) => bytes, end: () => new Uint8Array() };
  const patterns = spellingsOf(key);
  const firsts = [...new Set(patterns.map(([first]) => first as number))];
  const placeholder = new TextEncoder().encode(KEY_PLACEHOLDER);
  let held: Uint8Array = new Uint8Array();
  return {
    push(bytes) {
      const data = held.length === 0 ? bytes : join([held, bytes]);
      const parts: Uint8Array[] = [];
      let from = 0;
      for (let at = nextOf(data, firsts, 0); at >= 0; ) {
        const found = patterns.find((pattern) => isAt(data, pattern, at) && at + pattern.length <= data.length);
        if (found) {
          parts.push(data.subarray(from, at), placeholder);
          from = at + found.length;
          at = nextOf(data, firsts, from);
        } else if (patterns.some((pattern) => isAt(data, pattern, at))) {
          held = data.slice(at);
          parts.push(data.subarray(from, at));
          return join(parts);
        } else at = nextOf(data, firsts, at + 1);
      }
      held = new Uint8Array();
      if (from === 0) return data;
      parts.push(data.subarray(from));
      return join(parts);
    },
    end() {
      const rest = held;
      held = new Uint8Array();
      return rest;
    },
  };
}

/** The text with the key struck out, in each of its spellings. */
export function strikeFromText(text: string, key: string): string {
  const striker = createByteStriker(key);
  const decoder = new TextDecoder();
  return decoder.decode(striker.push(new TextEncoder().encode(text)), { stream: true }) + decoder.decode(striker.end());
}

function nextOf(data: Uint8Array, firsts: number[], from: number): number {
  const places = firsts.map((first) => data.indexOf(first, from)).filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** Whether the pattern begins there, as far as the bytes go. */
function isAt(data: Uint8Array, pattern: Uint8Array, at: number): boolean {
  const length = Math.min(pattern.length, data.length - at);
  for (let index = 0; index < length; index += 1) if (data[at + index] !== pattern[index]) return false;
  return true;
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
