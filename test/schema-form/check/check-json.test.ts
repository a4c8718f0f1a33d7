import { describe, expect, it } from "vitest";
import { checkJson } from "#schema-form/check/check-json.ts";

const testPattern = (pattern: string, text: string) => new RegExp(pattern, "u").test(text);
const isValid = (schema: unknown, value: unknown) => checkJson(schema, value, { testPattern }).length === 0;

describe("checking without evaluating code, keyword by keyword", () => {
  it.each<[keyword: string, schema: unknown, valid: unknown[], invalid: unknown[]]>([
    ["type", { type: "integer" }, [1, 1.0, -3], [1.5, "1", null]],
    ["type list", { type: ["string", "null"] }, ["a", null], [1, {}]],
    ["const", { const: { a: [1] } }, [{ a: [1] }], [{ a: [1, 2] }, null]],
    ["enum of mixed types", { enum: [1, "1", null, ""] }, [1, "1", null, ""], ["2", false, 0]],
    ["multipleOf", { multipleOf: 0.05 }, [0.15, 7.35, 0], [0.07]],
    ["minimum and maximum", { minimum: 0, maximum: 1 }, [0, 1, "x"], [-0.1, 1.1]],
    ["exclusive bounds", { exclusiveMinimum: 0, exclusiveMaximum: 1 }, [0.5], [0, 1]],
    ["exclusive bounds of draft 4", { minimum: 0, exclusiveMinimum: true }, [0.1], [0]],
    ["lengths count characters, not bytes", { minLength: 1, maxLength: 2 }, ["🦊🦊", "a"], ["", "abc"]],
    ["pattern", { pattern: "^a+$" }, ["aa", 1], ["b"]],
    ["items", { items: { type: "number" } }, [[], [1]], [["1"]]],
    ["prefixItems", { prefixItems: [{ type: "number" }], items: false }, [[1], []], [[1, 2], ["1"]]],
    ["items as a list", { items: [{ type: "number" }], additionalItems: false }, [[1]], [[1, 2]]],
    ["contains", { contains: { const: 1 }, maxContains: 1 }, [[1, 2]], [[2], [1, 1]]],
    ["item counts", { minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]],
    [
      "uniqueItems",
      { uniqueItems: true },
      [[1, "1", [1], { a: 1 }]],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    ["properties", { properties: { a: { type: "string" } } }, [{ a: "x" }, {}], [{ a: 1 }]],
    ["required", { required: ["a"] }, [{ a: null }], [{}, { b: 1 }]],
    ["required toString", { required: ["toString"] }, [{ toString: 1 }], [{}]],
    ["additionalProperties", { properties: { a: {} }, additionalProperties: false }, [{ a: 1 }], [{ b: 1 }]],
    [
      "patternProperties",
      { patternProperties: { "^x-": { type: "number" } }, additionalProperties: false },
      [{ "x-a": 1 }],
      [{ "x-a": "1" }, { y: 1 }],
    ],
    ["propertyNames", { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
    ["property counts", { minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
    ["dependentRequired", { dependentRequired: { a: ["b"] } }, [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1 }]],
    ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }, [{}], [{ a: 1 }]],
    ["dependencies", { dependencies: { a: ["b"], c: { minProperties: 2 } } }, [{ a: 1, b: 1 }], [{ a: 1 }, { c: 1 }]],
    ["allOf", { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [0, 3]],
    ["anyOf", { anyOf: [{ type: "null" }, { minimum: 3 }] }, [null, 3], [2]],
    ["oneOf", { oneOf: [{ minimum: 1 }, { minimum: 3 }] }, [1], [0, 3]],
    ["not", { not: { required: ["a"] } }, [{}], [{ a: 1 }]],
    [
      "if then",
      JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}'),
      [{ a: 1, b: 1 }, { c: 1 }],
      [{ a: 1 }, {}],
    ],
    ["$ref", { $ref: "#/$defs/a", maximum: 5, $defs: { a: { type: "number" } } }, [4], ["4", 6]],
    [
      "$ref in draft 7 hides its siblings",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        properties: { x: { $ref: "#/definitions/a", maximum: 5 } },
        definitions: { a: {} },
      },
      [{ x: 6 }],
      [],
    ],
    [
      "$ref by $id and $anchor",
      {
        $id: "http://x.example/root",
        $ref: "other#here",
        $defs: { o: { $id: "other", $defs: { h: { $anchor: "here", type: "string" } } } },
      },
      ["a"],
      [1],
    ],
    [
      "a $ref to itself further down",
      { properties: { next: { $ref: "#" }, v: { type: "number" } } },
      [{ next: { next: { v: 1 } } }],
      [{ next: { next: { v: "1" } } }],
    ],
    ["nullable", { type: "string", nullable: true }, [null, "a"], [1]],
    ["boolean schemas", false, [], [1, null]],
    ["words that it does not know", { type: "float", format: "nonsense", "x-y": 1 }, [1, "a"], []],
  ])("%s", (_, schema, valid, invalid) => {
    for (const value of valid) expect(isValid(schema, value), `${JSON.stringify(value)} is valid`).toBe(true);
    for (const value of invalid) expect(isValid(schema, value), `${JSON.stringify(value)} is not valid`).toBe(false);
  });

  it("ends on schemas with cycles, growth or broken references", () => {
    const doubling = {
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `d${at}`,
          { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
        ]),
      ),
      $ref: "#/$defs/d0",
    };
    for (const schema of [
      { $ref: "#" },
      { anyOf: [{ $ref: "#" }, { $ref: "#" }] },
      { $ref: "#/nowhere" },
      { $ref: "https://example.com/x" },
      doubling,
    ]) {
      expect(() => checkJson(schema, { a: 1 })).not.toThrow();
    }
  });

  // H8
  it("leaves patterns to its caller, since they may never end", () => {
    expect(checkJson({ pattern: "^(a+)+$" }, `${"a".repeat(60)}!`)).toEqual([]);
  });
});
