/**
 * The bytes of a `data:` address, or undefined where it is not base64. Decoded here because the page's own policy does
 * not let it fetch such an address.
 */
export function inlineBytes(url: string): Uint8Array<ArrayBuffer> | undefined {
  const comma = url.indexOf(",");
  if (!url.startsWith("data:") || comma < 0 || !url.slice(0, comma).endsWith(";base64")) return undefined;
  try {
    return Uint8Array.from(atob(url.slice(comma + 1)), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
