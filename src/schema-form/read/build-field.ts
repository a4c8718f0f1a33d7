import { isRecord, type JsonRecord, ownArray } from "#lib/read.ts";
import { buildArray } from "./build-array.ts";
import type { BuildContext, Part, Place } from "./build-context.ts";
import { buildObject } from "./build-object.ts";
import { buildChoice, enumOptions } from "./build-scalar.ts";
import { buildSimple, MAX_OPTIONS } from "./build-simple.ts";
import { buildUnion, typesAsAlternatives } from "./build-union.ts";
import type { Field } from "./field.ts";
import { fieldBase } from "./field-base.ts";
import { flattenSchema } from "./flatten-schema.ts";

/** Bounds of what a schema may make the page build (reliability 1.4). */
const MAX_DEPTH = 16;

const typeOfValue = (value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? "array" : typeof value;
};

const KEYWORD_TYPES: readonly [type: string, keywords: readonly string[]][] = [
  ["object", ["properties", "additionalProperties", "patternProperties", "required", "dependentRequired"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["string", ["pattern", "minLength", "maxLength", "format", "contentMediaType", "contentEncoding"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "ge", "le"]],
];

/** The type of a schema: declared, else told by its keywords, its default or its examples. */
function typeOf(schema: JsonRecord): string | undefined {
  if (typeof schema.type === "string") return schema.type.toLowerCase();
  const byKeyword = KEYWORD_TYPES.find(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));
  return byKeyword?.[0] ?? typeOfValue(schema.default) ?? typeOfValue(ownArray(schema, "examples")?.[0]);
}

function buildPart(part: Part): Field {
  const { schema, place } = part;
  const options = enumOptions(schema);
  if (options.length > 0 && options.length <= MAX_OPTIONS) return buildChoice(part, options);
  const union = buildUnion({ ...part, schema: typesAsAlternatives(schema) }, buildField);
  if (union) return union;
  const type = typeOf(schema);
  const simple = buildSimple(part, type);
  if (simple) return simple;
  switch (type) {
    case "array":
      return buildArray(part, buildField);
    case "object":
      return buildObject(part, buildField);
    default:
      return {
        ...fieldBase(part, "json"),
        kind: "json",
        reason: `The listing does not say what kind of value "${place.key}" is.`,
      };
  }
}

/** One field from one schema. What cannot be read becomes a JSON field for that part; it never throws. */
export function buildField(context: BuildContext, input: unknown, place: Place): Field {
  const flat = flattenSchema(context.index, input, place.trail);
  const part: Part = { context, place: { ...place, trail: flat.trail }, schema: flat.schema, nullable: flat.nullable };
  context.budget.left -= 1;
  const reason =
    flat.problem && !isRecord(flat.schema.properties) && flat.schema.type === undefined
      ? flat.problem
      : place.depth > MAX_DEPTH
        ? "This part is nested too deeply for a form."
        : context.budget.left < 0
          ? "The listing is too long for a form."
          : undefined;
  if (reason) return { ...fieldBase(part, "json"), kind: "json", reason };
  return buildPart(part);
}
