import { isRecord, type JsonRecord } from "#lib/json.ts";

// Each of these asks for the value before it asks whose it is: most keys are not there, and a long listing is asked for
// thousands of them.

/** The first of `keys` that `source` itself has with a value. A key such as `constructor` never finds the prototype's. */
export function ownValue(source: JsonRecord, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = source[key];
    if (value !== undefined && Object.hasOwn(source, key)) return value;
  }
  return undefined;
}

export function ownString(source: JsonRecord, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = source[key];
    if (typeof value === "string" && value.trim() && Object.hasOwn(source, key)) return value;
  }
  return undefined;
}

/** A finite number, also where it is written as a string (in-the-wild 1, trap 1). */
export function ownNumber(source: JsonRecord, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = source[key];
    if (value === undefined || !Object.hasOwn(source, key)) continue;
    const number = typeof value === "string" && value.trim() ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
  }
  return undefined;
}

export function ownRecord(source: JsonRecord, ...keys: readonly string[]): JsonRecord | undefined {
  for (const key of keys) {
    const value = source[key];
    if (isRecord(value) && Object.hasOwn(source, key)) return value;
  }
  return undefined;
}

export function ownArray(source: JsonRecord, ...keys: readonly string[]): readonly unknown[] | undefined {
  for (const key of keys) {
    const value = source[key];
    if (Array.isArray(value) && Object.hasOwn(source, key)) return value;
  }
  return undefined;
}

/** A copy with one key set as its own property: safe for a key named `__proto__`. */
export function withKey(source: JsonRecord, key: string, value: unknown): JsonRecord {
  return { ...source, [key]: value };
}

export function withoutKey(source: JsonRecord, key: string): JsonRecord {
  return Object.fromEntries(Object.entries(source).filter(([name]) => name !== key));
}
