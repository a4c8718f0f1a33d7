import type { NumberField } from "../read/field.ts";

/** A number's value as the text of its box. */
export function numberText(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}

/**
 * The value of a number box's text: a number, or the text itself where the listing asks for text or it is no number;
 * undefined where it is empty. A decimal comma counts as a point.
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
 * The text after `steps` steps (negative: down), clamped to the bounds and free of binary noise such as
 * 0.30000000000000004. Returns the text itself where it is no number.
 */
export function stepNumber(field: NumberField, text: string, steps: number): string {
  const step = field.step ?? (field.integer ? 1 : guessStep(field));
  const start = Number(text.trim() === "" ? numberText(field.defaultValue ?? field.min ?? 0) : text);
  if (!Number.isFinite(start)) return text;
  const digits = Math.min(10, Math.max(decimals(step), decimals(start)));
  let next = Number((start + step * steps).toFixed(digits));
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
