import { isRecord, type JsonRecord } from "./read.ts";
import { redactAddresses } from "./redact-secret.ts";
import { findSecret, type KeyShape } from "./secret-shape.ts";

/** What must not leave this browser in a recipe, a link or a diagnostics file, besides texts that look like a secret. */
export interface Privacy {
  /** The shape of the connection's own key. */
  keyShape: KeyShape | undefined;
  /** Addresses of files that this browser stored with the service. */
  ownAddresses: ReadonlySet<string>;
  /** Whether the service deletes the file at this address after a while. Without it, such addresses stay. */
  isExpiring?: (address: string) => boolean;
}

interface PublicJson {
  payload: JsonRecord;
  /** How many values were left out. */
  leftOut: number;
}

/**
 * Whether a text must stay in this browser: it is a file of this device (`blob:`, `data:`, `file:`), it contains the
 * address of one of the person's own files or a signed address, which opens the file for whoever has it, or it contains
 * a key.
 */
export function isPrivate(text: string, { keyShape, ownAddresses, isExpiring }: Privacy): boolean {
  const plain = text.trim();
  if (/^(blob|data|file):/i.test(plain) || findSecret(plain, keyShape) !== undefined) return true;
  if (!plain.includes("://")) return false;
  if (redactAddresses(plain) !== plain || [...ownAddresses].some((own) => plain.includes(own))) return true;
  return /^https?:\/\/\S+$/i.test(plain) && isExpiring?.(plain) === true;
}

/**
 * A JSON object without its private texts, without the entries whose name is private, and without a list all of whose items
 * were private. Everything else stays as it is.
 */
export function withoutPrivate(payload: JsonRecord, privacy: Privacy): PublicJson {
  let leftOut = 0;
  function publicValue(value: unknown): unknown {
    if (typeof value === "string" && isPrivate(value, privacy)) {
      leftOut += 1;
      return undefined;
    }
    if (Array.isArray(value)) return value.map(publicValue).filter((item) => item !== undefined);
    return isRecord(value) ? publicRecord(value) : value;
  }
  function publicRecord(record: JsonRecord): JsonRecord {
    const named = Object.entries(record).filter(([name]) => !isPrivate(name, privacy));
    leftOut += Object.keys(record).length - named.length;
    const entries = named.map(([name, value]): [string, unknown] => [name, publicValue(value)]);
    return Object.fromEntries(
      entries.filter(([name, value]) => value !== undefined && !(isEmptyList(value) && !isEmptyList(record[name]))),
    );
  }
  return { payload: publicRecord(payload), leftOut };
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
