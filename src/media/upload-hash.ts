const MOST_HASHED_BYTES = 64 * 1024 * 1024;

/**
 * SHA-256 of a file, in hex; undefined for a large one, which is not read into memory, and on a page that is not a secure
 * context, where the browser has none.
 */
export async function uploadHash(file: Blob): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle || file.size > MOST_HASHED_BYTES) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(await file.arrayBuffer()));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
