import { isRecord } from "#lib/json.ts";

/** One text per payload, whatever the order of its keys: two forms that look the same are the same request. */
export function payloadKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(payloadKey).join(",")}]`;
  if (isRecord(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${JSON.stringify(key)}:${payloadKey(value[key])}`)
      .join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
