import { isRecord } from "#lib/json.ts";
import type { JsonPath } from "../check/check-context.ts";
import type { Field } from "../read/field.ts";

/** What a payload holds at a path; undefined where it holds nothing. */
export function valueAt(payload: unknown, path: JsonPath): unknown {
  let at = payload;
  for (const step of path) {
    if (Array.isArray(at) && typeof step === "number") at = at[step];
    else if (isRecord(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}

/** The deepest field on the way along a path below `field`. `value` tells which variant of a union is meant. */
export function fieldAt(field: Field, path: JsonPath): Field {
  const [step, ...rest] = path;
  if (step === undefined) return field;
  if (field.kind === "group") {
    const next = field.fields.find((candidate) => candidate.key === step);
    return next ? fieldAt(next, rest) : field;
  }
  if (field.kind === "list" || field.kind === "map") return fieldAt(field.item, rest);
  if (field.kind === "tuple" && typeof step === "number") {
    const next = field.items[step];
    return next ? fieldAt(next, rest) : field;
  }
  if (field.kind === "union") {
    const shape = typeof step === "number" ? ["list", "tuple", "choices", "media"] : ["group", "map", "colour"];
    const next = field.variants.find((variant) => shape.includes(variant.kind));
    return next ? fieldAt(next, path) : field;
  }
  return field;
}
