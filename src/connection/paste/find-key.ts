import { findSomeKey } from "#lib/secret-words.ts";
import { isAddressLike } from "./find-addresses.ts";

/** What a key consists of. Quotes, brackets and the signs of variables end it. */
const KEY = "[A-Za-z0-9_][A-Za-z0-9._~+/=:|@!*-]{3,600}";
/**
 * `name: value`, `"name": "value"`, `NAME=value`, `"name" => "value"`, `set("name", "Bearer value")`. Groups: the quote
 * after the name, what joins, the quote before the value, the scheme, the value. Every repetition is bounded.
 */
const NAMED = new RegExp(
  `(?<![A-Za-z0-9_-])([A-Za-z][\\w.-]{0,80})(["'\\]]{0,3})([ \\t]{0,10}(?:=>|:=|[:=,])[ \\t]{0,10})(?:[a-zA-Z@]{0,2}(["']))?(?:(bearer|token|basic|key|apikey)[ \\t]{1,5})?(${KEY})(?![\\w(\\[])`,
  "gi",
);
const BEARER = new RegExp(`(?<![A-Za-z0-9])bearer[ \\t]{1,5}["']?(${KEY})`, "gi");
const IN_ADDRESS = /:\/\/([^\s"'/@:]{1,300}):?([^\s"'/@]{0,600})@/g;
const USER = /(?:^|\s)(?:-u|--user)[ =]{0,3}["']?([^\s"':]{0,300}):?([^\s"']{0,600})/g;

/** Names that are only ever those of a key. */
const KEY_NAME = /(apikey|authorization|accesskey|authtoken|accesstoken|secretkey|apitoken|apisecret|bearertoken)$/;
/** Names that may be something else's. */
const LOOSE_NAME = /(key|token|secret|auth|bearer|password)$/;
const OTHER_NAME = /idempotency|page|next|csrf|xsrf|continuation|cursor|cache|public|request|session|cookie/;

interface FoundKey {
  key: string | undefined;
  hasPlaceholder: boolean;
  usesApiKeyHeader: boolean;
}

/** The key in a text whose quotes are unescaped: by the name before it, by its looks, or because it stands alone. */
export function findPastedKey(text: string): FoundKey {
  const named = text
    .replace(/\$env:/gi, "")
    .replace(/\bsetx[ \t]{1,5}(\w{1,80})[ \t]{1,5}/gi, "$1=")
    .replace(/\bapi[ _-]key\b/gi, "apikey");
  for (const { name, value, isFree } of namedValues(named)) {
    const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
    if (OTHER_NAME.test(plain) || isPlaceholder(value)) continue;
    if (KEY_NAME.test(plain) ? !isFree || isDrawn(value) : LOOSE_NAME.test(plain) && isDrawn(value)) {
      return found(value, /^x-?(?:apikey|api-key)$/i.test(name));
    }
  }
  for (const [, value = ""] of text.matchAll(BEARER)) {
    if (!isPlaceholder(value) && /[\d_-]/.test(value)) return found(trimmed(value));
  }
  for (const [, user = "", password = ""] of [...text.matchAll(USER), ...text.matchAll(IN_ADDRESS)]) {
    const value = [password, user].find((part) => isWhole(part) && part.length >= 8 && !isPlaceholder(part));
    if (value !== undefined) return found(value);
  }
  const known = findSomeKey(text.replace(/https?:\/\/\S{0,2000}/gi, " "))?.replace(/^bearer\s+/i, "");
  if (known !== undefined && isWhole(known) && !isPlaceholder(known)) return found(known);
  const alone = standingAlone(text);
  if (alone !== undefined) return found(alone);
  return { key: undefined, hasPlaceholder: PLACE.test(named), usesApiKeyHeader: false };
}

/** Where an example has its key. */
const PLACE = /\bbearer\b|authorization|apikey|(?:api|access|auth)[_-]?(?:key|token)/i;

function found(key: string, usesApiKeyHeader = false): FoundKey {
  return { key, hasPlaceholder: false, usesApiKeyHeader };
}

function* namedValues(text: string): Generator<{ name: string; value: string; isFree: boolean }> {
  for (const [, name = "", after = "", joint = "", opening, scheme, value = ""] of text.matchAll(NAMED)) {
    if (scheme?.toLowerCase() === "basic") continue;
    // In a program an unquoted word behind a quoted name, or behind a comma, is a variable.
    if (opening === undefined && (/["']/.test(after) || joint.includes(","))) continue;
    // An assignment with spaces around it: a variable, unless it looks like a key.
    const isFree = opening === undefined && /^\s+=\s*$|^\s*:=\s*$/.test(joint);
    yield { name, value: trimmed(value), isFree };
  }
}

/** A key that is the whole text, or a line of a few. */
function standingAlone(text: string): string | undefined {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => line.trim().replace(/^["'`]|["'`,;]{1,2}$/g, ""))
    .filter((line) => line !== "");
  if (lines.length > 12) return undefined;
  const words = text.trim().split(/\s+/).slice(0, 6);
  const drawn = words.find((word) => isWhole(word) && isDrawn(word) && !isAddressLike(word) && !isPlaceholder(word));
  if (drawn !== undefined && words.every((word) => word === drawn || isAddressLike(word))) return drawn;
  return lines.find((line) => {
    if (!isWhole(line) || line.length < 8 || isAddressLike(line) || isPlaceholder(line) || line.includes("=")) {
      return isWhole(line) && line.length >= 20 && isDrawn(line) && !isAddressLike(line) && !isPlaceholder(line);
    }
    return lines.length === 1 || /[\d_-]/.test(line);
  });
}

const WHOLE = new RegExp(`^${KEY}$`);

function isWhole(text: string): boolean {
  return WHOLE.test(text) && !/:\/\//.test(text);
}

/** A sentence or a list goes on behind it. */
function trimmed(value: string): string {
  return value.replace(/[.:]{1,10}$/, "");
}

/** As a machine draws keys: long, with letters and digits. */
function isDrawn(value: string): boolean {
  return value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value) && !value.includes("://");
}

const PLACEHOLDER_WORDS = new Set(
  (
    "your you my our the a an this that these api apikey apikeys key keys token tokens access secret bearer basic auth authorization " +
    "here insert paste replace with me it change changeme example examples sample placeholder enter put real actual own " +
    "env environ environment var variable value values string str text test dummy fake foo bar baz todo tbd none null nil " +
    "undefined true false empty user username account password pass credential credentials provided service id header " +
    "headers client sk pk abc abcd abcdef xyz of from for goes in based authentication process os get config settings"
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
  const words = value
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.every((word) => PLACEHOLDER_WORDS.has(word) || /^(1234567890?|12345|123456|123|0+|x+)$/.test(word));
}
