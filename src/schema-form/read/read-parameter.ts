import { isRecord, type JsonRecord, ownArray, ownNumber, ownRecord, ownString, ownValue } from "#lib/read.ts";
import { parameterTypeSchema } from "./parameter-type.ts";
import { readOptions } from "./read-options.ts";

const NAME_KEYS = ["name", "key", "id", "param", "parameter", "field"] as const;

/** The key of a parameter object, byte for byte. */
export function parameterName(parameter: JsonRecord): string | undefined {
  for (const key of NAME_KEYS) {
    const value = ownValue(parameter, key);
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** `true`, "yes" and "required" are required; "Conditional" is not, the service decides (in-the-wild 1). */
export function isRequired(parameter: JsonRecord): boolean {
  const value = ownValue(parameter, "required", "is_required", "isRequired");
  if (typeof value === "string") return /^(true|yes|required|y)$/i.test(value.trim());
  if (value === undefined) return ownValue(parameter, "optional") === false;
  return value === true || value === 1;
}

/** The most items that the words of a media parameter allow, as in "up to 14 images". */
function mostItems(words: string | undefined): number | undefined {
  const match = words?.match(
    /\b(?:up to|max(?:imum)?(?: of)?)\s+(\d{1,2})\b(?!\s*(?:[kmg]b\b|px|s\b|sec|char|min|%|[.:x*]))/i,
  );
  const count = match ? Number(match[1]) : 1;
  return count > 1 ? count : undefined;
}

function baseSchema(parameter: JsonRecord, defaultValue: unknown): JsonRecord {
  const nested = ownRecord(parameter, "schema", "json_schema");
  if (nested) return nested;
  const properties = ownRecord(parameter, "properties");
  if (properties)
    return { type: "object", properties, ...(ownArray(parameter, "required") && { required: parameter.required }) };
  const type = ownValue(parameter, "type", "data_type", "dataType", "kind");
  const known = typeof type === "string" ? parameterTypeSchema(type) : undefined;
  const items = ownRecord(parameter, "items");
  if (items && (!known || known.type === "array" || Object.keys(known).length === 0)) return { type: "array", items };
  if (known) return known;
  if (Array.isArray(type)) return { type };
  // An unknown word falls back to the default, then to the bounds; then it is JSON. No word at all is text.
  if (typeof defaultValue === "boolean") return { type: "boolean" };
  if (typeof defaultValue === "number") return { type: Number.isInteger(defaultValue) ? "number" : "number" };
  if (typeof defaultValue === "string") return { type: "string" };
  if (Array.isArray(defaultValue)) return { type: "array" };
  if (isRecord(defaultValue)) return {};
  if (ownNumber(parameter, "min_value", "max_value", "minimum", "maximum", "min", "max") !== undefined)
    return { type: "number" };
  return typeof type === "string" && type.trim() ? {} : { type: "string" };
}

/** One object of a parameter array (in-the-wild 1) as a JSON Schema property, with hints under `x-` keys. */
export function parameterSchema(parameter: JsonRecord): JsonRecord {
  const defaultValue = ownValue(parameter, "default_value", "default", "defaultValue");
  const description = ownString(parameter, "description", "desc", "help", "tooltip", "hint");
  let schema: JsonRecord = { ...baseSchema(parameter, defaultValue) };
  const options = readOptions(
    ownValue(parameter, "options", "enum", "enum_values", "choices", "values", "allowed_values", "enumValues"),
  );
  if (options) {
    if (schema.type === "array") schema.items = { enum: options.values, "x-option-labels": options.labels };
    else schema = { ...schema, enum: options.values, "x-option-labels": options.labels };
  } else if (schema["x-choice"] && schema.type === undefined) {
    schema.type = typeof defaultValue === "number" ? "number" : "string";
  }
  const limits = {
    minimum: ownNumber(parameter, "min_value", "minimum", "min", "ge", "minValue"),
    maximum: ownNumber(parameter, "max_value", "maximum", "max", "le", "maxValue"),
    minLength: ownNumber(parameter, "min_length", "minLength"),
    maxLength: ownNumber(parameter, "max_length", "maxLength", "max_chars"),
    minItems: ownNumber(parameter, "min_items", "minItems"),
    maxItems: ownNumber(parameter, "max_items", "maxItems", "max_count"),
    "x-step": ownNumber(parameter, "step", "step_value", "multiple_of"),
    pattern: ownString(parameter, "pattern", "regex"),
    format: schema.format ?? ownString(parameter, "format"),
    "x-unit": ownString(parameter, "unit", "units"),
    title: ownString(parameter, "display_name", "title", "label", "displayName") ?? schema.title,
    description: description ?? schema.description,
  };
  for (const [key, value] of Object.entries(limits)) if (value !== undefined) schema[key] = value;
  if (schema.type === "string" && !options && (limits.minimum !== undefined || limits.maximum !== undefined)) {
    schema["x-numeric"] = true;
  }
  if (schema.contentMediaType && schema.type === "string") {
    const most = limits.maxItems ?? mostItems(description);
    if (most !== undefined) schema["x-max-items"] = most;
  }
  if (defaultValue !== undefined) schema.default = defaultValue;
  if (defaultValue === null || ownValue(parameter, "nullable") === true) schema.nullable = true;
  for (const flag of ["hidden", "disabled", "advanced", "readOnly", "examples"] as const) {
    const value = ownValue(parameter, flag);
    if (value !== undefined) schema[flag] = value;
  }
  return schema;
}
