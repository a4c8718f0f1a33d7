/** Random bytes for 256 ids: one call for all of them is much faster than one for each, and a batch makes thousands. */
const drawn = new Uint8Array(256 * 16);
let next = drawn.length;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A random 128-bit id in hexadecimal. `crypto.randomUUID` is missing where the page is plain HTTP; this is not. */
export function randomId(): string {
  if (next === drawn.length) {
    crypto.getRandomValues(drawn);
    next = 0;
  }
  let id = "";
  for (const end = next + 16; next < end; next += 1) id += HEX[drawn[next] as number];
  return id;
}
