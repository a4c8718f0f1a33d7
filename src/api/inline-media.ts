import type { JsonRecord } from "#lib/json.ts";

const MEDIA_TYPE = /^(image|video|audio)\/[a-z0-9.+-]+$/i;
const BASE64_START = /^[A-Za-z0-9+/_-]{16,}/;

/**
 * The data: address of a file that a record carries inline (`mimeType` and `data`, or `mime_type` and `data`), or
 * undefined. Nothing is decoded here: the browser does it when the file is shown. SVG is refused because it can hold
 * script.
 */
export function inlineMedia(record: JsonRecord): string | undefined {
  const type = record.mimeType ?? record.mime_type;
  const data = record.data;
  if (typeof type !== "string" || typeof data !== "string") return undefined;
  if (!MEDIA_TYPE.test(type) || /svg/i.test(type) || !BASE64_START.test(data)) return undefined;
  return `data:${type.toLowerCase()};base64,${data.includes("-") || data.includes("_") ? plainBase64(data) : data}`;
}

function plainBase64(data: string): string {
  return data.replaceAll("-", "+").replaceAll("_", "/");
}
