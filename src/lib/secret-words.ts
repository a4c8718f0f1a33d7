// What carries a key in an address or a text, by its name and by its looks.

const SECRET_WORDS = new Set(
  (
    "key keys apikey apikeys token tokens auth authorization authorisation authentication bearer secret secrets password " +
    "passwd passphrase pwd pass credential credentials signature sig hmac jwt sid session sessionid cookie policy code"
  ).split(" "),
);
/** Names that are one word, or have none of their own: Amazon's, Google's, Azure's and others' signed addresses. */
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

/** Whether a parameter, header or folder of this name holds a key or a signature. Never throws. */
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
/** Nowhere within a longer run of such characters, where they would stand by chance. */
const SHAPE = new RegExp(`(?<![A-Za-z0-9_-])(?:${SHAPES.map(({ source }) => source).join("|")})`, "g");

/** Bits for each character: words have fewer, and what a machine drew has more. */
const LEAST_ENTROPY = 3.2;

/** The first thing in a text that looks like some service's key, or undefined. Reads the text once. Never throws. */
export function findSomeKey(text: string): string | undefined {
  for (const [found] of text.matchAll(SHAPE)) if (isDrawn(found)) return found;
  return undefined;
}

/** Whether a word was drawn by a machine rather than written: digits among its letters, and little repeated. */
function isDrawn(word: string): boolean {
  if (/^(-----|AKIA|ASIA|AIza|ya29|xox|SG\.|eyJ|github_pat_)/.test(word)) return true;
  const secret = word.replace(/^[A-Za-z]+[-_. \t]+/, "");
  const digits = secret.match(/\d/g)?.length ?? 0;
  const turns = secret.match(/[a-z][A-Z]|[a-zA-Z]\d|\d[a-zA-Z]/g)?.length ?? 0;
  return digits > 0 && turns >= 2 && entropyOf(secret) >= LEAST_ENTROPY;
}

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
