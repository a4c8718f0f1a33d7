import { rangeText } from "../check/problem-text.ts";
import type { Field } from "../read/field.ts";

function itemsText(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined && least > 1)
    return least === most ? `exactly ${most}` : `${least} to ${most}`;
  if (most !== undefined) return `up to ${most}`;
  return least !== undefined && least > 1 ? `at least ${least}` : undefined;
}

/** A few words beside the label: the range with its unit, how many, how long. */
export function fieldNote(field: Field): string | undefined {
  if (field.kind === "number") {
    // The whole range of 32-bit seeds tells nobody anything.
    return field.role === "seed" ? undefined : (rangeText(field) ?? field.unit);
  }
  if (field.kind === "media" || field.kind === "list" || field.kind === "choices")
    return itemsText(field.minItems, field.maxItems);
  const units: Record<string, string> = { s: "in seconds", ms: "in milliseconds" };
  return field.unit === undefined ? undefined : (units[field.unit] ?? field.unit);
}
