import type { NumberField } from "../read/field.ts";

/** A number's value as the text of its box. */
export function numberText(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}

/**
 * What the text of a number box is sent as: a number, or the text itself where the listing wants text or it is no
 * number; undefined when it is empty.
 */
export function numberFromText(field: NumberField, text: string): unknown {
  const trimmed = text.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2");
  if (trimmed === "") return undefined;
  const number = Number(trimmed);
  // Text that is no number, or that a number cannot hold exactly, stays as typed and is reported as a problem.
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return trimmed;
  return field.asString ? trimmed : number;
}

/**
 * One step up or down from a text, clamped to the bounds and free of binary noise such as 0.30000000000000004. Returns
 * the text itself where it is no number.
 */
export function stepNumber(field: NumberField, text: string, steps: number): string {
  const step = field.step ?? (field.integer ? 1 : guessStep(field));
  const from = Number(text.trim() === "" ? numberText(field.defaultValue ?? field.min ?? 0) : text);
  if (!Number.isFinite(from)) return text;
  const digits = Math.min(10, Math.max(decimals(step), decimals(from)));
  let next = Number((from + step * steps).toFixed(digits));
  if (field.min !== undefined) next = Math.max(field.min, next);
  if (field.max !== undefined) next = Math.min(field.max, next);
  return String(next);
}

function decimals(value: number): number {
  const [, fraction = ""] = String(value).split(".");
  return fraction.length;
}

/** A step for a number that declares none: fine enough for its range. */
export function guessStep(field: NumberField): number {
  if (field.integer) return 1;
  const range = field.max !== undefined && field.min !== undefined ? field.max - field.min : undefined;
  if (range === undefined) return 0.1;
  return range <= 2 ? 0.01 : range <= 20 ? 0.1 : range <= 200 ? 0.5 : 1;
}
