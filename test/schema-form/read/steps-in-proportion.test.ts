import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { checkPayload, fieldApplies } from "#schema-form/check/check-payload.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

const list = <T>(size: number, make: (at: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));
const record = (size: number, make: (at: number) => unknown, prefix = "k"): JsonRecord =>
  Object.fromEntries(list(size, (at) => [`${prefix}${at}`, make(at)]));
const text = { type: "string" };
const names = (size: number, prefix = "r") => list(size, (at) => `${prefix}${at}`);
const object = (more: JsonRecord): JsonRecord => ({ type: "object", properties: { a: text }, ...more });
const rule = (at: number, met: unknown) => ({
  if: { properties: { a: { const: at } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: met,
});

/** A listing of a size, and a payload that grows with it. What is larger than a form's limits is not read at all. */
interface Shape {
  listing: (size: number) => unknown;
  payload?: (size: number) => JsonRecord;
  /** Default: 1,000, and twice as many. */
  size?: number;
}

const SHAPES: Record<string, Shape> = {
  "conditions that show something": {
    listing: (n) => object({ allOf: list(n, (at) => rule(at, { properties: { [`t${at}`]: text } })) }),
  },
  "conditions that require something": {
    listing: (n) => object({ allOf: list(n, (at) => rule(at, { required: ["a"] })) }),
  },
  "conditions of one field": {
    listing: (n) => object({ allOf: list(n, (at) => rule(at, { properties: { b: text } })) }),
  },
  "conditions on a long payload": {
    listing: (n) => object({ allOf: list(n, (at) => rule(at, { properties: { [`t${at}`]: text } })) }),
    payload: (n) => record(n, () => "x"),
    size: 400,
  },
  "required names": { listing: (n) => object({ required: names(n) }), size: 150_000 },
  "required names beside conditions": {
    listing: (n) => object({ required: names(n * 10), allOf: list(n, (at) => rule(at, { required: [`r${at}`] })) }),
  },
  "required names in conditions": {
    listing: (n) => object({ allOf: list(n, (at) => ({ ...rule(at, {}), required: names(20, `r${at}_`) })) }),
  },
  "parts with a property each": {
    listing: (n) => object({ allOf: list(n, (at) => ({ properties: { [`p${at}`]: text } })) }),
  },
  "parts with the same property": {
    listing: (n) => object({ allOf: list(n, (at) => ({ properties: { p: { type: "string", maxLength: at } } })) }),
  },
  "alternatives with a property each": {
    listing: (n) => object({ anyOf: list(n, (at) => ({ properties: { [`p${at}`]: text } })) }),
  },
  "properties that are required": {
    listing: (n) => object({ properties: record(n, () => text), required: names(n, "k") }),
  },
  "references behind each other": {
    listing: (n) =>
      object({
        $defs: record(n, (at) => (at === n - 1 ? text : { $ref: `#/$defs/k${at + 1}` })),
        properties: { a: { $ref: "#/$defs/k0" } },
      }),
  },
  "references beside each other": {
    listing: (n) =>
      object({ $defs: record(n, () => text), properties: record(n, (at) => ({ $ref: `#/$defs/k${at}` })) }),
    size: 400,
  },
  "parts by reference": {
    listing: (n) =>
      object({
        $defs: record(n, (at) => ({ properties: { [`p${at}`]: text } })),
        allOf: list(n, (at) => ({ $ref: `#/$defs/k${at}` })),
      }),
  },
  "dependent names": {
    listing: (n) =>
      object({ properties: record(n, () => text), dependentRequired: record(n, (at) => [`k${(at + 1) % n}`]) }),
    payload: (n) => record(n, () => "x"),
    size: 400,
  },
  "dependent schemas": {
    listing: (n) => object({ dependentSchemas: record(n, (at) => ({ properties: { [`d${at}`]: text } })) }),
    payload: (n) => record(n, () => "x"),
    size: 400,
  },
  "a choice, and many choices of it": {
    listing: (n) => object({ properties: { a: { type: "array", items: { enum: names(n) } } } }),
    payload: (n) => ({ a: names(n) }),
  },
  "a choice of objects, and many choices of it": {
    listing: (n) => object({ properties: { a: { type: "array", items: { enum: list(n, (at) => ({ at })) } } } }),
    payload: (n) => ({ a: list(n, (at) => ({ at })) }),
  },
  "values that differ": {
    listing: () => object({ properties: { a: { type: "array", uniqueItems: true, items: text } } }),
    payload: (n) => ({ a: names(n) }),
  },
  "objects that differ": {
    listing: () => object({ properties: { a: { type: "array", uniqueItems: true } } }),
    payload: (n) => ({ a: list(n, (at) => ({ at })) }),
  },
  "patterns of keys": {
    listing: (n) => object({ patternProperties: record(n, () => text), additionalProperties: false }),
    payload: (n) => record(n, () => "x"),
  },
  "a map whose keys read alike": {
    listing: (n) => ({
      properties: Object.fromEntries(
        list(n, (at) => [`in_put${"_".repeat(at % 50)}${"-".repeat(at / 50)}`, object({})]),
      ),
    }),
    size: 400,
  },
};

/**
 * How many entries a run looks at: of what it is given, at any depth, and of every list and record that the language walks
 * for it.
 */
function steps(given: unknown, run: (given: unknown) => void): number {
  let count = 0;
  const made = new WeakMap<object, object>();
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null) return inner;
    const proxy =
      made.get(inner) ??
      new Proxy(inner, {
        get(target, key, receiver) {
          count += 1;
          return wrap(Reflect.get(target, key, receiver));
        },
        ownKeys(target) {
          const keys = Reflect.ownKeys(target);
          count += keys.length;
          return keys;
        },
      });
    made.set(inner, proxy);
    return proxy;
  };
  const wrapped = wrap(given);
  const restore: (() => void)[] = [];
  const patch = (
    owner: object,
    name: string | symbol,
    weigh: (self: unknown, value: unknown, result: unknown) => number,
  ) => {
    const original = Reflect.get(owner, name) as (...values: unknown[]) => unknown;
    const patched = function (this: unknown, ...values: unknown[]) {
      const result = Reflect.apply(original, this, values);
      count += weigh(this, values[0], result);
      return result;
    };
    Reflect.defineProperty(owner, name, { value: patched, writable: true, configurable: true });
    restore.push(() => Reflect.defineProperty(owner, name, { value: original, writable: true, configurable: true }));
  };
  const length = (value: unknown) => (Array.isArray(value) ? value.length : 0);
  for (const name of ["keys", "values", "entries"]) patch(Object, name, (_, __, result) => length(result));
  for (const name of [
    "includes",
    "some",
    "every",
    "find",
    "findIndex",
    "filter",
    "map",
    "flatMap",
    "slice",
    "sort",
    "concat",
  ])
    patch(Array.prototype, name, length);
  // Also what is spread.
  patch(Array.prototype, Symbol.iterator, length);
  try {
    run(wrapped);
  } finally {
    for (const back of restore) back();
  }
  return count;
}

function stepsOf({ listing, payload = () => ({ a: "x" }) }: Shape, size: number): number {
  return steps([listing(size), payload(size)], (given) => {
    const [raw, values] = given as [unknown, JsonRecord];
    const schema = readSchema(raw);
    checkPayload(schema, values);
    for (const field of schema.fields) fieldApplies(schema, field, values);
  });
}

// H9
describe("reading and checking take steps in proportion to", () => {
  it.each(Object.entries(SHAPES))("%s", (_name, shape) => {
    const { size = 1_000 } = shape;
    stepsOf(shape, 10);
    const once = stepsOf(shape, size);
    expect(once).toBeGreaterThan(size);
    expect(stepsOf(shape, size * 2) / once).toBeLessThan(2.2);
  });

  it("2,000 conditions, 300,000 required names, and both", () => {
    const rules = list(2_000, (at) => rule(at, { properties: { [`t${at}`]: text }, required: [`t${at}`] }));
    const conditions = stepsOf({ listing: () => object({ allOf: rules }) }, 0);
    const required = stepsOf({ listing: () => object({ required: names(300_000) }) }, 0);
    const both = stepsOf({ listing: () => object({ allOf: rules, required: names(300_000) }) }, 0);
    expect(both).toBeLessThan(1.5 * (conditions + required));
  });
});
