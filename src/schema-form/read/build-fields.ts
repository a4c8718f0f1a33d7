import { formatNumber } from "#lib/numbers.ts";
import { isRecord, type JsonRecord, ownArray, ownNumber, ownRecord, ownString, withoutKey } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { orderProperties } from "./arrange-fields.ts";
import {
  type BuildContext,
  buildChoice,
  buildColour,
  buildMedia,
  buildNumber,
  buildString,
  buildText,
  enumOptions,
  fieldBase,
  isRgb,
  type Part,
  type Place,
} from "./build-scalar.ts";
import type { Condition, Field, Option } from "./field.ts";
import { chargeCopies, flattenSchema, mergeSchemas } from "./flatten-schema.ts";
import { optionText } from "./options.ts";
import { keyWords, mediaOfKey, mediaOfSchema } from "./roles.ts";

const isHidden = (property: unknown) =>
  isRecord(property) && (property.hidden === true || property.disabled === true || property["x-hidden"] === true);

/** The fields of an object's properties, in order. */
export function buildProperties(context: BuildContext, input: JsonRecord, place: Place): Field[] {
  const conditional = conditionalProperties(context, input, place.trail);
  const listed = ownRecord(input, "properties") ?? {};
  const added = [...conditional].map(([key, { property }]): [string, JsonRecord] => [key, property]);
  const properties = added.length > 0 ? Object.fromEntries([...Object.entries(listed), ...added]) : listed;
  const schema = { ...input, properties };
  const required = new Set(
    (ownArray(schema, "required") ?? []).filter((name): name is string => typeof name === "string"),
  );
  const all = [...orderProperties(schema), ...[...required].filter((name) => !Object.hasOwn(properties, name))];
  const names = all.slice(0, MAX_FIELDS);
  if (all.length > MAX_FIELDS) {
    const total = formatNumber(all.length);
    context.limits.push(`The form has ${formatNumber(MAX_FIELDS)} of ${total} parameters. Enter the others as JSON.`);
  }
  const fields: Field[] = [];
  for (const key of names) {
    const property = Object.hasOwn(properties, key) ? properties[key] : {};
    // Draft 3 and some listings write `required` into the property itself.
    const isRequired = required.has(key) || (isRecord(property) && property.required === true);
    const flat = flattenSchema(context.index, property, place.trail).schema;
    const isSetByService =
      flat.readOnly === true || isHidden(flat) || (flat !== property && isHidden(property)) || property === false;
    // A required one is shown all the same, because nobody can run the model without it.
    if (isSetByService && !isRequired) {
      context.notes.push(`“${visibleLine(key)}” is set by the service, so it isn’t shown.`);
      continue;
    }
    const field = buildField(context, property, { key, required: isRequired, depth: place.depth, trail: place.trail });
    const conditions = place.depth === 0 ? conditional.get(key)?.conditions : undefined;
    fields.push(conditions ? { ...field, conditions } : field);
  }
  return fields;
}

// Bounds for schemas that would make the page build too much.
/** The most fields of one object. `context.budget` counts those of the whole form. */
const MAX_FIELDS = 1000;
const MAX_DEPTH = 16;
/** An `enum` with more values is no choice: its field is built by its type. */
const MAX_OPTIONS = 2000;

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

/** The type of a schema: the declared one, else the one that its keywords, default or examples imply. */
function typeOf(schema: JsonRecord): string | undefined {
  if (typeof schema.type === "string") return schema.type.toLowerCase();
  const byKeyword = KEYWORD_TYPES.find(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));
  return byKeyword?.[0] ?? typeOfValue(schema.default) ?? typeOfValue(ownArray(schema, "examples")?.[0]);
}

function buildPart(part: Part): Field {
  const { schema, place } = part;
  const options = enumOptions(schema);
  if (options.length > 0 && options.length <= MAX_OPTIONS) return buildChoice(part, options);
  const union = buildUnion({ ...part, schema: typesAsAlternatives(schema) });
  if (union) return union;
  switch (typeOf(schema)) {
    case "string":
      return buildString(part);
    case "number":
    case "float":
      return buildNumber(part, false);
    case "integer":
      return buildNumber(part, true);
    case "boolean":
      return { ...fieldBase(part, "boolean"), kind: "boolean" };
    case "array":
      return buildArray(part);
    case "object":
      return buildObject(part);
    default:
      return {
        ...fieldBase(part, "json"),
        kind: "json",
        reason: `The service gives no type for “${visibleLine(place.key)}”.`,
      };
  }
}

/** One field from one schema. A part that has no form becomes a JSON field that says why. */
function buildField(context: BuildContext, input: unknown, place: Place): Field {
  const flat = flattenSchema(context.index, input, place.trail);
  const part: Part = { context, place: { ...place, trail: flat.trail }, schema: flat.schema, nullable: flat.nullable };
  context.budget.left -= 1;
  const reason =
    flat.problem && !isRecord(flat.schema.properties) && flat.schema.type === undefined
      ? flat.problem
      : place.depth > MAX_DEPTH
        ? "This part is nested too deeply for a form."
        : context.budget.left < 0
          ? "This model has too many parameters for a form."
          : undefined;
  if (reason) return { ...fieldBase(part, "json"), kind: "json", reason };
  return buildPart(part);
}

/** An object schema as a group, a color, a map of one kind of value, or JSON where it describes nothing. */
function buildObject(part: Part): Field {
  const { schema, place, context } = part;
  if (isRgb(schema)) return buildColour(part, "object");
  const inner: Place = { ...place, depth: place.depth + 1 };
  const fields = buildProperties(context, schema, inner);
  if (fields.length > 0) return { ...fieldBase(part, "group"), kind: "group", fields };
  const values =
    ownRecord(schema, "additionalProperties") ?? Object.values(ownRecord(schema, "patternProperties") ?? {})[0];
  if (isRecord(values) && Object.keys(values).length > 0) {
    const item = buildField(context, values, { ...inner, key: "", required: true });
    return {
      ...fieldBase(part, "map"),
      kind: "map",
      item: { ...item, label: item.label === "Unnamed" ? "Value" : item.label },
    };
  }
  return {
    ...fieldBase(part, "json"),
    kind: "json",
    reason: "The service doesn’t describe the contents of this object.",
  };
}

function singular(label: string): string {
  return /[^s]s$/i.test(label) && label.length > 3 ? label.slice(0, -1) : label;
}

/** A schema for the items of an array that does not describe them, from what its default or examples hold. */
function itemsFromExamples(part: Part): unknown {
  const known = [part.schema.default, ...(ownArray(part.schema, "examples") ?? [])].find(
    (value) => Array.isArray(value) && value.length > 0,
  );
  const first = Array.isArray(known) ? known[0] : undefined;
  if (typeof first === "string" || typeof first === "number" || typeof first === "boolean")
    return { type: typeof first };
  return undefined;
}

function buildTuple(part: Part, parts: readonly unknown[]): Field {
  const { context, place } = part;
  if (parts.length === 3 && keyWords(place.key).some((word) => /^colou?rs?$|^rgb$/.test(word))) {
    return buildColour(part, "tuple");
  }
  const items = parts.map((item, position) => {
    const field = buildField(context, item, { key: "", required: true, depth: place.depth + 1, trail: place.trail });
    return field.label === "Unnamed" ? { ...field, label: `Value ${position + 1}` } : field;
  });
  return { ...fieldBase(part, "tuple"), kind: "tuple", items };
}

/** An array schema as media, a set of choices, a tuple, or a list of one kind of item. */
function buildArray(part: Part): Field {
  const { schema, place, context } = part;
  const fixed = ownArray(schema, "prefixItems") ?? ownArray(schema, "items");
  if (fixed && fixed.length > 0) return buildTuple(part, fixed);
  const declared = isRecord(schema.items) ? schema.items : itemsFromExamples(part);
  const limits = { minItems: ownNumber(schema, "minItems"), maxItems: ownNumber(schema, "maxItems") };
  if (declared === undefined) {
    const media = mediaOfKey(place.key);
    if (media) return buildMedia(part, media, "many");
    return {
      ...fieldBase(part, "json"),
      kind: "json",
      reason: "The service doesn’t describe the contents of this list.",
    };
  }
  const item = flattenSchema(context.index, declared, place.trail);
  const options: Option[] = enumOptions(item.schema);
  if (options.length > 0 && !item.problem && !item.nullable) {
    return { ...fieldBase(part, "choices"), kind: "choices", options, ...limits };
  }
  const isText = item.schema.type === "string" || (item.schema.type === undefined && ownString(item.schema, "format"));
  const chosenRole = place.depth === 0 ? context.roles.get(place.key) : undefined;
  const media = isText && chosenRole !== "none" && !item.nullable ? mediaOfSchema(place.key, item.schema) : undefined;
  if (media) return buildMedia(part, media, "many");
  // Up to four numbers of a fixed count, such as x, y, width and height, fit side by side.
  const isShortRow = limits.minItems !== undefined && limits.minItems === limits.maxItems && limits.minItems <= 4;
  const isNumeric = item.schema.type === "number" || item.schema.type === "integer";
  if (isShortRow && isNumeric)
    return buildTuple(
      part,
      Array.from({ length: limits.minItems ?? 0 }, () => declared),
    );
  const base = fieldBase(part, "list");
  const itemField = buildField(context, declared, {
    key: "",
    required: true,
    depth: place.depth + 1,
    trail: place.trail,
  });
  const title = ownString(item.schema, "title");
  // A class name such as RGBColor is not meant for people.
  const isNamed = title !== undefined && !/^\w*[a-zA-Z][A-Z]\w*$/.test(title);
  const label = isNamed ? itemField.label : singular(base.label);
  return { ...base, kind: "list", item: { ...itemField, label }, ...limits };
}

/** A schema that holds for some payloads. `conditions` is undefined where nothing says for which, as in `anyOf`. */
interface ConditionalPart {
  schema: unknown;
  conditions: readonly Condition[] | undefined;
}

interface ConditionalProperty {
  property: JsonRecord;
  conditions: Condition[] | undefined;
}

/** The `then` and `else` of a schema, and of the parts that were merged into it (`x-rules`, see `mergeSchemas`). */
function branches(schema: JsonRecord): ConditionalPart[] {
  const rules = [schema, ...(ownArray(schema, "x-rules") ?? []).filter(isRecord)];
  return rules.flatMap((rule) => [
    { schema: rule.then, conditions: [{ schema: rule.if, holds: true }] },
    { schema: rule.else, conditions: [{ schema: rule.if, holds: false }] },
  ]);
}

/** Properties that only some payloads have: of `then` and `else`, of `dependentSchemas` and of alternatives. */
function conditionalProperties(
  context: BuildContext,
  schema: JsonRecord,
  trail: readonly string[],
): Map<string, ConditionalProperty> {
  const dependent = Object.entries(ownRecord(schema, "dependentSchemas", "dependencies") ?? {});
  const parts: ConditionalPart[] = [
    ...branches(schema),
    ...dependent.map(([key, part]) => ({ schema: part, conditions: [{ key }] })),
    ...[...(ownArray(schema, "anyOf") ?? []), ...(ownArray(schema, "oneOf") ?? [])].map((part) => ({
      schema: part,
      conditions: undefined,
    })),
  ];
  const known = ownRecord(schema, "properties") ?? {};
  const found = new Map<string, ConditionalProperty>();
  for (const { schema: part, conditions } of parts) {
    if (!isRecord(part)) continue;
    const more = ownRecord(flattenSchema(context.index, part, trail).schema, "properties") ?? {};
    for (const [key, property] of Object.entries(more)) {
      if (Object.hasOwn(known, key) || !isRecord(property)) continue;
      const earlier = found.get(key);
      if (!earlier) found.set(key, { property, conditions: conditions && [...conditions] });
      else if (earlier.conditions && conditions) earlier.conditions.push(...conditions);
      else earlier.conditions = undefined;
    }
  }
  return found;
}

/** Characters of the name of an alternative that are shown. */
const LONGEST_TITLE = 120;

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

/**
 * The alternatives of a schema, each merged with what stands beside them. Undefined where there are fewer than two, or
 * where they are no shapes to choose from.
 */
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
  // Each gets a copy of what stands beside them.
  if (!chargeCopies(context.index, rest, parts.length)) return undefined;
  return parts.map(({ part: inner }) => ({ ...inner, schema: mergeSchemas(withoutAnnotations(rest), inner.schema) }));
}

const withoutAnnotations = (schema: JsonRecord) =>
  withoutKey(withoutKey(withoutKey(schema, "title"), "description"), "default");

function titledOptions(part: Part): Option[] {
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
    media: "File",
    colour: "Color",
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
function buildUnion(part: Part): Field | undefined {
  const parts = alternatives(part);
  if (!parts) return undefined;
  // All are fixed values: one choice.
  const optionLists = parts.map(titledOptions);
  if (optionLists.every((options) => options.length > 0)) return buildChoice(part, dedupe(optionLists.flat()));
  const { context } = part;
  const fields = parts.map((inner) => buildField(context, inner.schema, inner.place));
  // Fixed texts or any other text: a text with suggestions.
  const kinds = new Set(fields.map((field) => field.kind));
  const texts = fields.filter((field) => field.kind === "text");
  if (kinds.size === 2 && kinds.has("choice") && texts.length === 1 && texts[0]?.format === "plain") {
    const options = dedupe(optionLists.flat());
    if (options.every((option) => typeof option.value === "string")) {
      return buildText(
        {
          ...part,
          schema: mergeSchemas(parts[fields.indexOf(texts[0])]?.schema ?? {}, withoutAlternatives(part.schema)),
        },
        options,
      );
    }
  }
  // All of one simple kind: one control serves them.
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
      const listSchema = parts.find((inner) => inner.schema.type === "array")?.schema ?? {};
      if (first?.kind === "media") {
        return buildMedia(
          { ...part, schema: { ...listSchema, ...withoutAlternatives(part.schema) } },
          first.media,
          shapes.size > 1 ? "either" : first.shape,
        );
      }
    }
  }
  // Anything else: the person chooses a shape first.
  const variants = fields.map((field, position) => {
    const inner = parts[position];
    return inner ? { ...field, label: variantLabel(field, inner), required: true } : field;
  });
  return {
    ...fieldBase(
      part,
      "union",
      optionLists.flat().map((option) => optionText(option.value)),
    ),
    kind: "union",
    variants,
  };
}

const withoutAlternatives = (schema: JsonRecord) => withoutKey(withoutKey(schema, "anyOf"), "oneOf");

function dedupe(options: readonly Option[]): Option[] {
  const seen = new Set<unknown>();
  return options.filter(({ value }) => !seen.has(value) && seen.add(value));
}

/** A schema with a list of types, as alternatives of one type each. */
function typesAsAlternatives(schema: JsonRecord): JsonRecord {
  if (!Array.isArray(schema.type) || schema.type.length < 2 || isRecord(schema.enum)) return schema;
  return { ...withoutKey(schema, "type"), anyOf: schema.type.map((type) => ({ type })) };
}
