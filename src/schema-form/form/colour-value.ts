import { isRecord } from "#lib/json.ts";
import type { ColourField } from "../read/field.ts";

const isByte = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 255;

/** A colour's value as `#rrggbb`; undefined where it is no colour in the field's form. */
export function hexOfColour(field: ColourField, value: unknown): string | undefined {
  if (field.form === "hex") return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value : undefined;
  const parts = Array.isArray(value) ? value : isRecord(value) ? [value.r, value.g, value.b] : [];
  if (parts.length !== 3 || !parts.every(isByte)) return undefined;
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** `#rrggbb` in the field's form; undefined where the text is no whole colour. */
export function colourFromHex(field: ColourField, text: string): unknown {
  const hex = text.trim().match(/^#?([0-9a-f]{6})$/i)?.[1];
  if (!hex) return field.form === "hex" ? text : undefined;
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  if (field.form === "tuple") return [r, g, b];
  return field.form === "object" ? { r, g, b } : `#${hex}`;
}
