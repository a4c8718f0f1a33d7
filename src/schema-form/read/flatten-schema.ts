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

/** The `$ref`s that are followed one behind the other, since each is compared with all before it. */
const LONGEST_TRAIL = 100;
const TOO_COMPLEX = "These parameters are too complex for a form.";

function followRef(index: SchemaIndex, schema: JsonRecord, trail: readonly string[]): FlatSchema {
  const ref = ownString(schema, "$ref", "$dynamicRef", "$recursiveRef") ?? "";
  const rest = withoutKey(withoutKey(withoutKey(schema, "$ref"), "$dynamicRef"), "$recursiveRef");
  if (trail.length >= LONGEST_TRAIL) return { schema: rest, nullable: false, trail, problem: TOO_COMPLEX };
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
  const merged = new Merged();
  for (const part of ownArray(schema, "allOf") ?? []) {
    const flat = flattenSchema(index, part, trail);
    parts.push(flat);
    if (index.budget.left < 0) break;
    merged.add(flat.schema);
    chargeCopies(index, flat.schema);
  }
  const all = [...parts, own];
  const problem = all.find((part) => part.problem)?.problem;
  return {
    schema: merged.add(own.schema).schema(),
    // Every part must allow null; Safelight also takes `nullable` beside a `$ref`, as OpenAPI 3.0 writers do.
    nullable: own.nullable || (parts.length > 0 && parts.every((part) => part.nullable)),
    // A cycle past the longest trail ends at the limits of a form.
    trail: [...new Set(all.flatMap((part) => part.trail))].slice(0, LONGEST_TRAIL),
    ...(problem ? { problem } : {}),
  };
}

/** To copy this many entries costs as much of the budget as to flatten one schema. */
const ENTRIES_PER_STEP = 50;

/** Takes copies of a schema out of the budget. Whether they may be made. */
export function chargeCopies(index: SchemaIndex, schema: JsonRecord, times = 1): boolean {
  index.budget.left -= Math.floor((weightOf(schema) * times) / ENTRIES_PER_STEP);
  return index.budget.left >= 0;
}

/** About how many entries a copy of a schema copies. */
function weightOf(schema: JsonRecord): number {
  const { properties, required, anyOf, oneOf } = schema;
  const lists = [required, anyOf, oneOf, schema.enum, schema["x-rules"]].reduce<number>(
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
  if (index.budget.left < 0) return { schema: {}, nullable: false, trail, problem: TOO_COMPLEX };
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

const UNITED = ["required", "x-order-properties"] as const;
const CONDITION = ["if", "then", "else"] as const;

/**
 * Schemas that must all hold, as one. Where they cannot be combined, the one that is added last wins. Adding costs steps in
 * proportion to what is added, so that many parts cost no more than their sum.
 */
class Merged {
  private readonly merged: JsonRecord = {};
  private count = 0;
  /** What was made here of several parts, and may grow. */
  private properties: Map<string, unknown> | undefined;
  private readonly united = new Map<string, Set<unknown>>();
  /** The parts of one property. */
  private readonly partsOf = new Map<string, unknown[]>();
  private rules: unknown[] | undefined;
  private allOf: unknown[] | undefined;

  add(part: JsonRecord): this {
    this.count += 1;
    if (this.count === 1) Object.assign(this.merged, part);
    else this.combine(part);
    return this;
  }

  schema(): JsonRecord {
    const { merged, properties, rules, allOf } = this;
    if (properties) {
      for (const [key, parts] of this.partsOf) properties.set(key, { allOf: parts });
      merged.properties = Object.fromEntries(properties);
    }
    for (const [key, values] of this.united) merged[key] = [...values];
    if (rules) merged["x-rules"] = rules;
    if (allOf) merged.allOf = allOf;
    return merged;
  }

  private combine(part: JsonRecord): void {
    const { merged } = this;
    const typesA = typesOf(merged);
    const typesB = typesOf(part);
    const both = typesA && typesB ? commonTypes(typesA, typesB) : [];
    const combined: JsonRecord = both.length > 0 ? { type: both.length === 1 ? both[0] : both } : {};
    const enumA = ownArray(merged, "enum");
    const enumB = ownArray(part, "enum");
    if (enumA && enumB) combined.enum = commonValues(enumA, enumB);
    for (const key of LOWER_LIMITS) {
      const [limitA, limitB] = [ownNumber(merged, key), ownNumber(part, key)];
      if (limitA !== undefined && limitB !== undefined) combined[key] = Math.max(limitA, limitB);
    }
    for (const key of UPPER_LIMITS) {
      const [limitA, limitB] = [ownNumber(merged, key), ownNumber(part, key)];
      if (limitA !== undefined && limitB !== undefined) combined[key] = Math.min(limitA, limitB);
    }
    this.combineProperties(part);
    for (const key of UNITED) {
      const [listA, listB] = [ownArray(merged, key), ownArray(part, key)];
      if (!listA || !listB) continue;
      const values = this.united.get(key) ?? new Set(listA);
      for (const value of listB) values.add(value);
      this.united.set(key, values);
    }
    // One schema has one `if`: the earlier ones are stored for the form under a name of our own.
    if (merged.if !== undefined && part.if !== undefined) {
      this.rules ??= [...(ownArray(merged, "x-rules") ?? [])];
      for (const rule of ownArray(part, "x-rules") ?? []) this.rules.push(rule);
      this.rules.push(Object.fromEntries(CONDITION.map((key) => [key, merged[key]])));
      for (const key of CONDITION) delete merged[key];
    }
    // Two lists of alternatives cannot be one list. The other one becomes a part of `allOf`, so that checking sees it.
    const others = (["anyOf", "oneOf"] as const).flatMap((key) => {
      const [listA, listB] = [ownArray(merged, key), ownArray(part, key)];
      return listA && listB ? [{ [key]: listA }] : [];
    });
    if (ownArray(part, "allOf")) this.allOf = undefined;
    Object.assign(merged, part, combined);
    if (others.length > 0) this.allOf ??= [...(ownArray(merged, "allOf") ?? [])];
    for (const other of others) this.allOf?.push(other);
  }

  private combineProperties(part: JsonRecord): void {
    const before = ownRecord(this.merged, "properties");
    const added = ownRecord(part, "properties");
    if (!before || !added) return;
    this.properties ??= new Map(Object.entries(before));
    for (const [key, value] of Object.entries(added)) {
      const old = this.properties.get(key);
      const parts = this.partsOf.get(key);
      if (!isRecord(value)) this.partsOf.delete(key);
      else if (parts) parts.push(value);
      else if (isRecord(old)) this.partsOf.set(key, [old, value]);
      this.properties.set(key, value);
    }
  }
}

/** Two schemas that must both hold, as one. Where they cannot be combined, `b` (the nearer one) wins. */
export function mergeSchemas(a: JsonRecord, b: JsonRecord): JsonRecord {
  return new Merged().add(a).add(b).schema();
}
