import { isRecord, type JsonRecord, ownArray, ownString, withoutKey } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { buildChoice, buildMedia, buildNumber, buildText, enumOptions, fieldBase, type Part } from "./build-scalar.ts";
import type { Field, Option } from "./field.ts";
import { flattenSchema, mergeSchemas } from "./flatten-schema.ts";
import { optionText } from "./options.ts";

/** Characters of the name of an alternative that are shown. */
const LONGEST_TITLE = 120;

/** Builds a field of any kind. It is passed in, because whoever builds any kind imports this file. */
type Build = (context: Part["context"], input: unknown, place: Part["place"]) => Field;

/** Keywords that give a schema a shape. Alternatives without any of them only add conditions, such as `required`. */
const SHAPES = [
  "type",
  "enum",
  "const",
  "properties",
  "items",
  "prefixItems",
  "anyOf",
  "oneOf",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "contentMediaType",
  "additionalProperties",
  "$ref",
  "multipleOf",
];

function alternatives(part: Part): Part[] | undefined {
  const { schema, context, place } = part;
  const key = ownArray(schema, "anyOf") ? "anyOf" : "oneOf";
  const list = ownArray(schema, key) ?? [];
  if (list.length < 2) return undefined;
  const rest = withoutKey(schema, key);
  const parts = list.map((item) => {
    const flat = flattenSchema(context.index, item, place.trail);
    return { flat, part: { ...part, schema: flat.schema, place: { ...place, trail: flat.trail } } };
  });
  if (parts.some(({ flat }) => flat.problem)) return undefined;
  if (!parts.every(({ part: { schema: inner } }) => SHAPES.some((shape) => Object.hasOwn(inner, shape))))
    return undefined;
  // An object with properties of its own and alternatives that only add to it is still one object.
  if (Object.hasOwn(rest, "properties") && rest.type === "object") return undefined;
  return parts.map(({ part: inner }) => ({ ...inner, schema: mergeSchemas(withoutTitle(rest), inner.schema) }));
}

const withoutTitle = (schema: JsonRecord) =>
  withoutKey(withoutKey(withoutKey(schema, "title"), "description"), "default");

function describes(part: Part): Option[] {
  return enumOptions(part.schema).map((option) => {
    const title = Object.hasOwn(part.schema, "const") ? ownString(part.schema, "title", "label") : undefined;
    return title ? { ...option, label: visibleLine(title, LONGEST_TITLE) } : option;
  });
}

function variantLabel(field: Field, part: Part): string {
  const title = ownString(part.schema, "title");
  if (title) return visibleLine(title, LONGEST_TITLE).replace(/([a-z])([A-Z])/g, "$1 $2");
  const names: Record<Field["kind"], string> = {
    text: "Text",
    number: "Number",
    boolean: "Yes or no",
    choice: "Preset",
    choices: "Choices",
    media: "Media",
    colour: "Colour",
    group: "Custom",
    list: "List",
    tuple: "Values",
    map: "Map",
    union: "Other",
    json: "JSON",
  };
  return names[field.kind];
}

/**
 * A schema of several alternatives as one field: merged where one control serves them all, else a choice of shapes.
 * Undefined where it has no alternatives.
 */
export function buildUnion(part: Part, build: Build): Field | undefined {
  const parts = alternatives(part);
  if (!parts) return undefined;
  const named = parts.map(describes);
  if (named.every((options) => options.length > 0)) return buildChoice(part, dedupe(named.flat()));
  const { context } = part;
  const fields = parts.map((inner) => build(context, inner.schema, inner.place));
  const kinds = new Set(fields.map((field) => field.kind));
  const texts = fields.filter((field) => field.kind === "text");
  if (kinds.size === 2 && kinds.has("choice") && texts.length === 1 && texts[0]?.format === "plain") {
    const options = dedupe(named.flat());
    if (options.every((option) => typeof option.value === "string")) {
      return buildText(
        { ...part, schema: mergeSchemas(parts[fields.indexOf(texts[0])]?.schema ?? {}, noLists(part.schema)) },
        options,
      );
    }
  }
  if (kinds.size === 1) {
    if (kinds.has("text")) return buildText({ ...part, schema: { ...part.schema, type: "string" } });
    if (kinds.has("number"))
      return buildNumber(
        part,
        fields.every((field) => field.kind === "number" && field.integer),
      );
    if (kinds.has("boolean")) return { ...fieldBase(part, "boolean"), kind: "boolean" };
    if (kinds.has("media")) {
      const [first] = fields;
      const shapes = new Set(fields.map((field) => (field.kind === "media" ? field.shape : "one")));
      const most = parts.find((inner) => inner.schema.type === "array")?.schema ?? {};
      if (first?.kind === "media") {
        return buildMedia(
          { ...part, schema: { ...most, ...noLists(part.schema) } },
          first.media,
          shapes.size > 1 ? "either" : first.shape,
        );
      }
    }
  }
  const variants = fields.map((field, position) => {
    const inner = parts[position];
    return inner ? { ...field, label: variantLabel(field, inner), required: true } : field;
  });
  return {
    ...fieldBase(
      part,
      "union",
      named.flat().map((option) => optionText(option.value)),
    ),
    kind: "union",
    variants,
  };
}

const noLists = (schema: JsonRecord) => withoutKey(withoutKey(schema, "anyOf"), "oneOf");

function dedupe(options: readonly Option[]): Option[] {
  const seen = new Set<unknown>();
  return options.filter(({ value }) => !seen.has(value) && seen.add(value));
}

/** A list of types as alternatives of one type each. */
export function typesAsAlternatives(schema: JsonRecord): JsonRecord {
  if (!Array.isArray(schema.type) || schema.type.length < 2 || isRecord(schema.enum)) return schema;
  return { ...withoutKey(schema, "type"), anyOf: schema.type.map((type) => ({ type })) };
}
