import { isRecord, type JsonRecord, ownArray, ownRecord } from "#lib/read.ts";
import type { Build, BuildContext, Part, Place } from "./build-context.ts";
import { buildColour, isRgb } from "./build-scalar.ts";
import { conditionalProperties } from "./conditional-properties.ts";
import type { Field } from "./field.ts";
import { fieldBase } from "./field-base.ts";
import { flattenSchema } from "./flatten-schema.ts";
import { orderProperties } from "./order-properties.ts";

const isHidden = (property: unknown) =>
  isRecord(property) && (property.hidden === true || property.disabled === true || property["x-hidden"] === true);

/** The fields of an object's properties, in order. */
export function buildProperties(context: BuildContext, input: JsonRecord, place: Place, build: Build): Field[] {
  const conditional = conditionalProperties(context, input, place.trail);
  const listed = ownRecord(input, "properties") ?? {};
  const added = [...conditional].map(([key, { property }]): [string, JsonRecord] => [key, property]);
  const properties = added.length > 0 ? Object.fromEntries([...Object.entries(listed), ...added]) : listed;
  const schema = { ...input, properties };
  const required = new Set(
    (ownArray(schema, "required") ?? []).filter((name): name is string => typeof name === "string"),
  );
  const names = [...orderProperties(schema), ...[...required].filter((name) => !Object.hasOwn(properties, name))];
  const fields: Field[] = [];
  for (const key of names) {
    const property = Object.hasOwn(properties, key) ? properties[key] : {};
    // draft 3 and some listings mark the property itself.
    const isRequired = required.has(key) || (isRecord(property) && property.required === true);
    const flat = flattenSchema(context.index, property, place.trail).schema;
    const isOut = isHidden(flat) || (flat !== property && isHidden(property));
    if (flat.readOnly === true || isOut || property === false) {
      if (!isRequired) context.notes.push(`"${key}" is set by the service and is not shown.`);
      if (!isRequired) continue;
    }
    const field = build(context, property, { key, required: isRequired, depth: place.depth, trail: place.trail });
    const applies = place.depth === 0 ? conditional.get(key)?.applies : undefined;
    fields.push(applies ? { ...field, applies } : field);
  }
  return fields;
}

/** An object schema as a group, a colour, a map of one kind of value, or JSON where it says nothing. */
export function buildObject(part: Part, build: Build): Field {
  const { schema, place, context } = part;
  if (isRgb(schema)) return buildColour(part, "object");
  const inner: Place = { ...place, depth: place.depth + 1 };
  const fields = buildProperties(context, schema, inner, build);
  if (fields.length > 0) return { ...fieldBase(part, "group"), kind: "group", fields };
  const values =
    ownRecord(schema, "additionalProperties") ?? Object.values(ownRecord(schema, "patternProperties") ?? {})[0];
  if (isRecord(values) && Object.keys(values).length > 0) {
    const item = build(context, values, { ...inner, key: "", required: true });
    return {
      ...fieldBase(part, "map"),
      kind: "map",
      item: { ...item, label: item.label === "Unnamed" ? "Value" : item.label },
    };
  }
  return { ...fieldBase(part, "json"), kind: "json", reason: "The listing does not say what this object holds." };
}
