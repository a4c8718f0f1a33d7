import type { JsonRecord } from "#lib/read.ts";
import type { FormSchema, Role } from "#schema-form/read/field.ts";
import { pixelsOf, ratioOf } from "#schema-form/read/options.ts";

/** The proportions that a run would have, and its pixels where they are known. */
export interface AskedShape {
  /** Width over height. */
  ratio: number;
  pixels: { width: number; height: number } | undefined;
  /** As the form shows it: "16:9", "1536 × 1024". */
  label: string;
}

/** The shape that a payload asks for, by its ratio, size, or width and height; undefined where it has none. */
export function askedShape(schema: FormSchema, payload: JsonRecord): AskedShape | undefined {
  const valueIn = (role: Role) => {
    const field = schema.fields.find((one) => one.role === role);
    if (!field) return undefined;
    return Object.hasOwn(payload, field.key) ? payload[field.key] : field.defaultValue;
  };
  const [width, height] = [Number(valueIn("width")), Number(valueIn("height"))];
  if (width > 0 && height > 0)
    return { ratio: width / height, pixels: { width, height }, label: `${width} × ${height}` };
  for (const role of ["aspect-ratio", "size", "resolution"] as const) {
    const value = valueIn(role);
    const ratio = typeof value === "string" ? ratioOf(value) : undefined;
    if (typeof value === "string" && ratio !== undefined) return { ratio, pixels: pixelsOf(value), label: value };
  }
  return undefined;
}

interface Size {
  width: number;
  height: number;
}

/** Proportions closer than this are the same to the eye. */
const SAME_RATIO = 0.01;

/** Whether a picture has other proportions than a ratio of width over height. */
export function isOtherShape({ width, height }: Size, ratio: number): boolean {
  return Math.abs(Math.log(width / height / ratio)) > SAME_RATIO;
}
