import { packJson, unpackJson } from "#lib/packed-json.ts";
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
