import { isRecord, type JsonRecord, ownArray, ownNumber, ownRecord, sameJson } from "#lib/read.ts";

const LARGER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
const SMALLER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;

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
  if (enumA && enumB) merged.enum = enumA.filter((value) => enumB.some((other) => sameJson(value, other)));
  // One schema has one `if`: what a second one says is kept for the form under a name of our own.
  if (a.if !== undefined && b.if !== undefined) {
    merged["x-rules"] = [...[a, b].flatMap((part) => ownArray(part, "x-rules") ?? []), a];
  }
  for (const key of LARGER) {
    const [limitA, limitB] = [ownNumber(a, key), ownNumber(b, key)];
    if (limitA !== undefined && limitB !== undefined) merged[key] = Math.max(limitA, limitB);
  }
  for (const key of SMALLER) {
    const [limitA, limitB] = [ownNumber(a, key), ownNumber(b, key)];
    if (limitA !== undefined && limitB !== undefined) merged[key] = Math.min(limitA, limitB);
  }
  for (const key of ["anyOf", "oneOf"] as const) {
    const [listA, listB] = [ownArray(a, key), ownArray(b, key)];
    // Two lists of alternatives cannot be one list: the second becomes a demand of its own, which checking sees.
    if (listA && listB) merged.allOf = [...(ownArray(merged, "allOf") ?? []), { [key]: listA }];
  }
  return merged;
}
