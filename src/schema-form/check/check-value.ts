import { isRecord, type JsonRecord, sameJson } from "#lib/read.ts";

/**
 * A keyword's own value, never one from the prototype: a schema from the wire could name `constructor`. Undefined where
 * it has none.
 */
export function own(schema: JsonRecord, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

/** Whether `value` is of a JSON Schema type. A word that JSON Schema does not know allows every value. */
export function typeMatches(type: unknown, value: unknown): boolean {
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "string" || type === "number" || type === "boolean") return typeof value === type;
  return true;
}

/** Whether `value` is a multiple of `step`, forgiving the last bits of binary fractions (0.15 is 3 × 0.05). */
function isMultiple(value: number, step: number): boolean {
  if (step === 0) return true;
  const times = value / step;
  if (!Number.isFinite(times)) return false;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

function checkNumber(schema: JsonRecord, value: number, fail: (keyword: string) => void): void {
  const limit = (key: string) => (typeof own(schema, key) === "number" ? (own(schema, key) as number) : undefined);
  const [low, high] = [limit("minimum"), limit("maximum")];
  const [above, below, step] = [limit("exclusiveMinimum"), limit("exclusiveMaximum"), limit("multipleOf")];
  if (low !== undefined && (own(schema, "exclusiveMinimum") === true ? value <= low : value < low)) fail("minimum");
  if (high !== undefined && (own(schema, "exclusiveMaximum") === true ? value >= high : value > high)) fail("maximum");
  if (above !== undefined && value <= above) fail("exclusiveMinimum");
  if (below !== undefined && value >= below) fail("exclusiveMaximum");
  if (step !== undefined && !isMultiple(value, step)) fail("multipleOf");
}

/**
 * The keywords that look at one value and at nothing inside it, patterns left out. `fail` is called with each keyword
 * that the value breaks.
 */
export function checkValue(schema: JsonRecord, value: unknown, fail: (keyword: string) => void): void {
  if (Object.hasOwn(schema, "const") && !sameJson(schema.const, value)) fail("const");
  const options = own(schema, "enum");
  if (Array.isArray(options) && !options.some((option) => sameJson(option, value))) fail("enum");
  if (typeof value === "number") checkNumber(schema, value, fail);
  const [least, most] = [own(schema, "minLength"), own(schema, "maxLength")];
  if (typeof value === "string" && (typeof least === "number" || typeof most === "number")) {
    const length = [...value].length;
    if (typeof least === "number" && length < least) fail("minLength");
    if (typeof most === "number" && length > most) fail("maxLength");
  }
}

/** Checks how many items an array has: `fail` is called with each keyword that it breaks. */
export function checkCount(schema: JsonRecord, value: readonly unknown[], fail: (keyword: string) => void): void {
  const [least, most] = [own(schema, "minItems"), own(schema, "maxItems")];
  if (typeof least === "number" && value.length < least) fail("minItems");
  if (typeof most === "number" && value.length > most) fail("maxItems");
}
