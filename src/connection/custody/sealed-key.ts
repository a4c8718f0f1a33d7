import { asRecord, asText, tryParseJson } from "#lib/read.ts";
import type { ServiceAddresses } from "#lib/service-requests.ts";

/** What is sealed: the key with the only addresses that it may be sent to, so that nobody aims it elsewhere. */
interface SealedContent extends ServiceAddresses {
  key: string;
  /** The name that the person gave the connection. */
  name: string;
}

const VERSION = 1;
/** Rounds of PBKDF2 with SHA-256: a fifth of a second here, and for whoever tries passphrases as well. */
const ROUNDS = 600_000;
/** More than a later version would ask for: a text from storage must not keep the Worker busy for hours. */
const MAX_ROUNDS = 10_000_000;
/** The length of what is sealed says nothing about the key's: it is filled up to a multiple of this. */
const BLOCK = 512;

/** Whether keys can be sealed here: WebCrypto is there on https and on this machine only. */
export function canSeal(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/**
 * Seals a key under a passphrase: PBKDF2 and AES-GCM. The text can be stored anywhere: version, rounds, salt and start
 * value, in clear and protected from changes, and the sealed rest. Rejects without WebCrypto.
 */
export async function sealKey(content: SealedContent, passphrase: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const start = crypto.getRandomValues(new Uint8Array(12));
  const head = [`v${VERSION}`, ROUNDS, toBase64(salt), toBase64(start)].join(".");
  const { key, queueBaseUrl, inferenceBaseUrl, name } = content;
  const text = JSON.stringify({ key, queueBaseUrl, inferenceBaseUrl, name });
  const bytes = new TextEncoder().encode(text);
  const filled = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK).fill(0x20);
  filled.set(bytes);
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: start, additionalData: new TextEncoder().encode(head) },
    await keyFrom(passphrase, salt, ROUNDS),
    filled,
  );
  return `${head}.${toBase64(new Uint8Array(sealed))}`;
}

/**
 * Opens a sealed text. Undefined for a wrong passphrase, a changed text and one of another version alike: which of them
 * it was is nobody's business. Rejects without WebCrypto.
 */
export async function openSealed(sealed: string, passphrase: string): Promise<SealedContent | undefined> {
  const [, head, rounds, salt, start, rest] =
    /^(v1\.(\d{1,8})\.([\w-]{22})\.([\w-]{16}))\.([\w-]{22,100000})$/.exec(sealed) ?? [];
  if (head === undefined || salt === undefined || start === undefined || rest === undefined) return undefined;
  if (Number(rounds) < ROUNDS || Number(rounds) > MAX_ROUNDS) return undefined;
  const key = await keyFrom(passphrase, fromBase64(salt), Number(rounds));
  const additionalData = new TextEncoder().encode(head);
  try {
    const algorithm = { name: "AES-GCM", iv: fromBase64(start), additionalData };
    const opened = await crypto.subtle.decrypt(algorithm, key, fromBase64(rest));
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

/** The same passphrase from another keyboard may come in other code points: NFKC makes them one. */
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
