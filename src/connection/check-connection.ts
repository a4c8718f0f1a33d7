/**
 * What is wrong with a service's base URL, as a sentence, or undefined when it can be used. A path on this page's
 * own origin is legal (`/sandbox/api/v1/queue`).
 */
export function checkAddress(address: string): string | undefined {
  const text = address.trim();
  if (text === "") return "Enter the URL.";
  if (/\s/.test(text)) return "Remove the spaces from the URL.";
  if (/^\/(?![/\\])/.test(text)) return undefined;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "Start the URL with https://.";
  if (!URL.canParse(text)) return "This URL is incomplete.";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "Only https:// and http:// URLs work.";
  if (url.username !== "" || url.password !== "") return "Remove the user name and password from the URL.";
  if (url.search !== "" || url.hash !== "") return "Remove the part that starts with ? or #.";
  if (url.protocol === "http:" && globalThis.location?.protocol === "https:" && !isLoopback(url.hostname)) {
    return "This page uses https, so the URL must use https too.";
  }
  return undefined;
}

/** A URL as it is used: no spaces around it, no slash at the end. */
export function normalizeAddress(address: string): string {
  return address.trim().replace(/\/+$/, "");
}

/** A hint about a valid queue URL that does not end in the usual path, as a sentence; undefined where it does. */
export function adviseQueueAddress(address: string): string | undefined {
  return /\/api\/v1\/queue$/.test(normalizeAddress(address)) ? undefined : "Queue URLs usually end in /api/v1/queue.";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\./.test(host);
}

/**
 * What is wrong with an API key, as a sentence without the key, or undefined. Only what a header can carry is legal.
 */
export function checkKey(key: string): string | undefined {
  const text = key.trim();
  if (text === "") return "Enter the API key.";
  if (/\s/.test(text)) return "Remove the spaces and line breaks from the key.";
  if (!/^[\x21-\x7e]+$/.test(text)) return "The key contains invalid characters. Copy it again.";
  if (text.length > 1000) return "The key is too long.";
  return undefined;
}

/**
 * The origins of the one service that this build is for, from `SAFELIGHT_SERVICE`, where they are separated by spaces.
 * The content policy of such a page allows no others. Empty for a build without this setting.
 */
export function namedOrigins(): readonly string[] {
  const origins: unknown = import.meta.env.SAFELIGHT_SERVICE;
  return typeof origins === "string" ? origins.split(" ").filter((origin) => origin !== "") : [];
}

/** Whether this build may send requests to an address. The page's own origin is always allowed. */
export function isNamedService(address: string): boolean {
  const named = namedOrigins();
  if (named.length === 0) return true;
  const pageOrigin = globalThis.location?.origin;
  if (!URL.canParse(address, pageOrigin)) return false;
  const { origin } = new URL(address, pageOrigin);
  return origin === pageOrigin || named.includes(origin);
}

const MIN_PASSPHRASE_LENGTH = 12;
const MIN_DIFFERENT_CHARACTERS = 6;

/**
 * What is wrong with a passphrase for a key that is stored on this device, as a sentence without the passphrase, or
 * undefined. Spaces count as characters.
 */
export function checkPassphrase(passphrase: string): string | undefined {
  const characters = [...passphrase.normalize("NFKC")];
  const why = "Anyone who copies this browser’s data can try passphrases without delay.";
  if (passphrase === "") return "Enter a passphrase.";
  if (characters.length < MIN_PASSPHRASE_LENGTH)
    return `Use at least ${MIN_PASSPHRASE_LENGTH} characters, such as four words. ${why}`;
  if (new Set(characters).size < MIN_DIFFERENT_CHARACTERS)
    return `Use at least ${MIN_DIFFERENT_CHARACTERS} different characters. ${why}`;
  return undefined;
}
