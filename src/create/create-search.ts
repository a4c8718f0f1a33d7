import type { MediaKind } from "#api/types.ts";
import { packJson, unpackJson } from "#lib/packed-json.ts";
import { asAddressText, asOneOf, asRecord, isRecord, type JsonRecord } from "#lib/read.ts";

/** Which part of an earlier job is put into the form. */
const REUSED_PARTS = ["all", "noseed", "prompt", "seed"] as const;
export type ReusedPart = (typeof REUSED_PARTS)[number];

export interface CreateSearch {
  /** The job that the result panel shows. */
  job?: string | undefined;
  /** A job whose settings are put into the form, once. */
  from?: string | undefined;
  /** Which of these settings: all, where not given. */
  keep?: ReusedPart | undefined;
  /** Settings packed into a link (`writeSharedPayload`), put into the form once. */
  p?: string | undefined;
  /** The address of a file that is put into a field that takes it, once. */
  put?: string | undefined;
  /** The kind of that file. */
  as?: MediaKind | undefined;
  /** The address that the file replaces, in whichever field that is. */
  over?: string | undefined;
}

/** The most that a link may carry, so that mail and chat programs do not cut it. Characters. */
const LONGEST_P = 6000;

/** The search part of `/create`, validated: what is not understood is undefined. */
export function readCreateSearch(raw: unknown): CreateSearch {
  const { job, from, keep, p, put, as, over } = asRecord(raw);
  return {
    job: asAddressText(job),
    from: asAddressText(from),
    keep: asOneOf(keep, REUSED_PARTS),
    p: typeof p === "string" && p !== "" && p.length <= LONGEST_P ? p : undefined,
    put: fileAddress(put),
    as: asOneOf(as, FILE_KINDS),
    over: fileAddress(over),
  };
}

const FILE_KINDS = ["image", "video", "audio"] as const;
const LONGEST_ADDRESS = 4096;

function fileAddress(value: unknown): string | undefined {
  const isAddress = typeof value === "string" && /^https?:\/\//i.test(value) && value.length <= LONGEST_ADDRESS;
  return isAddress ? value : undefined;
}

/** A payload as the `p` of a link. Undefined where it would be too long for a link. */
export function writeSharedPayload(payload: JsonRecord): Promise<string | undefined> {
  return packJson(payload, LONGEST_P);
}

/** The payload of a link, or undefined for anything else. What comes back is untrusted. */
export async function readSharedPayload(words: string): Promise<JsonRecord | undefined> {
  const value = await unpackJson(words, LONGEST_P);
  return isRecord(value) ? value : undefined;
}
