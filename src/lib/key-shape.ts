// Recognizing a key in a text without having the key. A page knows the shape of the key that its host or its Worker
// holds, and nothing from which the key could be found.

/** Stands where the key goes in every request. Whoever holds the key puts it in. */
export const KEY_PLACEHOLDER = "[key]";

/**
 * How a key looks: its length, and checksums of its start (12 bits) and of the whole (24 bits). Together with the four
 * characters of its hint they leave a key of 20 or more characters as unguessable as it has to be. Shorter ones have no
 * checksums.
 */
export interface KeyShape {
  length: number;
  start: number;
  whole: number;
}

/** So many characters of a key's start are compared before a text is held back. */
const START_LENGTH = 8;
/** Shorter keys would be found where nobody meant them, and could be found by their checksums. */
const SHORTEST_KEY = 20;
const START_BITS = 12;
const WHOLE_BITS = 24;

/** The shape of a key. Never throws. */
export function shapeOfKey(key: string): KeyShape {
  if (key.length < SHORTEST_KEY) return { length: key.length, start: 0, whole: 0 };
  return { length: key.length, start: startOf(key, 0), whole: wholeOf(key, 0, key.length) };
}

/** Whether a text holds the key of this shape. Reads the text once; wrong by chance once in 2^36 characters. */
export function holdsKey(text: string, shape: KeyShape): boolean {
  return shape.length >= SHORTEST_KEY && findKey(text, shape, 0) >= 0;
}

/** The text with each occurrence of the key replaced by `[key]`. */
export function strikeKey(text: string, shape: KeyShape): string {
  const filter = createKeyFilter(shape);
  return filter.push(text) + filter.end();
}

/**
 * Strikes the key out of a text that arrives in parts, wherever it is cut. `push` gives what may be shown now: all but a
 * part that begins as the key does and is not whole yet. `end` gives the rest. A few first characters of the key may be
 * shown, where they arrive alone.
 */
export function createKeyFilter(shape: KeyShape): { push: (part: string) => string; end: () => string } {
  if (shape.length < SHORTEST_KEY) return { push: (part) => part, end: () => "" };
  let text = "";
  /** How much of `text` was given out already. */
  let given = 0;
  const take = (isOver: boolean): string => {
    let shown = "";
    for (let from = 0; ; ) {
      const at = findStart(text, shape, from);
      if (at < 0) break;
      if (at + shape.length > text.length && !isOver) {
        // It begins as the key does: the rest has to be seen first.
        shown += text.slice(given, Math.max(given, at));
        text = text.slice(at);
        given = Math.max(0, given - at);
        // What was given already of the start stays given.
        return shown;
      }
      if (isKeyAt(text, shape, at)) {
        shown += `${text.slice(given, Math.max(given, at))}${KEY_PLACEHOLDER}`;
        text = text.slice(at + shape.length);
        given = 0;
        from = 0;
      } else from = at + 1;
    }
    shown += text.slice(given);
    // A start of the key may be cut anywhere: its first characters are kept for comparing.
    text = text.slice(-(START_LENGTH - 1));
    given = text.length;
    return shown;
  };
  return {
    push(part) {
      text += part;
      return take(false);
    },
    end: () => take(true),
  };
}

function findKey(text: string, shape: KeyShape, from: number): number {
  for (let at = findStart(text, shape, from); at >= 0; at = findStart(text, shape, at + 1)) {
    if (isKeyAt(text, shape, at)) return at;
  }
  return -1;
}

function isKeyAt(text: string, { length, whole }: KeyShape, at: number): boolean {
  return at + length <= text.length && wholeOf(text, at, at + length) === whole;
}

/** Where a text begins as the key does, from a place on; -1 where it nowhere does. */
function findStart(text: string, { start }: KeyShape, from: number): number {
  for (let at = from; at + START_LENGTH <= text.length; at += 1) {
    if (startOf(text, at) === start) return at;
  }
  return -1;
}

function startOf(text: string, at: number): number {
  return checksum(text, at, at + START_LENGTH) % 2 ** START_BITS;
}

function wholeOf(text: string, from: number, to: number): number {
  return checksum(text, from, to) % 2 ** WHOLE_BITS;
}

/** FNV-1a over the characters, 32 bits. */
function checksum(text: string, from: number, to: number): number {
  let sum = 0x811c9dc5;
  for (let at = from; at < Math.min(to, text.length); at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}
