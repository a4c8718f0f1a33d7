import { asRecord, asText, tryParseJson } from "#lib/read.ts";
import type { ServiceAddresses } from "#lib/service-requests.ts";

/** The encrypted content: the key with the only addresses that it may be sent to, so that nobody can change them. */
interface SealedContent extends ServiceAddresses {
  key: string;
  /** The name that the person gave the connection. */
  name: string;
}

const VERSION = 1;
/** Rounds of PBKDF2 with SHA-256: a fifth of a second for each passphrase, also for an attacker. */
const ROUNDS = 600_000;
/** A stored text with more rounds is refused, because it could block the Worker for hours. */
const MAX_ROUNDS = 10_000_000;
/** Bytes. The content is padded to a multiple of this, so that its length does not reveal that of the key. */
const BLOCK = 512;

/** Whether keys can be encrypted here. WebCrypto exists only on https pages and on localhost. */
export function canSeal(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/**
 * Encrypts a key with a passphrase (PBKDF2 and AES-GCM). Returns `v1.rounds.salt.iv.content`, the binary parts in
 * Base64url. The parts before the content are readable, but a change of them is detected. Rejects without WebCrypto.
 */
export async function sealKey(content: SealedContent, passphrase: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const head = [`v${VERSION}`, ROUNDS, toBase64(salt), toBase64(iv)].join(".");
  const { key, queueBaseUrl, inferenceBaseUrl, name } = content;
  const text = JSON.stringify({ key, queueBaseUrl, inferenceBaseUrl, name });
  const bytes = new TextEncoder().encode(text);
  const filled = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK).fill(0x20);
  filled.set(bytes);
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(head) },
    await keyFrom(passphrase, salt, ROUNDS),
    filled,
  );
  return `${head}.${toBase64(new Uint8Array(sealed))}`;
}

/**
 * Decrypts a sealed text. Undefined for a wrong passphrase, a changed text, or another version: the caller cannot tell
 * which. Rejects without WebCrypto.
 */
export async function openSealed(sealed: string, passphrase: string): Promise<SealedContent | undefined> {
  const [, head, rounds, salt, iv, encrypted] =
    /^(v1\.(\d{1,8})\.([\w-]{22})\.([\w-]{16}))\.([\w-]{22,100000})$/.exec(sealed) ?? [];
  if (head === undefined || salt === undefined || iv === undefined || encrypted === undefined) return undefined;
  if (Number(rounds) < ROUNDS || Number(rounds) > MAX_ROUNDS) return undefined;
  const key = await keyFrom(passphrase, fromBase64(salt), Number(rounds));
  const additionalData = new TextEncoder().encode(head);
  try {
    const algorithm = { name: "AES-GCM", iv: fromBase64(iv), additionalData };
    const opened = await crypto.subtle.decrypt(algorithm, key, fromBase64(encrypted));
    return readContent(new TextDecoder().decode(opened));
  } catch {
    return undefined;
  }
}

function readContent(text: string): SealedContent | undefined {
  const raw = asRecord(tryParseJson(text));
  const [key, queueBaseUrl, inferenceBaseUrl] = [
    asText(raw.key),
    asText(raw.queueBaseUrl),
    asText(raw.inferenceBaseUrl),
  ];
  if (key === undefined || queueBaseUrl === undefined || inferenceBaseUrl === undefined) return undefined;
  return { key, queueBaseUrl, inferenceBaseUrl, name: asText(raw.name) ?? "" };
}

/** NFKC, because another keyboard may type the same passphrase in other code points. */
async function keyFrom(passphrase: string, salt: BufferSource, rounds: number): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(passphrase.normalize("NFKC"));
  const material = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveKey"]);
  const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations: rounds };
  return crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
