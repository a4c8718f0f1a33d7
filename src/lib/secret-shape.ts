// What a secret looks like: a key that somebody else holds, by its shape; any service's key, by its form; and the names
// that stand before one. All that finds a secret asks here; `redact-secret.ts` takes out what was found.

import { asNumber, asRecord } from "./read.ts";

/** Stands where the key goes in every request. Whoever holds the key puts it in. */
export const KEY_PLACEHOLDER = "[key]";

/**
 * The shape of one key, for a page that does not have it: its length, and checksums of its start (12 bits) and of the
 * whole (24 bits). Together with the four characters of its hint they leave a key of 20 or more characters as
 * unguessable as it has to be. Shorter ones have no checksums.
 */
export interface KeyShape {
  length: number;
  start: number;
  whole: number;
}

/** The characters of a key's start that are compared before a text has to wait for more. */
export const START_LENGTH = 8;
/** Shorter keys would be found where nobody meant them, and could be guessed from their checksums. */
export const SHORTEST_KEY = 20;
const START_BITS = 12;
const WHOLE_BITS = 24;

/** The shape of a key, for whoever must recognize it without having it. */
export function shapeOfKey(key: string): KeyShape {
  if (key.length < SHORTEST_KEY) return { length: key.length, start: 0, whole: 0 };
  return { length: key.length, start: startOf(key, 0), whole: wholeOf(key, 0, key.length) };
}

/** The shape in a value from storage or from a host, or undefined where it holds none. */
export function readKeyShape(raw: unknown): KeyShape | undefined {
  const record = asRecord(raw);
  const [length, start, whole] = [asNumber(record.length), asNumber(record.start), asNumber(record.whole)];
  return length === undefined || start === undefined || whole === undefined ? undefined : { length, start, whole };
}

/** Whether a text holds the key of this shape, in any way that `findKeySpan` reads it. */
export function holdsKey(text: string, shape: KeyShape): boolean {
  return findReading(text, shape) !== undefined;
}

/**
 * From where to where the key stands in a text: as it is, with characters written as `%41`, cut by spaces, line ends and
 * characters that nobody sees, or both. Wrong by chance once in 2^36 characters. A key of fewer than 20 characters is never
 * found.
 */
export function findKeySpan(text: string, shape: KeyShape): { from: number; to: number } | undefined {
  const found = findReading(text, shape);
  if (found === undefined) return undefined;
  const { at, decodes, strips } = found;
  if (!decodes && !strips) return { from: at, to: at + shape.length };
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: piece, index } of text.matchAll(decodes ? /%[0-7][0-9a-f]|[\s\S]/giu : /[\s\S]/gu)) {
    const character = decodes ? percentDecoded(piece) : piece;
    if (strips && HIDDEN.test(character)) continue;
    // Some characters are two for a text's length.
    for (let unit = 0; unit < character.length; unit += 1) {
      starts.push(index);
      ends.push(index + piece.length);
    }
  }
  return { from: starts[at] ?? 0, to: ends[at + shape.length - 1] ?? text.length };
}

/** How a text may be read: with `%41` as a letter, and without what nobody sees. */
interface Reading {
  decodes: boolean;
  strips: boolean;
}

const READINGS: readonly Reading[] = [
  { decodes: false, strips: false },
  { decodes: true, strips: false },
  { decodes: false, strips: true },
  { decodes: true, strips: true },
];

/** The first reading that shows the key, and where it begins in what was read. */
function findReading(text: string, shape: KeyShape): (Reading & { at: number }) | undefined {
  if (shape.length < SHORTEST_KEY) return undefined;
  for (const { decodes, strips } of READINGS) {
    if (decodes && !text.includes("%")) continue;
    const decoded = decodes ? percentDecoded(text) : text;
    if (strips && !HIDDEN.test(decoded)) continue;
    const at = indexOfKey(strips ? decoded.replace(HIDDEN_ALL, "") : decoded, shape);
    if (at >= 0) return { at, decodes, strips };
  }
  return undefined;
}

const HIDDEN_ALL = /[\s\p{Cf}\p{Cc}]+/gu;
const HIDDEN = /[\s\p{Cf}\p{Cc}]/u;

/** Unlike `decodeURIComponent`, it reads what it can of a text that is not encoded throughout. */
function percentDecoded(text: string): string {
  return text.replace(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

function indexOfKey(text: string, shape: KeyShape): number {
  for (let at = findKeyStart(text, shape, 0); at >= 0; at = findKeyStart(text, shape, at + 1)) {
    if (isKeyAt(text, shape, at)) return at;
  }
  return -1;
}

/** Whether the whole key stands at a place of a text. */
export function isKeyAt(text: string, { length, whole }: KeyShape, at: number): boolean {
  return at + length <= text.length && wholeOf(text, at, at + length) === whole;
}

/** The place from `from` on where a text begins as the key does; -1 without one. The first 8 characters decide. */
export function findKeyStart(text: string, { start }: KeyShape, from: number): number {
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

/** What carries a key in a URL, a header or a list, by its name. */
const SECRET_WORDS = new Set(
  (
    "key keys apikey apikeys token tokens auth authorization authorisation authentication bearer secret secrets password " +
    "passwd passphrase pwd pass credential credentials signature sig hmac jwt sid session sessionid cookie policy code"
  ).split(" "),
);
/** Names that are one word, or have none of their own: Amazon's, Google's, Azure's and others' signed URLs. */
const SIGNED_NAME =
  /^(x-(amz|goog|oss|cos|bce|obs)-.*|(aws|oss)accesskeyid|googleaccessid|key-pair-id|hdnts|hdnea|q-sign.*)$/i;
/** Words that speak of a key without being one, such as `key_frames` or `max_tokens`. */
const HARMLESS_NAME = /^(max|min|num|total|prompt|input|output|completion)[-_]?tokens?$|^key[-_]?(frame|word|point)s?/i;

/** The words of a name such as `apiKey[]`, `X-Auth-Token` or `client_secret`, in small letters. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** Whether a parameter, header or folder of this name holds a key or a signature. */
export function isSecretName(name: string): boolean {
  const plain = name.trim();
  if (HARMLESS_NAME.test(plain)) return false;
  if (SIGNED_NAME.test(plain)) return true;
  const words = wordsOf(plain);
  return (
    words.some((word) => SECRET_WORDS.has(word)) || /^(access|api|auth|secret|client)_?(key|token|secret)/i.test(plain)
  );
}

/** How the keys of well-known services begin, and how much must follow at least. */
const SHAPES: readonly RegExp[] = [
  /(?:sk|pk|rk|ak|sess|secret|api|key|apikey|token)[-_][A-Za-z0-9_-]{16,}/,
  /(?:ghp|gho|ghu|ghs|ghr|hf|npm|gsk|xai|nvapi|glpat|dop_v1|shpat|pat|r8|fw|tgp_v1|pplx|csk)[-_][A-Za-z0-9_-]{20,}/,
  /github_pat_[A-Za-z0-9_]{22,}/,
  /xox[abeoprs]-[A-Za-z0-9-]{16,}/,
  /(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])/,
  /AIza[A-Za-z0-9_-]{30,}/,
  /ya29\.[A-Za-z0-9_-]{20,}/,
  /SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/,
  /eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  /[Bb][Ee][Aa][Rr][Ee][Rr][ \t]+[A-Za-z0-9+/_.~=-]{16,}/,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
];
/** Not within a longer run of such characters, where a match would be chance. */
const SHAPE = new RegExp(`(?<![A-Za-z0-9_-])(?:${SHAPES.map(({ source }) => source).join("|")})`, "g");

/** Bits for each character: words have fewer, and what a machine drew has more. */
const MIN_ENTROPY = 3.2;

/** The first thing in a text that looks like some service's key and is not `allowed`. Reads the text once. */
export function findSomeKey(text: string, allowed?: ReadonlySet<string>): string | undefined {
  for (const [found] of text.matchAll(SHAPE)) if (isRandom(found) && !allowed?.has(found)) return found;
  return undefined;
}

/** Whether the part after a prefix is random: digits among its letters, and little repeated. Words are not. */
function isRandom(word: string): boolean {
  if (/^(-----|AKIA|ASIA|AIza|ya29|xox|SG\.|eyJ|github_pat_)/.test(word)) return true;
  const secret = word.replace(/^[A-Za-z]+[-_. \t]+/, "");
  const digits = secret.match(/\d/g)?.length ?? 0;
  const turns = secret.match(/[a-z][A-Z]|[a-zA-Z]\d|\d[a-zA-Z]/g)?.length ?? 0;
  return digits > 0 && turns >= 2 && entropyOf(secret) >= MIN_ENTROPY;
}

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

/** A secret in something that a person wants to send: the connection's own key, or what looks like some service's. */
export type SecretFinding = { kind: "own" } | { kind: "similar"; found: string };

/** Levels of a JSON value that are searched. Nothing that people write is so deep, and the call stack lasts for it. */
export const MAX_DEPTH = 500;

/**
 * The secret in a text, or in any text and any name of a JSON value. What is in `allowed` is not found, but the key of
 * the shape always is. A text that is one web URL is not searched for what only looks like a key.
 */
export function findSecret(
  value: unknown,
  shape: KeyShape | undefined,
  allowed?: ReadonlySet<string>,
): SecretFinding | undefined {
  let similar: SecretFinding | undefined;
  for (const text of textsOf(value, 0)) {
    if (shape !== undefined && holdsKey(text, shape)) return { kind: "own" };
    const found = similar === undefined && !/^https?:\/\/\S+$/i.test(text) ? findSomeKey(text, allowed) : undefined;
    if (found !== undefined) similar = { kind: "similar", found };
  }
  return similar;
}

function* textsOf(value: unknown, depth: number): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) yield name;
      yield* textsOf(inner, depth + 1);
    }
  }
}

/** How names end that only a key has. */
const KEY_NAME = /(apikey|authorization|accesskey|authtoken|accesstoken|secretkey|apitoken|apisecret|bearertoken)$/;
/** How names end that a key may have, and other things, too. */
const LOOSE_NAME = /(key|token|secret|auth|bearer|password)$/;
/** Names of other secrets and other things, however they end. */
const OTHER_NAME =
  /idempotency|page|next|csrf|xsrf|continuation|cursor|cache|public|request|session|cookie|^aws|stop|sign|encrypt|refresh|webhook|^db|database|^jwt|idtoken|smtp|redis|github|stripe/;
/** A scheme that signs each request: what follows it is no key. */
const SIGNING = /sha-?\d|^(hmac|digest|signature|negotiate|ntlm)/i;

/**
 * Whether the value after a name in a pasted text is a key for this service. It is none after names of other secrets, with
 * a scheme that signs, or as a word that only stands for a key. Where the name alone does not decide, or the value
 * `mayBeVariable`, it must also look like a key.
 */
export function isNamedKey(name: string, value: string, mayBeVariable: boolean): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (OTHER_NAME.test(plain) || SIGNING.test(value) || isPlaceholder(value)) return false;
  if (KEY_NAME.test(plain)) return !mayBeVariable || mayBeKey(value);
  return LOOSE_NAME.test(plain) && mayBeKey(value);
}

/**
 * Whether a value is long and has letters and digits, as keys do. Looser than `findSomeKey`: for what a person pasted as a
 * key.
 */
export function mayBeKey(value: string): boolean {
  return value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value) && !value.includes("://");
}

const PLACEHOLDER_WORDS = new Set(
  (
    "your you my our the a an this that these api apikey apikeys key keys token tokens access secret bearer basic auth authorization " +
    "here insert paste replace with me it change changeme example examples sample placeholder enter put real actual own " +
    "env environ environment var variable value values string str text test dummy fake foo bar baz todo tbd none null nil " +
    "undefined true false empty user username account password pass credential credentials provided service id header " +
    "headers client sk pk jwt live xyz of from for goes in based authentication process os get config settings"
  ).split(" "),
);

/** Whether a word only stands for a key: `YOUR_API_KEY`, `sk-...`, `xxxx`, `ACME_API_KEY`, `os.environ`. */
export function isPlaceholder(value: string): boolean {
  if (value.length < 6 || value.includes("://")) return true;
  if (/\.\.|(.)\1{4,}|x{3,}$|\*{2,}/i.test(value)) return true;
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*_(KEY|TOKEN|SECRET)(_HERE)?$/.test(value)) return true;
  if (/^(os|process|env|import|config|settings|self|this|system|deno|bun|secrets|window|app)\b[._]/i.test(value)) {
    return !/\d{3}/.test(value);
  }
  // Words in capitals, or what an ellipsis cut.
  if (/^[A-Z]+(_[A-Z]+)+$/.test(value) || (/[-_]$/.test(value) && value.length < 16)) return true;
  if (/^[a-z]{2,20}[-_]api[-_]?(key|token)$/i.test(value)) return true;
  if (/^(your|insert|enter|replace|paste|put)[-_]/i.test(value) && !/\d/.test(value)) return true;
  const words = value
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.every(
    (word) =>
      PLACEHOLDER_WORDS.has(word.replace(/\d{1,3}$/, "")) ||
      /^\d$/.test(word) ||
      /^(0+|x+|(0?123(4(5(6(7(8(90?)?)?)?)?)?)?|abc(d(ef?)?)?)+)$/.test(word),
  );
}
