import { describe, expect, it } from "vitest";
import { createFormHandle } from "#schema-form/form/form-handle.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";

const NASTY_KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "a.b",
  "a[0]",
  "f0",
  "rest",
  '"q"',
  "a b",
  "",
  "0",
  "10",
  "-",
  "é",
  "\u0000",
  "person_image.24",
];

/** Values and keys are drawn from large pools: drawing each anew would cost most of the test's time. */
const KEYS = [...NASTY_KEYS, "prompt", "seed", "image_url", "size", ...fc.sample(fc.string({ maxLength: 8 }), 200)];
const VALUES = ["5", 5, 0.5, "", null, true, ...fc.sample(fc.jsonValue({ maxDepth: 3 }), 600)];
const keys = fc.constantFrom(...KEYS);
const json = fc.constantFrom(...VALUES);
const record = (values: fc.Arbitrary<unknown>) =>
  fc
    .array(fc.tuple(keys, values), { maxLength: 8 })
    .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);

const types = fc.constantFrom(
  "string",
  "integer",
  "number",
  "boolean",
  "array",
  "object",
  "null",
  "image (URL)",
  "float",
  "enum",
  "JSON type",
  "word",
);
const leaf = fc.record(
  {
    type: fc.oneof(types, fc.array(types, { minLength: 1, maxLength: 3 })),
    title: fc.string({ maxLength: 6 }),
    enum: fc.array(json, { minLength: 1, maxLength: 4 }),
    default: json,
    minimum: fc.integer(),
    maximum: fc.integer(),
    nullable: fc.boolean(),
    format: fc.constantFrom("uri", "date", "color", "nonsense"),
    pattern: fc.constantFrom("^a", "(", "(a+)+$"),
    $ref: fc.constantFrom("#", "#/$defs/a", "#/properties/x", "other.json"),
    const: json,
    readOnly: fc.boolean(),
  },
  { requiredKeys: [] },
);
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.record(
      { type: fc.constant("object"), properties: record(tie("schema")), required: fc.array(keys, { maxLength: 3 }) },
      { requiredKeys: ["properties"] },
    ),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(4) }, { requiredKeys: ["type"] }),
    fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { maxLength: 3 }), default: json }, { requiredKeys: ["oneOf"] }),
    fc.record(
      { allOf: fc.array(tie("schema"), { maxLength: 2 }), not: tie("schema"), if: tie("schema"), else: tie("schema") },
      { requiredKeys: [] },
    ),
    json,
  ),
}));
const parameters = fc.array(
  fc.record(
    {
      name: keys,
      type: types,
      options: fc.array(json, { maxLength: 4 }),
      default_value: json,
      required: fc.boolean(),
      min_value: fc.integer(),
    },
    { requiredKeys: ["name"] },
  ),
  { minLength: 1, maxLength: 8 },
);
const listing = fc.oneof(
  parameters,
  fc.record(
    {
      type: fc.constant("object"),
      properties: record(schema),
      required: fc.array(keys, { maxLength: 3 }),
      $defs: record(schema),
    },
    { requiredKeys: ["properties"] },
  ),
  schema,
);
const payloads = record(json).map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

describe("a payload goes through the form", () => {
  it("with every key, type and order unchanged", () => {
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    fc.assert(
      fc.property(listing, payloads, (raw, payload) => {
        const form = createFormHandle("model", readSchema(raw));
        form.setPayload(payload);
        return JSON.stringify(form.getPayload()) === JSON.stringify(payload);
      }),
      { numRuns: cases(400, 20_000) },
    );
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("with one field changed and the others unchanged", () => {
    fc.assert(
      fc.property(listing, payloads, json, fc.nat(), (raw, payload, value, at) => {
        const form = createFormHandle("model", readSchema(raw));
        form.setPayload(payload);
        const name = form.names[at % Math.max(1, form.names.length)];
        const field = name === undefined ? undefined : form.field(name);
        if (name === undefined || !field) return;
        const put = JSON.parse(JSON.stringify(value)) as unknown;
        form.setField(name, put);
        const expected = Object.entries(payload).filter(([key]) => key !== field.key);
        const after = Object.entries(form.getPayload());
        expect(after.filter(([key]) => key !== field.key)).toEqual(expected);
        expect(JSON.stringify(after.find(([key]) => key === field.key)?.[1])).toBe(JSON.stringify(put));
        form.setField(name, undefined);
        expect(Object.hasOwn(form.getPayload(), field.key)).toBe(false);
      }),
      { numRuns: cases(100, 5000) },
    );
  });

  it("with hostile keys unchanged byte for byte", () => {
    const form = createFormHandle("model", readSchema(NASTY_KEYS.map((name) => ({ name, type: "string" }))));
    for (const name of form.names) form.setField(name, `value of ${name}`);
    expect(Object.keys(form.getPayload()).sort()).toEqual([...NASTY_KEYS].sort());
    expect(JSON.parse(JSON.stringify(form.getPayload()))).toEqual(form.getPayload());
    expect(({} as Record<string, unknown>)["value of f0"]).toBeUndefined();
  });
});
