import { UnusableIdError } from "./api-error.ts";

const REQUEST_ID = /^[A-Za-z0-9._~:@-]{1,200}$/;
const LONGEST_MODEL_ID = 300;

/**
 * Whether an id can be part of an address. `..` survives percent-encoding and would reach another endpoint.
 */
export function isUsableRequestId(id: string): boolean {
  return REQUEST_ID.test(id) && id !== "." && id !== "..";
}

/**
 * Whether a model id can be part of an address. Slashes, spaces and any letters are legal; a step upwards is not.
 */
function isUsableModelId(id: string): boolean {
  if (id.trim() === "" || id.length > LONGEST_MODEL_ID || hasControlCharacter(id) || hasLoneSurrogate(id)) return false;
  return id.split(/[/\\]/).every((part) => part !== "." && part !== "..");
}

/** The request id as one path segment. Throws `UnusableIdError` before any request is made. */
export function requestIdSegment(id: string): string {
  if (!isUsableRequestId(id)) throw new UnusableIdError("This job ID can’t be used in a URL.");
  return encodeURIComponent(id);
}

/** The model id as one path segment, a slash included as `%2F`. Throws `UnusableIdError` before any request is made. */
export function modelIdSegment(id: string): string {
  if (!isUsableModelId(id)) throw new UnusableIdError("This model ID can’t be used in a URL.");
  return encodeURIComponent(id);
}

function hasControlCharacter(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}

function hasLoneSurrogate(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff) return true;
  }
  return false;
}
