/**
 * 32 hexadecimal digits that stay the same for one key at one service on this device, and reveal nothing about the key:
 * SHA-256 over the device's salt, the address and the key. The studio's host makes the same. Where the page is plain HTTP,
 * `crypto.subtle` is missing and a short checksum is used instead.
 */
export async function accountIdOf({
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
