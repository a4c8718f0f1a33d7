import { describe, expect, it } from "vitest";
import { readSchema } from "#schema-form/read/read-schema.ts";

describe("order hints", () => {
  const properties = {
    a: { type: "string" },
    b: { type: "string", "x-order": 0 },
    c: { type: "string" },
    1: { type: "string" },
  };
  it.each([
    ["x-order-properties", ["c", "unknown", "a"], ["c", "a", "b", "1"]],
    ["x-maker-order-properties", ["1", "a", "b", "c"], ["1", "a", "b", "c"]],
  ])("%s orders the fields, and unlisted ones follow", (key, list, expected) => {
    expect(readSchema({ properties, [key]: list }).fields.map((field) => field.key)).toEqual(expected);
  });

  it("x-order by number, the rest after it", () => {
    expect(readSchema({ properties }).fields.map((field) => field.key)).toEqual(["b", "1", "a", "c"]);
  });

  it("x-order by number, however large, before what has none", () => {
    const late = {
      a: { type: "string" },
      b: { type: "string", "x-order": 2000 },
      c: { type: "string", "x-order": 10 },
    };
    expect(readSchema({ properties: late }).fields.map((field) => field.key)).toEqual(["c", "b", "a"]);
  });
});

describe("the place of a listing", () => {
  const properties = { prompt: { type: "string" }, n: { type: "integer" } };
  const schema = { type: "object", properties };
  const openapi = (schemas: object, paths: object = {}) => ({
    openapi: "3.0.4",
    info: { title: "x" },
    components: { schemas },
    paths,
  });
  it.each<[string, unknown, string]>([
    ["a JSON Schema", schema, "json-schema"],
    ["its text", JSON.stringify(schema), "json-schema"],
    ["under parameters", { model: "m", parameters: schema }, "json-schema"],
    ["under params", { params: schema }, "json-schema"],
    ["under schema", { schema }, "json-schema"],
    ["under payload_schema", { payload_schema: schema }, "json-schema"],
    ["under input_schema", { input_schema: schema }, "json-schema"],
    ["under input_schema.schemas.input_data", { input_schema: { schemas: { input_data: schema } } }, "json-schema"],
    [
      "under api_schema.api_schemas[0].request_schema",
      { api_schema: { api_schemas: [{ request_schema: schema }] } },
      "json-schema",
    ],
    ["under an unknown name with schema in it", { id: "m", my_params_v2: schema }, "json-schema"],
    ["an OpenAPI document with an Input schema", openapi({ Output: { type: "string" }, Input: schema }), "openapi"],
    ["with a named input", openapi({ Other: schema, MyModelInput: schema, QueueStatus: schema }), "openapi"],
    [
      "with a request body",
      openapi(
        { Thing: schema },
        {
          "/": {
            post: {
              requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
            },
          },
        },
      ),
      "openapi",
    ],
    ["nested in a version", { latest_version: { openapi_schema: openapi({ Input: schema }) } }, "openapi"],
    ["a map of parameters", { prompt: { type: "string", required: true }, n: { type: "int", default: 1 } }, "map"],
    ["a map under inputs", { inputs: properties }, "map"],
    ["a map of type words", { parameters: { prompt: "string", n: "integer" } }, "map"],
    ["its text inside an object", { parameters: JSON.stringify(schema) }, "json-schema"],
    ["a list of models with one", { data: [{ id: "m", name: "Model", input_schema: schema }] }, "json-schema"],
    ["under tools[0].function", { tools: [{ type: "function", function: { parameters: schema } }] }, "json-schema"],
    [
      "with a shared request body",
      {
        ...openapi({ Thing: schema, Other: schema }, { "/": { post: { requestBody: { $ref: "#/components/b" } } } }),
        components: {
          schemas: { Thing: schema, Other: { type: "object", properties: { other: { type: "string" } } } },
          b: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
        },
      },
      "openapi",
    ],
    [
      "a parameter array under parameters",
      {
        parameters: [
          { name: "prompt", type: "string" },
          { name: "n", type: "integer" },
        ],
      },
      "parameters",
    ],
    [
      "a parameter array under data.model",
      { data: { model: { parameters: [{ name: "prompt" }, { name: "n", type: "int" }] } } },
      "parameters",
    ],
  ])("%s", (_, raw, reading) => {
    const form = readSchema(raw);
    expect(form.reading).toBe(reading);
    expect(form.fields.map((field) => [field.key, field.kind])).toEqual([
      ["prompt", "text"],
      ["n", "number"],
    ]);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a word", "n/a"],
    ["an empty list", []],
    ["an empty object", {}],
    ["a detail without a listing", { model: "m", price_info: { price: 1 }, tags: ["a"] }],
    ["a number", 7],
  ])("%s is no listing: the payload is written as JSON", (_, raw) => {
    expect(readSchema(raw)).toMatchObject({ reading: "none", fields: [] });
  });
});
