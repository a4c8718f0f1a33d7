import fc from "fast-check";
import { expect, test } from "vitest";
import { checkJson } from "#schema-form/check/check-json.ts";
import { checkPayload } from "#schema-form/check/check-payload.ts";
import { readFlat } from "#schema-form/read/read-flat.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

const value = fc.oneof(
  fc.string(),
  fc.integer({ min: -5, max: 20 }),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("low", "high", "https://example.com/a.png"),
  fc.array(fc.string(), { maxLength: 4 }),
  fc.record({ r: fc.integer() }),
);
const parameter = fc.record(
  {
    name: fc.oneof(fc.constantFrom("prompt", "seed", "size", "image", "width", "2", "1"), fc.string({ minLength: 1 })),
    type: fc.constantFrom("string", "integer", "float", "boolean", "string (enum)", "image (URL)"),
    required: fc.boolean(),
    default_value: fc.oneof(fc.constantFrom("low", "a"), fc.integer(), fc.boolean()),
    options: fc.array(fc.oneof(fc.constantFrom("low", "high"), fc.integer()), { maxLength: 4 }),
    min_value: fc.integer({ min: 0, max: 3 }),
    max_value: fc.integer({ min: 4, max: 9 }),
    min_length: fc.integer({ min: 0, max: 2 }),
    max_length: fc.integer({ min: 1, max: 5 }),
    max_items: fc.integer({ min: 1, max: 3 }),
    description: fc.constantFrom("Up to 3 images.", "Words."),
    advanced: fc.boolean(),
    unit: fc.constant("s"),
  },
  { requiredKeys: ["name", "type"] },
);
const listing = fc.array(parameter, { minLength: 1, maxLength: 5 });

test("plain parameters are read and checked as the full reader and the full checker do it (in-the-wild 1)", () => {
  let flatOnes = 0;
  fc.assert(
    fc.property(listing, fc.dictionary(fc.string(), value), fc.array(value), (parameters, others, values) => {
      const flat = readFlat(parameters);
      if (flat === undefined) return;
      flatOnes += 1;
      const full = readSchema(parameters);
      expect({ ...flat, check: undefined }).toEqual({ ...full, check: undefined });
      const own = values.map((item, at): [string, unknown] => [parameters[at % parameters.length]?.name ?? "", item]);
      const payload = { ...others, ...Object.fromEntries(own) };
      expect(flat.check(payload)).toEqual(checkJson(full.schema, payload));
      expect(checkPayload(flat, payload)).toEqual(checkPayload(full, payload));
    }),
    { numRuns: 400 },
  );
  expect(flatOnes).toBeGreaterThan(20);
});

test("what is not a list of plain parameters is left to the full reader (in-the-wild 5)", () => {
  expect(readFlat(undefined)).toBeUndefined();
  expect(readFlat({ type: "object", properties: { prompt: { type: "string" } } })).toBeUndefined();
  expect(readFlat([{ name: "size", schema: { $ref: "#/x" } }])).toBeUndefined();
  expect(readFlat([{ name: "images", type: "array of strings" }])).toBeUndefined();
});
