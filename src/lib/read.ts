// The one way to read JSON that comes from outside: the service, the browser's storage, a URL, a file, a person.
// What is not of the kind asked for is undefined; `asRecord` and the readers of lists give an empty one instead. Of broken
// input only `parseSafely` throws.

/** A JSON object as it came: any keys, nothing trusted. */
export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text, the empty one included. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A text with at least one character. */
export function asFilledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A text of a URL with at least one character. The router has made numbers and booleans of digits, true and false. */
export function asAddressText(value: unknown): string | undefined {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : asFilledText(value);
}

/** A finite number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A finite number, also where it is written as a text such as `"0.5"`. */
export function asLooseNumber(value: unknown): number | undefined {
  return asNumber(typeof value === "string" && value.trim() !== "" ? Number(value) : value);
}

/** One of a few known words. */
export function asOneOf<Word>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value);
}

/** The record, or one without keys. */
export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The list, or an empty one. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list, in order. */
export function asTexts(value: unknown): string[] {
  return asList(value).filter((item) => typeof item === "string");
}

/** The records of a list, in order. */
export function asRecords(value: unknown): JsonRecord[] {
  return asList(value).filter(isRecord);
}

/** What lies below `value` at the end of a path of keys and positions. */
export function atPath(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at) && typeof step === "number") at = at[step];
    else if (isRecord(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}

// Readers of a field that may have any of several names. Each asks for the value before it asks whether the record itself
// has it: most keys are absent, and a long parameter listing is asked for thousands of them.

/**
 * The first of `keys` that `source` itself has with a value. A key such as `constructor` never finds the prototype's.
 */
export function ownValue(source: JsonRecord, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = source[key];
    if (value !== undefined && Object.hasOwn(source, key)) return value;
  }
  return undefined;
}

/** The first text of these fields that is not blank. */
export function ownString(source: JsonRecord, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = source[key];
    if (typeof value === "string" && value.trim() && Object.hasOwn(source, key)) return value;
  }
  return undefined;
}

/** The first finite number of these fields, also where it is written as a text (in-the-wild 1, trap 1). */
export function ownNumber(source: JsonRecord, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = source[key];
    if (value === undefined || !Object.hasOwn(source, key)) continue;
    const number = asLooseNumber(value);
    if (number !== undefined) return number;
  }
  return undefined;
}

export function ownRecord(source: JsonRecord, ...keys: readonly string[]): JsonRecord | undefined {
  for (const key of keys) {
    const value = source[key];
    if (isRecord(value) && Object.hasOwn(source, key)) return value;
  }
  return undefined;
}

export function ownArray(source: JsonRecord, ...keys: readonly string[]): readonly unknown[] | undefined {
  for (const key of keys) {
    const value = source[key];
    if (Array.isArray(value) && Object.hasOwn(source, key)) return value;
  }
  return undefined;
}

/** A copy with one key set as its own property: safe for a key named `__proto__`. */
export function withKey(source: JsonRecord, key: string, value: unknown): JsonRecord {
  return { ...source, [key]: value };
}

export function withoutKey(source: JsonRecord, key: string): JsonRecord {
  return Object.fromEntries(Object.entries(source).filter(([name]) => name !== key));
}

/**
 * Whether two JSON values are equal, keys in any order. `1` and `1.0` are one number; `"1"` is another value. Overflows
 * the stack where both are nested thousands of levels deep.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/**
 * JSON text from anywhere as a value, without the keys of `UNSAFE_KEYS`; undefined for anything that is no JSON, and for
 * no text at all.
 */
export function tryParseJson(text: string | null | undefined): unknown {
  try {
    return typeof text === "string" ? parseSafely(text) : undefined;
  } catch {
    return undefined;
  }
}

/** `JSON.parse` without the keys of `UNSAFE_KEYS`. Throws `SyntaxError` for what is no JSON. */
export function parseSafely(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // A key may be written with escapes, so any escape is reason enough to look.
  if (/__proto__|constructor|prototype|\\u/.test(text)) dropUnsafeKeys(value);
  return value;
}

/**
 * JSON text that a person wrote, as a value, or why it is not JSON, in the parser's words and at most 120 characters. A
 * whole number that JavaScript cannot hold exactly is a problem, because it would be sent as another one. A number with
 * a decimal point is not: it is rounded, as everywhere.
 */
export function parseJson(
  text: string,
): { value: unknown; problem?: undefined } | { value?: undefined; problem: string } {
  const inexact = inexactNumber(text);
  if (inexact !== undefined) return { problem: `The number ${inexact} can’t be saved exactly` };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : "not readable";
    const short = message.replace(/^JSON\.parse: /, "").replace(/,? (in|of) JSON/, "");
    return { problem: short.replace(/"[^"]{40,}"/, "the text").slice(0, 120) };
  }
}

/** The first number of a JSON text that is whole and would change when it is read, or is beyond all numbers. */
function inexactNumber(text: string): string | undefined {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const numbers = bare.match(/-?\d[\d.]*(?:[eE][+-]?\d+)?/g) ?? [];
  return numbers.find((number) => {
    const value = Number(number);
    return /^-?\d+$/.test(number) ? !Number.isSafeInteger(value) && String(value) !== number : !Number.isFinite(value);
  });
}

const MAX_DEPTH = 64;
/** Records and lists together. */
const MAX_CONTAINERS = 400_000;
/** Keys by which a careless copy reaches a prototype. No service needs them. */
const UNSAFE_KEYS = ["__proto__", "constructor", "prototype"];

/**
 * Makes a parsed value safe to walk and to copy: drops the keys of `UNSAFE_KEYS` in place. False where the value is
 * deeper than 64 levels or has more than 400,000 records and lists.
 */
export function makeSafe(root: unknown): boolean {
  return dropUnsafeKeys(root, { maxDepth: MAX_DEPTH, maxContainers: MAX_CONTAINERS });
}

/** Drops unsafe keys in place, and stops with false beyond a limit. Without limits it always ends with true. */
function dropUnsafeKeys(
  root: unknown,
  { maxDepth, maxContainers } = { maxDepth: Number.POSITIVE_INFINITY, maxContainers: Number.POSITIVE_INFINITY },
): boolean {
  // Level by level, without recursion: a response nested 100,000 deep must not end the page.
  let level: unknown[] = [root];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    seen += level.length;
    if (seen > maxContainers) return false;
    const next: unknown[] = [];
    for (const value of level) {
      if (Array.isArray(value)) pushContainers(next, value);
      else if (isRecord(value)) {
        for (const key of UNSAFE_KEYS) if (Object.hasOwn(value, key)) Reflect.deleteProperty(value, key);
        pushContainers(next, Object.values(value));
      }
      if (next.length > maxContainers) return false;
    }
    level = next;
  }
  return true;
}

function pushContainers(into: unknown[], values: unknown[]): void {
  for (const value of values) if (typeof value === "object" && value !== null) into.push(value);
}
