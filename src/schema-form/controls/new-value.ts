import type { Field } from "../read/field.ts";

/**
 * What a new item or a newly chosen shape starts with: its default, else the smallest value of its kind.
 */
export function newValue(field: Field): unknown {
  if (field.defaultValue !== undefined && field.defaultValue !== null) return field.defaultValue;
  switch (field.kind) {
    case "number":
      return field.asString ? String(field.min ?? 0) : (field.min ?? 0);
    case "boolean":
      return false;
    case "choice":
      return field.options[0]?.value ?? null;
    case "choices":
    case "list":
      return [];
    case "tuple":
      return field.items.map(newValue);
    case "group": {
      const given = field.fields.filter((inner) => inner.required);
      return Object.fromEntries(given.map((inner) => [inner.key, newValue(inner)]));
    }
    case "map":
      return {};
    case "media":
      return field.shape === "many" ? [] : "";
    case "colour":
      return field.form === "hex" ? "#000000" : field.form === "tuple" ? [0, 0, 0] : { r: 0, g: 0, b: 0 };
    case "union":
      return field.variants[0] ? newValue(field.variants[0]) : null;
    case "json":
      return null;
    case "text":
      return "";
    default:
      return field satisfies never;
  }
}
