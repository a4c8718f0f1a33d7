import { isRecord, type JsonRecord } from "#lib/read.ts";
import { checkFlat } from "../check/check-flat.ts";
import { withOneMainPrompt } from "../form/main-prompt.ts";
import type { Part } from "./build-context.ts";
import { buildChoice, enumOptions, isRgb } from "./build-scalar.ts";
import { buildSimple, MAX_OPTIONS } from "./build-simple.ts";
import type { Field, FormSchema } from "./field.ts";
import { markAdvanced } from "./mark-advanced.ts";
import { orderProperties } from "./order-properties.ts";
import { isParameterArray, readParameters } from "./read-parameters.ts";

/** More fields than this are left to `readSchema`, which bounds them. */
const MAX_FIELDS = 500;

/** What a simple parameter's schema may hold; anything else is for `readSchema`. */
const SIMPLE =
  /^(type|enum|x-option-labels|x-multiline|x-choice|x-step|x-unit|x-numeric|x-max-items|contentMediaType|format|pattern|title|description|default|examples|advanced|(min|max)(imum|Length|Items))$/;

/** The field of a simple parameter, as `buildField` makes it. */
function buildFlat(context: Part["context"], key: string, schema: unknown, required: boolean): Field | undefined {
  if (!isRecord(schema) || !Object.keys(schema).every((keyword) => SIMPLE.test(keyword))) return undefined;
  const part: Part = { context, place: { key, required, depth: 0, trail: [] }, schema, nullable: false };
  const options = enumOptions(schema);
  if (options.length === 0) return buildSimple(part, schema.type);
  const isPlain = options.length <= MAX_OPTIONS && options.every(({ value }) => value !== null);
  return isPlain && typeof schema.type === "string" ? buildChoice(part, options) : undefined;
}

/**
 * Reads the plain case of `readSchema` and gives the same form: a parameter array of simple values (in-the-wild 1).
 * Undefined for every other listing.
 */
export function readFlat(raw: unknown): FormSchema | undefined {
  if (!isParameterArray(raw) || raw.length > MAX_FIELDS) return undefined;
  const { schema, notes } = readParameters(raw);
  const properties = schema.properties as JsonRecord;
  if (isRgb(schema)) return undefined;
  const required = new Set(schema.required as string[]);
  // The index is for references, and a simple parameter has none.
  const index = { root: raw, budget: { left: 0 } };
  const context = { index, roles: new Map(), budget: { left: MAX_FIELDS }, notes };
  const fields: Field[] = [];
  for (const key of orderProperties(schema)) {
    const field = buildFlat(context, key, properties[key], required.has(key));
    if (field === undefined) return undefined;
    fields.push(field);
  }
  return {
    reading: "parameters",
    fields: markAdvanced(withOneMainPrompt(fields)),
    notes,
    schema,
    root: raw,
    check: (payload) => checkFlat(schema, payload),
  };
}
