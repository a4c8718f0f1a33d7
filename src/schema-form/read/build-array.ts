import { isRecord, ownArray, ownNumber, ownString } from "#lib/read.ts";
import type { Build, Part } from "./build-context.ts";
import { buildColour, buildMedia, enumOptions } from "./build-scalar.ts";
import type { Field, Option } from "./field.ts";
import { fieldBase } from "./field-base.ts";
import { flattenSchema } from "./flatten-schema.ts";
import { keyWords, mediaOfKey, mediaOfSchema } from "./guess-role.ts";

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

function buildTuple(part: Part, parts: readonly unknown[], build: Build): Field {
  const { context, place } = part;
  if (parts.length === 3 && keyWords(place.key).some((word) => /^colou?rs?$|^rgb$/.test(word))) {
    return buildColour(part, "tuple");
  }
  const items = parts.map((item, position) => {
    const field = build(context, item, { key: "", required: true, depth: place.depth + 1, trail: place.trail });
    return field.label === "Unnamed" ? { ...field, label: `Value ${position + 1}` } : field;
  });
  return { ...fieldBase(part, "tuple"), kind: "tuple", items };
}

/** An array schema as media, a set of choices, a tuple, or a list of one kind of item. */
export function buildArray(part: Part, build: Build): Field {
  const { schema, place, context } = part;
  const fixed = ownArray(schema, "prefixItems") ?? ownArray(schema, "items");
  if (fixed && fixed.length > 0) return buildTuple(part, fixed, build);
  const declared = isRecord(schema.items) ? schema.items : itemsFromExamples(part);
  const limits = { minItems: ownNumber(schema, "minItems"), maxItems: ownNumber(schema, "maxItems") };
  if (declared === undefined) {
    const media = mediaOfKey(place.key);
    if (media) return buildMedia(part, media, "many");
    return { ...fieldBase(part, "json"), kind: "json", reason: "The listing does not say what this list holds." };
  }
  const item = flattenSchema(context.index, declared, place.trail);
  const options: Option[] = enumOptions(item.schema);
  if (options.length > 0 && !item.problem && !item.nullable) {
    return { ...fieldBase(part, "choices"), kind: "choices", options, ...limits };
  }
  const isText = item.schema.type === "string" || (item.schema.type === undefined && ownString(item.schema, "format"));
  const set = place.depth === 0 ? context.roles.get(place.key) : undefined;
  const media = isText && set !== "none" && !item.nullable ? mediaOfSchema(place.key, item.schema) : undefined;
  if (media) return buildMedia(part, media, "many");
  const few = limits.minItems !== undefined && limits.minItems === limits.maxItems && limits.minItems <= 4;
  const numeric = item.schema.type === "number" || item.schema.type === "integer";
  if (few && numeric)
    return buildTuple(
      part,
      Array.from({ length: limits.minItems ?? 0 }, () => declared),
      build,
    );
  const base = fieldBase(part, "list");
  const itemField = build(context, declared, { key: "", required: true, depth: place.depth + 1, trail: place.trail });
  const title = ownString(item.schema, "title");
  // A class name such as RGBColor is no title.
  const isNamed = title !== undefined && !/^\w*[a-zA-Z][A-Z]\w*$/.test(title);
  const label = isNamed ? itemField.label : singular(base.label);
  return { ...base, kind: "list", item: { ...itemField, label }, ...limits };
}
