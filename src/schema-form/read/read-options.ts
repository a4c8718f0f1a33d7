import { isRecord, ownString } from "#lib/read.ts";

export interface ReadOptions {
  values: unknown[];
  /** Labels by position, undefined where the value is its own label. */
  labels: (string | undefined)[];
}

/**
 * Options as a listing gives them: scalars, objects of value and label, a map of value to label, or one string with
 * commas. Values are kept exactly as given: digits stay strings and the empty string is an option.
 */
export function readOptions(raw: unknown): ReadOptions | undefined {
  if (typeof raw === "string") {
    const values = raw.split(/[,|]/).map((part) => part.trim());
    return values.length > 1 ? { values, labels: values.map(() => undefined) } : undefined;
  }
  if (isRecord(raw)) {
    const entries = Object.entries(raw).filter(([, label]) => typeof label === "string");
    if (entries.length === 0) return undefined;
    return { values: entries.map(([value]) => value), labels: entries.map(([, label]) => String(label)) };
  }
  if (!Array.isArray(raw) || raw.length === 0) return undefined;
  const values: unknown[] = [];
  const labels: (string | undefined)[] = [];
  for (const option of raw) {
    const key = isRecord(option)
      ? ["value", "const", "id", "key", "name"].find((k) => Object.hasOwn(option, k))
      : undefined;
    const value = isRecord(option) && key !== undefined ? option[key] : option;
    if (values.some((known) => known === value)) continue;
    values.push(value);
    labels.push(isRecord(option) ? ownString(option, "label", "title", "display_name", "name", "text") : undefined);
  }
  return { values, labels };
}
