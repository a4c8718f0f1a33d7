import {
  isRecord,
  type JsonRecord,
  ownArray,
  ownNumber,
  ownRecord,
  ownString,
  sameJson,
  withoutKey,
} from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { findRef, type SchemaIndex } from "./references.ts";

interface FlatSchema {
  /** The schema without `$ref` and `allOf`, and without null among its types, options and alternatives. */
  schema: JsonRecord;
  nullable: boolean;
  /** The `$ref`s followed on the way here: a second meeting is a cycle. */
  trail: readonly string[];
  /** Set where the schema refers to itself or to something that is not in the document. */
  problem?: string;
}

const isNullSchema = (schema: unknown): boolean =>
  isRecord(schema) &&
  (schema.type === "null" ||
    (Object.hasOwn(schema, "const") && schema.const === null) ||
    (Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null));

function followRef(index: SchemaIndex, schema: JsonRecord, trail: readonly string[]): FlatSchema {
  const ref = ownString(schema, "$ref", "$dynamicRef", "$recursiveRef") ?? "";
  const rest = withoutKey(withoutKey(withoutKey(schema, "$ref"), "$dynamicRef"), "$recursiveRef");
  if (trail.includes(ref)) return { schema: rest, nullable: false, trail, problem: "The schema refers to itself." };
  const target = findRef(index, ref, schema);
  if (target === undefined) {
    return {
      schema: rest,
      nullable: false,
      trail,
      problem: `The schema refers to “${visibleLine(ref, 100)}”, which isn’t in it.`,
    };
  }
  const flat = flattenSchema(index, target, [...trail, ref]);
  const own = flattenSchema(index, rest, trail);
  return { ...flat, schema: mergeSchemas(flat.schema, own.schema), nullable: flat.nullable || own.nullable };
}

function mergeAllOf(index: SchemaIndex, schema: JsonRecord, trail: readonly string[]): FlatSchema {
  const own = flattenSchema(index, withoutKey(schema, "allOf"), trail);
  const parts: FlatSchema[] = [];
  let merged: JsonRecord = {};
  for (const part of ownArray(schema, "allOf") ?? []) {
    const flat = flattenSchema(index, part, trail);
    parts.push(flat);
    if (index.budget.left < 0) break;
    merged = parts.length === 1 ? flat.schema : mergeSchemas(merged, flat.schema);
    // Merging copies all that was merged before.
    index.budget.left -= Math.floor(weightOf(merged) / ENTRIES_PER_STEP);
  }
  const all = [...parts, own];
  const problem = all.find((part) => part.problem)?.problem;
  return {
    schema: mergeSchemas(merged, own.schema),
    // Every part must allow null; Safelight also takes `nullable` beside a `$ref`, as OpenAPI 3.0 writers do.
    nullable: own.nullable || (parts.length > 0 && parts.every((part) => part.nullable)),
    trail: [...new Set(all.flatMap((part) => part.trail))],
    ...(problem ? { problem } : {}),
  };
}

/** To copy this many entries costs as much of the budget as to flatten one schema. */
const ENTRIES_PER_STEP = 50;

/** About how many entries a copy of a schema copies. */
function weightOf(schema: JsonRecord): number {
  const { properties, required, anyOf, oneOf } = schema;
  const lists = [required, anyOf, oneOf, schema.enum].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  );
  return lists + (isRecord(properties) ? Object.keys(properties).length : 0);
}

/** Takes null out of the alternatives. If only one is left then, it is merged into the schema. */
function takeAlternatives(index: SchemaIndex, flat: FlatSchema, key: "anyOf" | "oneOf"): FlatSchema {
  const list = ownArray(flat.schema, key);
  if (!list || list.length === 0) return flat;
  const rest = list.filter((item) => !isNullSchema(item) && item !== false);
  const nullable = flat.nullable || list.some(isNullSchema);
  const [only] = rest;
  if (rest.length !== 1) return { ...flat, schema: { ...flat.schema, [key]: rest }, nullable };
  const inner = flattenSchema(index, only, flat.trail);
  return {
    ...inner,
    schema: mergeSchemas(inner.schema, withoutKey(flat.schema, key)),
    nullable: nullable || inner.nullable,
  };
}

/** Takes null out of the types and the options. */
function takeNull(flat: FlatSchema): FlatSchema {
  let { schema, nullable } = flat;
  if (schema.nullable === true) nullable = true;
  if (Array.isArray(schema.type) && schema.type.includes("null")) {
    const types = schema.type.filter((type) => type !== "null");
    nullable = true;
    schema = { ...schema, type: types.length === 1 ? types[0] : types };
  }
  if (Array.isArray(schema.enum) && schema.enum.length > 1 && schema.enum.includes(null)) {
    nullable = true;
    schema = { ...schema, enum: schema.enum.filter((value) => value !== null) };
  }
  return { ...flat, schema, nullable };
}

/** Whether there is nothing to follow, merge or set apart, as in most schemas of one parameter. */
function isFlat(schema: JsonRecord): boolean {
  const { $ref, $dynamicRef, $recursiveRef, allOf, anyOf, oneOf, nullable, type } = schema;
  const refs = $ref ?? $dynamicRef ?? $recursiveRef;
  const parts = allOf ?? anyOf ?? oneOf;
  if (refs !== undefined || parts !== undefined || nullable === true || Array.isArray(type)) return false;
  return !Array.isArray(schema.enum) || !schema.enum.includes(null);
}

/**
 * Follows `$ref`, merges `allOf`, and takes null out of types, options and alternatives. A cycle or a missing target is
 * a `problem`.
 */
export function flattenSchema(index: SchemaIndex, input: unknown, trail: readonly string[] = []): FlatSchema {
  if (!isRecord(input)) return { schema: {}, nullable: false, trail };
  index.budget.left -= 1 + (isFlat(input) ? 0 : Math.floor(weightOf(input) / ENTRIES_PER_STEP));
  if (index.budget.left < 0)
    return { schema: {}, nullable: false, trail, problem: "These parameters are too complex for a form." };
  if (isFlat(input)) return { schema: input, nullable: false, trail };
  let flat: FlatSchema;
  if (ownString(input, "$ref", "$dynamicRef", "$recursiveRef") !== undefined) flat = followRef(index, input, trail);
  else if (ownArray(input, "allOf")?.length) flat = mergeAllOf(index, input, trail);
  else flat = { schema: input, nullable: false, trail };
  return takeNull(takeAlternatives(index, takeAlternatives(index, flat, "anyOf"), "oneOf"));
}

/** The values that are in both lists. Plain ones are looked up in a set, because lists may be long. */
function commonValues(a: readonly unknown[], b: readonly unknown[]): unknown[] {
  const plain = new Set(b.filter((value) => !isContainer(value)));
  const others = b.filter(isContainer).slice(0, MAX_COMPARED);
  return a.filter((value) => (isContainer(value) ? others.some((other) => sameJson(value, other)) : plain.has(value)));
}

/** Objects and lists that are compared one by one. */
const MAX_COMPARED = 200;
const isContainer = (value: unknown) => typeof value === "object" && value !== null;

/** Limits of which the larger holds in a merged schema, and those of which the smaller does. */
const LOWER_LIMITS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
const UPPER_LIMITS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;

function typesOf(schema: JsonRecord): string[] | undefined {
  const type = Object.hasOwn(schema, "type") ? schema.type : undefined;
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((item): item is string => typeof item === "string") : undefined;
}

function commonTypes(a: string[], b: string[]): string[] {
  const both = a.filter((type) => b.includes(type) || (type === "integer" && b.includes("number")));
  if (b.includes("integer") && a.includes("number") && !both.includes("integer")) both.push("integer");
  return both;
}

function mergeProperties(a: JsonRecord, b: JsonRecord): JsonRecord {
  const merged = new Map(Object.entries(a));
  for (const [key, value] of Object.entries(b)) {
    const old = merged.get(key);
    merged.set(key, isRecord(old) && isRecord(value) ? { allOf: [old, value] } : value);
  }
  return Object.fromEntries(merged);
}

/** Two schemas that must both hold, as one. Where they cannot be combined, `b` (the nearer one) wins. */
export function mergeSchemas(a: JsonRecord, b: JsonRecord): JsonRecord {
  const merged: JsonRecord = { ...a, ...b };
  const typesA = typesOf(a);
  const typesB = typesOf(b);
  if (typesA && typesB) {
    const both = commonTypes(typesA, typesB);
    if (both.length > 0) merged.type = both.length === 1 ? both[0] : both;
  }
  const propertiesA = ownRecord(a, "properties");
  const propertiesB = ownRecord(b, "properties");
  if (propertiesA && propertiesB) merged.properties = mergeProperties(propertiesA, propertiesB);
  for (const key of ["required", "x-order-properties"] as const) {
    const [listA, listB] = [ownArray(a, key), ownArray(b, key)];
    if (listA && listB) merged[key] = [...new Set([...listA, ...listB])];
  }
  const enumA = ownArray(a, "enum");
  const enumB = ownArray(b, "enum");
  if (enumA && enumB) merged.enum = commonValues(enumA, enumB);
  // One schema has one `if`: a second one is stored for the form under a name of our own.
  if (a.if !== undefined && b.if !== undefined) {
    merged["x-rules"] = [...[a, b].flatMap((part) => ownArray(part, "x-rules") ?? []), a];
  }
  for (const key of LOWER_LIMITS) {
    const [limitA, limitB] = [ownNumber(a, key), ownNumber(b, key)];
    if (limitA !== undefined && limitB !== undefined) merged[key] = Math.max(limitA, limitB);
  }
  for (const key of UPPER_LIMITS) {
    const [limitA, limitB] = [ownNumber(a, key), ownNumber(b, key)];
    if (limitA !== undefined && limitB !== undefined) merged[key] = Math.min(limitA, limitB);
  }
  for (const key of ["anyOf", "oneOf"] as const) {
    const [listA, listB] = [ownArray(a, key), ownArray(b, key)];
    // Two lists of alternatives cannot be one list. The other one becomes a part of `allOf`, so that checking sees it.
    if (listA && listB) merged.allOf = [...(ownArray(merged, "allOf") ?? []), { [key]: listA }];
  }
  return merged;
}
