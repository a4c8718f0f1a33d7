import { isRecord } from "#lib/read.ts";
import { UploadValue } from "../media-value.ts";
import type { Field, Option } from "../read/field.ts";
import { hasValue } from "./check-json.ts";

const valuesOf = new WeakMap<readonly Option[], unknown[]>();

/** Whether a value is one of the options. */
export function isOption(options: readonly Option[], value: unknown): boolean {
  const values = valuesOf.get(options) ?? options.map((option) => option.value);
  valuesOf.set(options, values);
  return hasValue(values, value);
}

/**
 * Whether a value has the broad shape that a field's own control can show. Bounds and required keys do not matter. Only
 * a media field has uploads as its value.
 */
export function fitsField(field: Field, value: unknown): boolean {
  if (value instanceof UploadValue && field.kind !== "union") return field.kind === "media";
  switch (field.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number" || typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return isOption(field.options, value);
    case "choices":
      return Array.isArray(value) && value.every((item) => isOption(field.options, item));
    case "media":
      if (Array.isArray(value)) return field.shape !== "one" && value.every((item) => typeof item === "string");
      return typeof value === "string" && field.shape !== "many";
    case "colour":
      return field.form === "hex"
        ? typeof value === "string"
        : field.form === "tuple"
          ? isTriple(value)
          : isRecord(value);
    case "group":
    case "map":
      return isRecord(value);
    case "list":
      return Array.isArray(value) && value.every((item) => fitsField(field.item, item));
    case "tuple":
      return Array.isArray(value) && value.length <= field.items.length;
    case "union":
      return field.variants.some((variant) => fitsField(variant, value));
    case "json":
      return true;
  }
}

const isTriple = (value: unknown) =>
  Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "number");

/**
 * The index of the variant of a union that shows a value best; -1 where none fits. A number prefers a number field.
 */
export function findBestVariantIndex(variants: readonly Field[], value: unknown): number {
  const preferred = variants.findIndex((variant) =>
    typeof value === "number" ? variant.kind === "number" : variant.kind !== "number" && fitsField(variant, value),
  );
  return preferred >= 0 ? preferred : variants.findIndex((variant) => fitsField(variant, value));
}
