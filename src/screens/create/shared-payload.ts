import { holdsKey, type KeyShape } from "#lib/key-shape.ts";
import { packJson, unpackJson } from "#lib/packed-json.ts";
import { type PublicJson, withoutPrivate } from "#lib/public-json.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { LONGEST_P } from "./create-search.ts";

/** A payload as the `p` of a link. Undefined where it would be too long for a link. */
export function writeSharedPayload(payload: JsonRecord): Promise<string | undefined> {
  return packJson(payload, LONGEST_P);
}

/** The payload of a link, or undefined for anything that is none. What comes back is untrusted. */
export async function readSharedPayload(words: string): Promise<JsonRecord | undefined> {
  const value = await unpackJson(words, LONGEST_P);
  return isRecord(value) ? value : undefined;
}

/**
 * A payload without what is not for others: the key, should someone have pasted it into a field, inline files, and files
 * stored from this device. Everything else stays key for key.
 */
export function sharablePayload(
  payload: JsonRecord,
  { keyShape, ownAddresses }: { keyShape: KeyShape | undefined; ownAddresses: ReadonlySet<string> },
): PublicJson {
  return withoutPrivate(
    payload,
    (text) =>
      /^(blob|data|file):/i.test(text) ||
      ownAddresses.has(text) ||
      (keyShape !== undefined && holdsKey(text, keyShape)),
  );
}
