// Takes secrets out of texts, JSON, URLs and bytes. What one looks like is in `secret-shape.ts`. Whoever holds a key
// takes out that key itself; the page, which does not have it, takes out what has its shape. At the end: what must not leave
// this browser besides.
import { isRecord, type JsonRecord } from "./read.ts";
import {
  findKeySpan,
  findKeyStart,
  findSecret,
  findSomeKey,
  isKeyAt,
  isSecretName,
  KEY_PLACEHOLDER,
  type KeyShape,
  MAX_DEPTH,
  SHORTEST_KEY,
  START_LENGTH,
} from "./secret-shape.ts";

/** Stands in a URL where a key or a signature was. */
const REMOVED = "[removed]";

/**
 * Takes the key out of a text that arrives in parts, wherever it is cut. `push` gives what may be shown now: all but a
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
      const at = findKeyStart(text, shape, from);
      if (at < 0) break;
      if (at + shape.length > text.length && !isOver) {
        // It begins as the key does: the rest has to be seen first.
        shown += text.slice(given, Math.max(given, at));
        text = text.slice(at);
        given = Math.max(0, given - at);
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
    // The last characters stay in `text`, because the key may begin in them.
    text = text.slice(1 - START_LENGTH);
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

/**
 * Replaces the connection's own key by `[key]` in a text, or in every text and name of a JSON value, in any spelling that
 * `findKeySpan` reads. A value without the key is returned as the same object.
 */
export function redactKey<T>(value: T, shape: KeyShape | undefined): T {
  if (shape === undefined) return value;
  const { changed, hasChanged } = changeTexts(value, (text) => {
    let rest = text;
    for (let span = findKeySpan(rest, shape); span; span = findKeySpan(rest, shape)) {
      rest = rest.slice(0, span.from) + KEY_PLACEHOLDER + rest.slice(span.to);
    }
    return rest;
  });
  return hasChanged ? (changed as T) : value;
}

/**
 * A JSON value for diagnostics. Every text and every name in it is without the key, without queries, fragments and user
 * names of URLs, and without what follows "Bearer" or "Basic"; of a long one the first 500 characters stay. An object
 * within itself becomes undefined.
 */
export function redactValue(value: unknown, shape?: KeyShape | undefined): unknown {
  return changeTexts(value, (text) => redactText(text, shape)).changed;
}

/** Queries and fragments of URLs, where signatures and keys are, and names and passwords before a host. */
const AFTER_ADDRESS = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>?#]*)[?#][^\s"'<>]*/gi;
const BEFORE_HOST = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s"'<>/?#@]*@/gi;
/** Characters of a text in diagnostics. The texts that they need are shorter. */
const MAX_TEXT_LENGTH = 500;
const BEARER = /\b(bearer|basic)\s+\S+/gi;

function redactText(text: string, shape?: KeyShape | undefined): string {
  // The key first: a cut one would not be found.
  return redactKey(text, shape)
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(BEFORE_HOST, "$1")
    .replaceAll(AFTER_ADDRESS, "$1")
    .replaceAll(BEARER, (_, scheme: string) => `${scheme} [key]`);
}

/** A JSON value with `change` made to every text and every name in it, and whether that changed any. */
function changeTexts(value: unknown, change: (text: string) => string): { changed: unknown; hasChanged: boolean } {
  const enclosing = new WeakSet<object>();
  let hasChanged = false;
  const changeOne = (text: string): string => {
    const next = change(text);
    hasChanged ||= next !== text;
    return next;
  };
  const visit = (one: unknown, depth: number): unknown => {
    if (typeof one === "string") return changeOne(one);
    if (typeof one !== "object" || one === null || depth > MAX_DEPTH) return one;
    if (enclosing.has(one)) return undefined;
    enclosing.add(one);
    let next: unknown = one;
    if (Array.isArray(one)) next = one.map((inner) => visit(inner, depth + 1));
    // Only plain objects, by their tag: dates, files and buffers stay as they are.
    else if (Object.prototype.toString.call(one) === "[object Object]") {
      next = Object.fromEntries(Object.entries(one).map(([name, inner]) => [changeOne(name), visit(inner, depth + 1)]));
    }
    // The same object may stand in a value twice, as long as it is not within itself.
    enclosing.delete(one);
    return next;
  };
  return { changed: visit(value, 0), hasChanged };
}

/**
 * A URL as it may be shown, logged, exported or put into code: without user and password, and with the values of
 * keys and signatures replaced by `[removed]`, in the path (`/key/…`), the query and the fragment. What is no URL
 * stays as it is, and so does one that carries nothing of the kind, to the letter.
 */
function redactAddress(address: string): string {
  return ADDRESS.test(address) ? redactParts(address, { drops: false, depth: 0 }) : address;
}

/** A text with every URL in it as it may be shown. */
export function redactAddresses(text: string): string {
  if (!text.includes("://")) return text;
  // Alone, a URL may hold any sign. Within a text a quote ends it, but not an apostrophe after which it goes on.
  if (ADDRESS.test(text) && !/\s/.test(text)) return redactAddress(text);
  return text.replace(/\bhttps?:\/\/(?:[^\s"'<>`\\]|'(?=[\w/?#&=%.-]))+/gi, redactAddress);
}

/** A JSON value with every URL in its texts as it may be shown. */
export function redactAddressesIn(value: unknown): unknown {
  return changeTexts(value, redactAddresses).changed;
}

/**
 * The page's own URL without anything that looks like a key, and without the name before it. Stricter than
 * `redactAddress`: whatever stands after a folder such as `key` is left out. The rest stays to the letter.
 */
export function cleanPageAddress(address: string): string {
  return redactParts(address, { drops: true, depth: 0 });
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
const PARTS = /^(?:([a-z][a-z0-9+.-]*:\/\/)([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/is;
/** How deep URLs inside URLs are searched; a deeper one is removed whole. */
const MAX_NESTED = 5;

interface Redaction {
  /** Whether what is secret is left out, with its name, or replaced by `[removed]`. */
  drops: boolean;
  /** How many other URLs this one stands within. */
  depth: number;
}

/** A whole URL, or one without scheme and host. */
function redactParts(address: string, redaction: Redaction): string {
  const [, scheme = "", authority = "", path = "", query = "", fragment = ""] = PARTS.exec(address) ?? [];
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return (
    scheme + host + redactPath(path, redaction) + redactQuery(query, redaction) + redactFragment(fragment, redaction)
  );
}

function redactPath(path: string, { drops }: Redaction): string {
  const folders = path.split("/");
  const followsSecretName = (name: string, at: number) => {
    const previous = decoded(folders[at - 1] ?? "");
    if (at === 0 || !isSecretName(previous)) return false;
    // In a foreign URL `token` may be any folder: only what is long and has a digit is a key after it.
    return drops ? name !== "" : name.length >= 8 && /\d/.test(name) && /^[\w-]{2,20}$/.test(previous);
  };
  const rest = folders.flatMap((folder, at): string[] => {
    const name = decoded(folder);
    const [word = "", ...values] = name.split("=");
    const isAssigned = values.length > 0 && isSecretName(word);
    if (drops) {
      // The name before a key says that there was one.
      const isName = isSecretName(name) && at + 1 < folders.length;
      return isName || isAssigned || followsSecretName(name, at) || looksSecret(name) ? [] : [folder];
    }
    if (followsSecretName(name, at) || looksSecret(name)) return [REMOVED];
    return [isAssigned ? `${word}=${REMOVED}` : folder];
  });
  return rest.length === folders.length ? rest.join("/") : rest.join("/") || "/";
}

/** A query with its `?`, which goes with the last part of it. */
function redactQuery(query: string, redaction: Redaction): string {
  if (query.length < 2) return query;
  const rest = redactList(query.slice(1), redaction);
  return rest === "" ? "" : `?${rest}`;
}

/** A list of `name=value`, divided by `&`, or by `;` where another name follows. */
function redactList(list: string, redaction: Redaction): string {
  const rest = list
    .split(/(?=&)|(?=;[^&;=]*=)/)
    .flatMap((part) => {
      const divider = /^[&;]/.test(part) ? part.slice(0, 1) : "";
      const pair = redactPair(part.slice(divider.length), redaction);
      return pair === undefined ? [] : [divider + pair];
    })
    .join("");
  // Where the first part went, the divider of the next one goes.
  return /^[&;]/.test(list) ? rest : rest.replace(/^[&;]/, "");
}

/** `name=value` or a value alone; undefined where all of it is to be left out. */
function redactPair(pair: string, { drops, depth }: Redaction): string | undefined {
  const at = pair.indexOf("=");
  const name = decoded(at < 0 ? "" : pair.slice(0, at));
  const start = pair.slice(0, at + 1);
  const value = decoded(pair.slice(at + 1));
  if (looksSecret(name)) return drops ? undefined : REMOVED;
  if (isSecretName(name) && (drops || value !== "")) return drops ? undefined : start + REMOVED;
  // A URL inside a URL, or a way back within the page, may carry one of its own.
  const isAddress = ADDRESS.test(value) || value.startsWith("/");
  const isTooDeep = isAddress && depth >= MAX_NESTED;
  const inner = isAddress && !isTooDeep ? redactParts(value, { drops, depth: depth + 1 }) : value;
  // In the page's own URL only a path of this site is worth cleaning. A foreign URL with a secret goes whole.
  const rest = drops && !value.startsWith("/") ? value : inner;
  if (isTooDeep || looksSecret(rest)) return drops ? undefined : start + REMOVED;
  return inner === value ? pair : start + encodeURIComponent(inner);
}

/** A fragment is a list (`#key=…`), a path (`#/key/…`), or a path with a list after it (`#/a?key=…`). */
function redactFragment(fragment: string, redaction: Redaction): string {
  if (fragment.length < 2) return fragment;
  const whole = fragment.slice(1);
  const isList = /^[^/?]*=/.test(whole) || !/[/?]/.test(whole);
  // What a name such as `key` has goes up to the next `&`, with any `/` and `?` in it.
  const [start = "", query] = (isList ? redactList(whole, redaction) : whole).split(/\?(.*)/s);
  const path = start.includes("/") && (redaction.drops || !isList) ? redactPath(start, redaction) : start;
  const list = !isList && (path.includes("=") || !path.includes("/")) ? redactList(path, redaction) : path;
  const rest = list + (query === undefined ? "" : redactQuery(`?${query}`, redaction));
  return rest === "" ? "" : `#${rest}`;
}

/** Whether a text of a query looks like a key. A `+` may be a space there; a key may hold one, too. */
function looksSecret(text: string): boolean {
  return (
    findSomeKey(text) !== undefined || (text.includes("+") && findSomeKey(text.replaceAll("+", " ")) !== undefined)
  );
}

/** What can be decoded of a text: one bad `%` must not hide a key beside it. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

/** Characters of a key that its holder takes out. Shorter ones are words, and would go from ordinary texts. */
const SHORTEST_SOUGHT_KEY = 8;
/** Shorter parts of an encoded key are left: they reveal little, and stand in ordinary texts. */
const SHORTEST_CODED = 12;

/** The spellings of a character as bytes: indexed by their first byte, and under each the longest first. */
type Spellings = readonly (readonly Uint8Array[] | undefined)[];
/** A text as the spellings of each of its characters. */
type Pattern = readonly Spellings[];

interface ByteRedactor {
  /** What may be passed on now: everything but an end that may be the beginning of the key. */
  push(bytes: Uint8Array): Uint8Array;
  /** The rest. */
  end(): Uint8Array;
}

/**
 * Replaces each occurrence of a key by `[key]`, wherever the bytes are cut. It is found as it is, in hexadecimal digits
 * and in base64, also as a part of a longer text, and each character of it may be escaped as in JSON, in a URL or in
 * HTML. The key must be ASCII.
 */
export function createByteRedactor(key: string): ByteRedactor {
  if (key.length < SHORTEST_SOUGHT_KEY) return { push: (bytes) => bytes, end: () => new Uint8Array() };
  const patterns = encodingsOf(key).map((text) => Array.from(text, spellingsOf));
  const byFirst: Pattern[][] = [];
  const isFirst = new Uint8Array(256);
  for (const pattern of patterns) {
    pattern[0]?.forEach((_, byte) => {
      isFirst[byte] = 1;
      byFirst[byte] = [...(byFirst[byte] ?? []), pattern];
    });
  }
  const placeholder = new TextEncoder().encode(KEY_PLACEHOLDER);
  let pending: Uint8Array = new Uint8Array();
  const take = (data: Uint8Array, isOver: boolean): Uint8Array => {
    const parts: Uint8Array[] = [];
    pending = new Uint8Array();
    let from = 0;
    for (let at = 0; at < data.length; at += 1) {
      if (isFirst[data[at] as number] === 0) continue;
      const length = matchAt(data, at, byFirst[data[at] as number] ?? [], isOver);
      if (length === "begins") {
        pending = data.slice(at);
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
    push: (bytes) => take(pending.length === 0 ? bytes : join([pending, bytes]), false),
    end: () => take(pending, true),
  };
}

/** Does what `createByteRedactor` does for whole texts, such as headers. */
export function createTextRedactor(key: string): (text: string) => string {
  const redactor = createByteRedactor(key);
  return (text) => {
    // Most headers are shorter than any spelling of the key.
    if (text.length < Math.min(key.length, SHORTEST_CODED)) return text;
    const decoder = new TextDecoder();
    const start = decoder.decode(redactor.push(new TextEncoder().encode(text)), { stream: true });
    return start + decoder.decode(redactor.end());
  };
}

/**
 * The key as it is, in base64 and in hexadecimal. A longer text in base64 holds it in one of three ways, by its position;
 * of each, the part counts that is the same in every such text. The whole base64 comes before these parts.
 */
function encodingsOf(key: string): string[] {
  const hex = Array.from(key, (character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const inBase64 = [0, 1, 2].map((offset) => {
    const coded = btoa(`${" ".repeat(offset)}${key}`);
    // Characters at both ends depend on what stands beside the key.
    const wholeBits = (offset + key.length) * 8;
    return coded.slice(Math.ceil((offset * 8) / 6), Math.floor(wholeBits / 6));
  });
  const urlSafe = inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const coded = [btoa(key), ...inBase64, ...urlSafe, hex, hex.toUpperCase()];
  return [key, ...new Set(coded.filter((text) => text.length >= SHORTEST_CODED))];
}

/** A character as it is, and escaped for JSON, for a URL (once or twice) and for HTML. */
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
    ...(HTML_NAMES[character] ?? []),
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

/** The spellings of each character that was ever part of a key, and so of no key in particular: a cache of a pure function. */
const SPELLINGS = new Map<string, Spellings>();

const HTML_NAMES: Record<string, string[]> = {
  "&": ["&amp;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  '"': ["&quot;"],
  "'": ["&apos;"],
};

/**
 * The length in bytes of the first pattern that stands at `at`, 0 where none does, `begins` where the data ends within
 * a possible match. `isOver`: no more data comes, so the answer is never `begins`.
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

/** How many bytes of a spelling, from its first, stand at `at`. */
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

/** What must not leave this browser in a template, a link or a diagnostics file, besides texts that look like a secret. */
export interface Privacy {
  /** The shape of the connection's own key. */
  keyShape: KeyShape | undefined;
  /** URLs of files that this browser stored with the service. */
  ownAddresses: ReadonlySet<string>;
  /** Whether the service deletes the file at this URL after a while. Without it, such URLs stay. */
  isExpiring?: (address: string) => boolean;
}

interface PublicJson {
  payload: JsonRecord;
  /** How many values were left out. */
  leftOut: number;
}

/**
 * Whether a text must stay in this browser: it is a file of this device (`blob:`, `data:`, `file:`), it contains the URL of
 * one of the person's own files or a signed URL, which opens the file for whoever has it, or it contains a key.
 */
export function isPrivate(text: string, { keyShape, ownAddresses, isExpiring }: Privacy): boolean {
  const plain = text.trim();
  if (/^(blob|data|file):/i.test(plain) || findSecret(plain, keyShape) !== undefined) return true;
  if (!plain.includes("://")) return false;
  // A signed URL lets others in, and for a time only.
  if (redactAddresses(plain) !== plain || [...ownAddresses].some((own) => plain.includes(own))) return true;
  return /^https?:\/\/\S+$/i.test(plain) && isExpiring?.(plain) === true;
}

/**
 * A JSON object without its private texts, without the entries whose name is private, and without a list all of whose items
 * were private. Everything else stays as it is.
 */
export function withoutPrivate(payload: JsonRecord, privacy: Privacy): PublicJson {
  let leftOut = 0;
  function publicValue(value: unknown): unknown {
    if (typeof value === "string" && isPrivate(value, privacy)) {
      leftOut += 1;
      return undefined;
    }
    if (Array.isArray(value)) return value.map(publicValue).filter((item) => item !== undefined);
    return isRecord(value) ? publicRecord(value) : value;
  }
  function publicRecord(record: JsonRecord): JsonRecord {
    const named = Object.entries(record).filter(([name]) => !isPrivate(name, privacy));
    leftOut += Object.keys(record).length - named.length;
    const entries = named.map(([name, value]): [string, unknown] => [name, publicValue(value)]);
    return Object.fromEntries(
      entries.filter(([name, value]) => value !== undefined && !(isEmptyList(value) && !isEmptyList(record[name]))),
    );
  }
  return { payload: publicRecord(payload), leftOut };
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
