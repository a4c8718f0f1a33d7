import { isRecord, type JsonRecord } from "./read.ts";

export interface PublicJson {
  payload: JsonRecord;
  /** How many values were left out. */
  leftOut: number;
}

/**
 * A JSON object without its private texts, and without the lists that held nothing else. Everything else stays key for key.
 * Never throws for what came from JSON.
 */
export function withoutPrivate(payload: JsonRecord, isPrivate: (text: string) => boolean): PublicJson {
  let leftOut = 0;
  function publicValue(value: unknown): unknown {
    if (typeof value === "string" && isPrivate(value)) {
      leftOut += 1;
      return undefined;
    }
    if (Array.isArray(value)) return value.map(publicValue).filter((item) => item !== undefined);
    return isRecord(value) ? publicRecord(value) : value;
  }
  function publicRecord(record: JsonRecord): JsonRecord {
    const entries = Object.entries(record).map(([name, value]): [string, unknown] => [name, publicValue(value)]);
    return Object.fromEntries(
      entries.filter(([name, value]) => value !== undefined && !(isEmptyList(value) && !isEmptyList(record[name]))),
    );
  }
  return { payload: publicRecord(payload), leftOut };
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
