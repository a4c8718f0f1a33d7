import { parseUrl } from "#lib/parse-url.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { badRequest } from "#sandbox/sandbox-error.ts";

/** How many tokens a picture counts for in the prompt, whatever its size. */
export const PICTURE_TOKENS = 800;

const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const LARGEST_BYTES = 5_000_000;

/**
 * A picture of a question in words, such as "a PNG of 640 × 480 (12 kB)": of the messages format (`image` with a `source`)
 * or of the responses format (`input_image` with an `image_url`). An address is named and not fetched. Throws 400 that
 * names the place.
 */
export function describePicture(block: JsonRecord, place: string): string {
  if (block.type === "input_image") {
    if (typeof block.image_url !== "string") throw badRequest(`${place}.image_url: Field required`);
    const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(block.image_url) ?? [];
    if (type !== undefined && data !== undefined) return describeBytes(type, data, `${place}.image_url`);
    return describeAddress(block.image_url, `${place}.image_url`);
  }
  const { source } = block;
  if (!isRecord(source)) throw badRequest(`${place}.source: Field required`);
  if (source.type === "url") return describeAddress(source.url, `${place}.source.url`);
  if (source.type !== "base64") throw badRequest(`${place}.source.type: must be base64 or url`);
  return describeBytes(source.media_type, source.data, `${place}.source`);
}

function describeAddress(url: unknown, place: string): string {
  const address = typeof url === "string" ? parseUrl(url) : undefined;
  if (address?.protocol !== "https:") throw badRequest(`${place}: must be an https URL`);
  return `an image at ${address.host}`;
}

function describeBytes(type: unknown, data: unknown, place: string): string {
  if (typeof type !== "string" || !TYPES.includes(type)) {
    throw badRequest(`${place}.media_type: must be one of ${TYPES.join(", ")}`);
  }
  if (typeof data !== "string" || data === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    throw badRequest(`${place}.data: must be Base64`);
  }
  const bytes = Math.floor((data.length * 3) / 4);
  if (bytes > LARGEST_BYTES) throw badRequest(`${place}: image exceeds 5 MB maximum`);
  const kind = type.slice("image/".length).toUpperCase();
  const size = sizeOf(type, data);
  return `a ${kind}${size === undefined ? "" : ` of ${size}`} (${Math.ceil(bytes / 1000)} kB)`;
}

/** Width and height from the first bytes, where they stand in a fixed place. */
function sizeOf(type: string, data: string): string | undefined {
  const head = Uint8Array.from(
    atob(data.slice(0, 64).padEnd(Math.ceil(Math.min(64, data.length) / 4) * 4, "=")),
    (one) => one.charCodeAt(0),
  );
  const view = new DataView(head.buffer);
  if (type === "image/png" && head.length >= 24) return `${view.getUint32(16)} × ${view.getUint32(20)}`;
  if (type === "image/gif" && head.length >= 10) return `${view.getUint16(6, true)} × ${view.getUint16(8, true)}`;
  return undefined;
}
