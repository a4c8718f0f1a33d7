import { isRecord, type JsonRecord, ownValue, sameJson, withKey } from "#lib/read.ts";
import { fitsField } from "../check/fits-field.ts";
import type { Field } from "../read/field.ts";
import { newValue } from "./new-value.ts";

/** The keys and positions from a field's value to the value of a field inside it, from outside in; empty for itself. */
export type InnerPath = readonly string[];

/**
 * Where each entry of a list is after the list was changed by somebody else than its own control; undefined where it is
 * gone or cannot be told. One entry that differs while all others stay is the same entry with another content. Equal
 * entries keep their order while there are as many of them. Never throws.
 */
export function followEntries(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  if (before.length === after.length) {
    const others = before.filter((entry, at) => !sameJson(entry, after[at]));
    if (others.length <= 1) return before.map((_, at) => at);
  }
  const was = positionsOf(before);
  const is = positionsOf(after);
  const found: (number | undefined)[] = before.map(() => undefined);
  for (const [text, places] of was) {
    const now = is.get(text) ?? [];
    if (now.length < places.length) continue;
    for (const [order, place] of places.entries()) found[place] = now[order];
  }
  return found;
}

function positionsOf(entries: readonly unknown[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, entry] of entries.entries()) {
    const text = JSON.stringify(entry);
    positions.set(text, [...(positions.get(text) ?? []), at]);
  }
  return positions;
}

/**
 * The path to a media field after its outermost field's value was changed from `before` to `after`; undefined where it is
 * gone or cannot be told. Never throws.
 */
export function followPath(field: Field, before: unknown, after: unknown, path: InnerPath): InnerPath | undefined {
  const [step, ...rest] = path;
  if (step === undefined)
    return takesFile(field) && isAbsentOr((value) => fitsField(field, value), after) ? path : undefined;
  const on = (inner: Field | undefined, from: unknown, to: unknown, next = step) => {
    const found = inner && followPath(inner, from, to, rest);
    return found && [next, ...found];
  };
  switch (field.kind) {
    case "group": {
      const inner = field.fields.find(({ key }) => key === step);
      return isAbsentOr(isRecord, after) ? on(inner, inValue(before, step), inValue(after, step)) : undefined;
    }
    case "map": {
      if (!isRecord(after)) return undefined;
      const next = renamedKey(before, after, step);
      return next === undefined ? undefined : on(field.item, inValue(before, step), inValue(after, next), next);
    }
    case "list": {
      const next = followEntries(listIn(before), listIn(after))[Number(step)];
      if (next === undefined) return undefined;
      return on(field.item, listIn(before)[Number(step)], listIn(after)[next], String(next));
    }
    case "tuple":
      return isAbsentOr(Array.isArray, after)
        ? on(field.items[Number(step)], listIn(before)[Number(step)], listIn(after)[Number(step)])
        : undefined;
    case "union":
      return variantsAt(field.variants, after)
        .map((variant) => followPath(variant, before, after, path))
        .find((found) => found !== undefined);
    default:
      return undefined;
  }
}

/**
 * A field's value with another value at the end of a path, which has to lead somewhere (`followPath`). What is not there
 * on the way is made as the field's own control makes it. Never throws.
 */
export function withInner(field: Field, value: unknown, path: InnerPath, change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  const on = (inner: Field | undefined, from: unknown) => (inner ? withInner(inner, from, rest, change) : from);
  switch (field.kind) {
    case "group":
    case "map": {
      const inner = field.kind === "map" ? field.item : field.fields.find(({ key }) => key === step);
      return withKey(isRecord(value) ? value : {}, step, on(inner, inValue(value, step)));
    }
    case "list":
      return listIn(value).map((entry, at) => (at === Number(step) ? on(field.item, entry) : entry));
    case "tuple":
      return field.items.map((item, at) => {
        const old = listIn(value ?? field.defaultValue)[at] ?? newValue(item);
        return at === Number(step) ? on(item, old) : old;
      });
    case "union": {
      const variant = variantsAt(field.variants, value).find((one) => followPath(one, value, value, path));
      return variant ? withInner(variant, value, path, change) : value;
    }
    default:
      return value;
  }
}

const takesFile = (field: Field): boolean =>
  field.kind === "media" || (field.kind === "union" && field.variants.some(takesFile));

/** The key under which an entry stands: its own, or the one that took its place with the same content. */
function renamedKey(before: unknown, after: JsonRecord, key: string): string | undefined {
  if (Object.hasOwn(after, key)) return key;
  const [old, now] = [Object.keys(isRecord(before) ? before : {}), Object.keys(after)];
  const next = now[old.indexOf(key)];
  if (old.length !== now.length || next === undefined || old.includes(next)) return undefined;
  return sameJson(inValue(before, key), after[next]) ? next : undefined;
}

const variantsAt = (variants: readonly Field[], value: unknown) =>
  variants.filter((variant) => isAbsentOr((known) => fitsField(variant, known), value));
const isAbsentOr = (test: (value: unknown) => boolean, value: unknown) => value === undefined || test(value);
const inValue = (value: unknown, key: string) => (isRecord(value) ? ownValue(value, key) : undefined);
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
