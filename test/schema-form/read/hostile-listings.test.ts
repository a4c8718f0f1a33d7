import { describe, expect, it } from "vitest";
import { checkPayload, fieldApplies } from "#schema-form/check/check-payload.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { isLongSuite } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

type Listing = (size: number) => unknown;

const list = <T>(size: number, make: (at: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));
const record = (size: number, make: (at: number) => unknown) =>
  Object.fromEntries(list(size, (at) => [`k${at}`, make(at)]));
const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
  list(levels, () => 0).reduce<unknown>((inner) => wrap(inner), { type: "string" });
const text = { type: "string" };

/** Definitions of which each names the next one twice. */
const doubled = (levels: number, refer: (ref: { $ref: string }) => unknown) => ({
  $defs: record(levels, (at) => (at === levels - 1 ? text : refer({ $ref: `#/$defs/k${at + 1}` }))),
  type: "object",
  properties: { a: { $ref: "#/$defs/k0" } },
});

/** Each grows with a size. */
const LISTINGS: Record<string, Listing> = {
  "required names": (n) => ({ properties: { a: text }, required: list(n, (at) => `r${at}`) }),
  "required names of many properties": (n) => ({
    properties: record(n / 4, () => text),
    required: list(n, (at) => `k${at}`),
  }),
  "alternatives that double by reference": (n) => doubled(n / 100, (ref) => ({ anyOf: [ref, ref] })),
  "oneOf that doubles by reference": (n) => doubled(n / 100, (ref) => ({ oneOf: [ref, ref] })),
  "allOf that doubles by reference": (n) => doubled(n / 100, (ref) => ({ allOf: [ref, ref] })),
  "properties that double by reference": (n) => doubled(n / 100, (ref) => ({ properties: { a: ref, b: ref } })),
  "items that double by reference": (n) => doubled(n / 100, (ref) => ({ prefixItems: [ref, ref] })),
  "alternatives that double in place": (n) => ({
    properties: { a: nested(Math.min(20, n / 200), (inner) => ({ anyOf: [inner, inner] })) },
  }),
  "objects in objects": (n) => nested(n / 10, (inner) => ({ type: "object", properties: { a: inner } })),
  "lists in lists": (n) => ({ properties: { a: nested(n / 10, (inner) => ({ type: "array", items: inner })) } }),
  "a huge enum": (n) => ({ properties: { a: { enum: list(n, (at) => `e${at}`) } } }),
  "a huge enum of objects": (n) => ({ properties: { a: { enum: list(n / 2, (at) => ({ at })) } } }),
  "two huge enums": (n) => ({
    properties: { a: { allOf: [{ enum: list(n, (at) => at) }, { enum: list(n, (at) => -at) }] } },
  }),
  "huge properties": (n) => ({ properties: record(n, () => text) }),
  "properties in many parts": (n) => ({ allOf: list(n / 2, (at) => ({ properties: { [`p${at}`]: text } })) }),
  "many constants": (n) => ({ properties: { a: { anyOf: list(n, (at) => ({ const: at })) } } }),
  "many alternative objects": (n) => ({
    properties: { x: text },
    anyOf: list(n / 2, (at) => ({ properties: { [`p${at}`]: text } })),
  }),
  "many conditions": (n) => ({
    allOf: list(n / 8, (at) => ({
      if: { properties: { a: { const: at } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { properties: { [`t${at}`]: text } },
    })),
  }),
  "conditions that double": (n) => ({
    ...doubled(40, (ref) => ({ anyOf: [ref, ref, { $ref: "#" }] })),
    allOf: list(n / 20, (at) => ({
      if: { $ref: "#/$defs/k0" },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { properties: { [`t${at}`]: text } },
    })),
  }),
  "many parameters": (n) => list(n, (at) => ({ name: `n${at}`, type: "string", required: true })),
  "many options": (n) => [{ name: "a", options: list(n, (at) => ({ value: at, label: `l${at}` })) }],
  "a table of marks": (n) => ({
    columns: ["name", "type", "required", "default", "constraints"],
    rows: [["a", "string", "", "", "(1".repeat(n)]],
  }),
  "long references": (n) => ({ properties: record(50, (at) => ({ $ref: `#/${"a/".repeat(n)}${at}` })) }),
  "long words": (n) => ({
    properties: {
      ["aB1.".repeat(n)]: { title: "aB.".repeat(n), description: "[".repeat(n), type: " array".repeat(n) },
    },
  }),
};

/**
 * Those that take long to read: how many looks 2,000 of them may take, a third above what they do, and how many end as
 * 20,000 do.
 */
const DEAR: Record<string, { most: number; large: number }> = isLongSuite
  ? {}
  : {
      "conditions that double": { most: 1_100_000, large: 4_000 },
      "properties in many parts": { most: 200_000, large: 4_000 },
      "many conditions": { most: 80_000, large: 10_000 },
    };

/** Counts every look into a listing, at any depth. */
function counted(value: unknown, counter: { looks: number }): unknown {
  const made = new WeakMap<object, object>();
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null) return inner;
    const known = made.get(inner);
    if (known) return known;
    const proxy = new Proxy(inner, {
      get(target, key, receiver) {
        counter.looks += 1;
        return wrap(Reflect.get(target, key, receiver));
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        counter.looks += keys.length;
        return keys;
      },
    });
    made.set(inner, proxy);
    return proxy;
  };
  return wrap(value);
}

function looksFor(make: Listing, size: number): number {
  const counter = { looks: 0 };
  const schema = readSchema(counted(make(size), counter));
  const values = { a: "x", k0: "y" };
  checkPayload(schema, values);
  for (const field of schema.fields) fieldApplies(schema, field, values);
  return counter.looks;
}

// H9
describe("a listing that grows", () => {
  it.each(Object.entries(LISTINGS))("%s: costs no more than in proportion", (name, make) => {
    const small = looksFor(make, 2_000);
    if (DEAR[name]) return expect(small).toBeLessThan(DEAR[name].most);
    const large = looksFor(make, 8_000);
    // Four times the size. What stops at a limit costs a fixed amount, whatever the size.
    expect(large).toBeLessThan(Math.max(small * 8, 3_000_000));
    if (isLongSuite) expect(looksFor(make, 16_000)).toBeLessThan(8_000_000);
  });

  it.each(Object.entries(LISTINGS))("%s: ends as a form, or as JSON with a sentence", (name, make) => {
    const schema = readSchema(make(DEAR[name]?.large ?? 20_000));
    expect(schema.fields.length).toBeLessThanOrEqual(1_000);
    if (schema.fields.length === 0) expect(schema.limits?.join(" ")).toMatch(/JSON/);
    for (const field of schema.fields) expect(field.label.length).toBeLessThanOrEqual(120);
  });

  it("names 300,000 required parameters in one sentence and shows some", () => {
    const schema = readSchema({ properties: { prompt: text }, required: list(300_000, (at) => `r${at}`) });
    expect(schema.fields.map(({ key }) => key).slice(0, 2)).toEqual(["prompt", "r0"]);
    expect(schema.limits).toEqual([
      "The model requires 300,000 parameters without describing them. 50 of them are shown.",
    ]);
    expect(checkPayload(schema, {}).length).toBeLessThan(100);
  });
});

describe("a check", () => {
  it("finds the same in alternatives that double as in one", () => {
    const schema = readSchema(doubled(40, (ref) => ({ allOf: [ref, ref] })));
    expect(checkPayload(schema, { a: "text" })).toEqual([]);
    expect(checkPayload(schema, { a: 1 })).toHaveLength(1);
  });
});

// H5, H14
describe("words of a listing", () => {
  const hidden = fc.constantFrom("\u202e", "\u200b", "\u2066", "\u0007", "\u{e0041}", "\u2028");

  it("show their hidden characters, in labels, help, options and notes", () => {
    fc.assert(
      fc.property(hidden, fc.constantFrom("title", "display_name", "label"), (mark, titleKey) => {
        const words = `a${mark}b`;
        const property = { [titleKey]: words, type: "string", enum: [words, "c"], "x-unit": words, unit: words };
        const { fields, notes } = readSchema({
          type: "object",
          properties: { [words]: property, b: { type: "string", readOnly: true }, [`r${words}`]: { readOnly: true } },
        });
        const [field] = fields;
        expect(field?.label).not.toContain(mark);
        expect(field?.unit).not.toContain(mark);
        expect(notes.join()).not.toContain(mark);
        expect(field?.kind === "choice" && field.options.map(({ label }) => label).join()).not.toContain(mark);
        // What is sent stays to the letter.
        expect(field?.key).toBe(words);
        expect(field?.kind === "choice" && field.options[0]?.value).toBe(words);
      }),
    );
  });
});
