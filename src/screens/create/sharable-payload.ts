import { isRecord, type JsonRecord } from "#lib/json.ts";

export interface Sharable {
  payload: JsonRecord;
  /** How many values were left out. */
  leftOut: number;
}

/**
 * A payload without what is not for others: the key, should someone have pasted it into a field, inline files, and files
 * stored from this device. Everything else stays key for key.
 */
export function sharablePayload(
  payload: JsonRecord,
  { key, ownAddresses }: { key: string; ownAddresses: ReadonlySet<string> },
): Sharable {
  let leftOut = 0;
  const isPrivate = (text: string) =>
    /^(blob|data|file):/i.test(text) || ownAddresses.has(text) || (key !== "" && text.includes(key));
  function keep(value: unknown): unknown {
    if (typeof value === "string" && isPrivate(value)) {
      leftOut += 1;
      return undefined;
    }
    if (Array.isArray(value)) return value.map(keep).filter((item) => item !== undefined);
    return isRecord(value) ? keepAll(value) : value;
  }
  function keepAll(record: JsonRecord): JsonRecord {
    const kept = Object.entries(record).map(([name, value]): [string, unknown] => [name, keep(value)]);
    return Object.fromEntries(
      kept.filter(([name, value]) => value !== undefined && !(isEmptyList(value) && !isEmptyList(record[name]))),
    );
  }
  return { payload: keepAll(payload), leftOut };
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
