/**
 * What is wrong with a service's base address, as a sentence, or undefined when it can be used. A path on this page's
 * own origin is legal (`/sandbox/api/v1/queue`).
 */
export function checkAddress(address: string): string | undefined {
  const text = address.trim();
  if (text === "") return "Enter the address.";
  if (/\s/.test(text)) return "Remove the spaces from the address.";
  if (/^\/(?![/\\])/.test(text)) return undefined;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "Start the address with https://.";
  if (!URL.canParse(text)) return "This address is incomplete.";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "Only https:// and http:// addresses work.";
  if (url.username !== "" || url.password !== "") return "Remove the user name and password from the address.";
  if (url.search !== "" || url.hash !== "") return "Remove everything from the question mark or the # onwards.";
  if (url.protocol === "http:" && globalThis.location?.protocol === "https:" && !isLoopback(url.hostname)) {
    return "This page uses https, so the address must use https too.";
  }
  return undefined;
}

/** An address as it is used: no spaces around it, no slash at the end. */
export function normalizeAddress(address: string): string {
  return address.trim().replace(/\/+$/, "");
}

/** A hint about a queue address that can be used and may still be wrong (its path ends in /api/v1/queue). */
export function adviseQueueAddress(address: string): string | undefined {
  return /\/api\/v1\/queue$/.test(normalizeAddress(address))
    ? undefined
    : "Queue addresses usually end in /api/v1/queue.";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\./.test(host);
}

/** What is wrong with an API key, as a sentence, or undefined. Only what a header can carry is legal. Never repeats it. */
export function checkKey(key: string): string | undefined {
  const text = key.trim();
  if (text === "") return "Enter the API key.";
  if (/\s/.test(text)) return "Remove the spaces and line breaks from the key.";
  if (!/^[\x21-\x7e]+$/.test(text)) return "The key contains invalid characters. Copy it again.";
  if (text.length > 1000) return "The key is too long.";
  return undefined;
}

/**
 * The origins of the service that this build is for (`SAFELIGHT_SERVICE`), where a plain file host gives it out: its
 * content policy lets the page reach no others. Empty where the build names none.
 */
export function namedOrigins(): readonly string[] {
  const named: unknown = import.meta.env.SAFELIGHT_SERVICE;
  return typeof named === "string" ? named.split(" ").filter((origin) => origin !== "") : [];
}

/** Whether a build for a named service may send requests to this address. The page's own origin is always one. */
export function isNamedService(address: string): boolean {
  const named = namedOrigins();
  if (named.length === 0) return true;
  const own = globalThis.location?.origin;
  if (!URL.canParse(address, own)) return false;
  const { origin } = new URL(address, own);
  return origin === own || named.includes(origin);
}

const SHORTEST = 12;
const FEWEST_DIFFERENT = 6;

/**
 * What is wrong with a passphrase for a key that is stored on this device, as a sentence, or undefined. Spaces count. Never
 * repeats it.
 */
export function checkPassphrase(passphrase: string): string | undefined {
  const characters = [...passphrase.normalize("NFKC")];
  const why = "someone who copies this browser’s data can try passphrases without any delay.";
  if (passphrase === "") return "Enter a passphrase.";
  if (characters.length < SHORTEST) return `Use at least ${SHORTEST} characters, such as four words: ${why}`;
  if (new Set(characters).size < FEWEST_DIFFERENT)
    return `Use at least ${FEWEST_DIFFERENT} different characters: ${why}`;
  return undefined;
}
