/** A random 128-bit id in hexadecimal. `crypto.randomUUID` is missing where the page is plain HTTP; this is not. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
