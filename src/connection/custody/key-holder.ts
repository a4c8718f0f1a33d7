import { RefusedError } from "#api/api-error.ts";
import type { KeyShape } from "#lib/secret-shape.ts";
import type { ServiceAddresses } from "#lib/service-requests.ts";

/**
 * Where the key of a connection is. `host`: in a session of the Safelight server. `worker`: in a dedicated Worker of
 * this page, which a plain file host served. `page`: in the page itself, for the sandbox that runs there, and in tests.
 */
export type Custody = "host" | "worker" | "page";

/** A key for a holder, with the only two addresses that it may be sent to. */
export interface KeyOrder extends ServiceAddresses {
  key: string;
  /** The random part of the account's id on this device. */
  salt: string;
  /**
   * Asks for the key encrypted with a passphrase, for storage. Only a Worker does that, and only as the key arrives.
   */
  keep?: { passphrase: string; name: string } | undefined;
}

/** What a holder tells the page about a key that it has. */
export interface KeyHandle {
  /** The name of the key for `fetchFor`, `forget` and `drop`. Useless without the holder. */
  ticket: string;
  /** Under which records are stored: 32 hexadecimal digits that reveal nothing about the key. */
  accountId: string;
  /** The last four characters, for the person to recognize the key. */
  keyHint: string;
  keyShape: KeyShape;
  /** The time without use after which the holder forgets the key. Undefined where it does not. */
  idleMs?: number | undefined;
  /** When the holder forgets it in any case, as `Date.now()` counts. */
  endsAtMs?: number | undefined;
  /** The key, encrypted with the passphrase of `keep`, for storage. */
  sealed?: string | undefined;
}

/** Has keys for the page and sends Safelight's requests with them. The page cannot read a key or send it elsewhere. */
export interface KeyHolder {
  custody: Custody;
  /** Takes a key. Rejects with an `ApiError` where the holder refuses it or gives no response. */
  hold(order: KeyOrder): Promise<KeyHandle>;
  /**
   * A `fetch` that puts the key where a request has `[key]`, and removes it from the response. Rejects as `fetch` does,
   * and for requests that are not Safelight's own or go to other addresses.
   */
  fetchFor(ticket: string): typeof fetch;
  /**
   * Forgets the key under every ticket of this browser that the holder knows, and aborts its requests. Rejects where
   * the holder gives no response.
   */
  forget(ticket: string): Promise<void>;
  /** Forgets this ticket alone. The same key may exist under another one, in this tab or in another. */
  drop(ticket: string): Promise<void>;
}

type OnKeyLost = (ticket: string, reason: string) => void;

// Not in a store: the loss of a key is an event, not a state.
const listeners = new Set<OnKeyLost>();

/** Calls back when a holder no longer has a key, with the reason as a sentence. Returns the way to stop. */
export function onKeyLost(callback: OnKeyLost): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

/** For holders: reports that a key is lost. `reason` is a sentence for the screen. */
export function reportLostKey(ticket: string, reason: string): void {
  for (const listener of listeners) listener(ticket, reason);
}

/** The `fetch` without a key. A screen may render once more before the redirect: it gets a refusal, not a crash. */
export function refuseWithoutKey(): Promise<Response> {
  return Promise.reject(new RefusedError({ status: 401, message: "Not connected." }));
}

/** The options of a request that is also aborted when the key is forgotten. */
export function withEnd(init: RequestInit = {}, ended: AbortSignal): RequestInit {
  return { ...init, signal: init.signal ? AbortSignal.any([init.signal, ended]) : ended };
}

/**
 * 32 hexadecimal digits that stay the same for one key at one service on this device, and reveal nothing about the key:
 * SHA-256 over the device's salt, the address and the key. The Safelight server computes the same. On a plain HTTP page
 * `crypto.subtle` is missing, and a short checksum is used instead.
 */
export async function deriveAccountId({
  key,
  queueBaseUrl,
  salt,
}: {
  key: string;
  queueBaseUrl: string;
  salt: string;
}): Promise<string> {
  const text = [salt, queueBaseUrl, key].join("\n");
  if (globalThis.crypto?.subtle === undefined) return checksum(text).repeat(4);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** FNV-1a, 32 bits: too short to find a key by, long enough to distinguish two. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
