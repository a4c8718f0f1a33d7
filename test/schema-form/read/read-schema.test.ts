import { describe, expect, it } from "vitest";
import { fieldApplies } from "#schema-form/check/check-payload.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

/** The field that a property schema becomes. */
function fieldOf(property: unknown, key = "x", definitions: Record<string, unknown> = {}) {
  const { fields } = readSchema({ type: "object", properties: { [key]: property }, $defs: definitions });
  return fields[0];
}

describe("JSON Schema, drafts 7 to 2020-12", () => {
  it("follows local refs, with keys beside them", () => {
    const defs = { Ratio: { type: "string", enum: ["1:1", "16:9"] } };
    expect(fieldOf({ $ref: "#/$defs/Ratio", default: "1:1", title: "Format" }, "ratio", defs)).toMatchObject({
      kind: "choice",
      label: "Format",
      defaultValue: "1:1",
      options: [{ value: "1:1" }, { value: "16:9" }],
    });
  });

  it("gives a JSON field for a part that refers to itself", () => {
    const node = { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/$defs/Node" } } };
    expect(fieldOf({ $ref: "#/$defs/Node" }, "x", { Node: node })).toMatchObject({
      kind: "group",
      fields: [{ kind: "text" }, { kind: "json" }],
    });
    expect(readSchema({ $ref: "#" }).fields).toEqual([]);
    expect(fieldOf({ $ref: "#/properties/x" })).toMatchObject({ kind: "json" });
    expect(fieldOf({ $ref: "https://example.com/other.json" })).toMatchObject({ kind: "json" });
  });

  it("merges allOf, with the tightest bounds", () => {
    const field = fieldOf({
      allOf: [
        { type: "number", minimum: 1 },
        { minimum: 2, maximum: 9 },
      ],
      maximum: 8,
    });
    expect(field).toMatchObject({ kind: "number", min: 2, max: 8 });
    const enumRef = fieldOf({ allOf: [{ $ref: "#/$defs/top_k" }], default: 64 }, "top_k", {
      top_k: { enum: [32, 64], type: "integer" },
    });
    expect(enumRef).toMatchObject({ kind: "choice", defaultValue: 64 });
  });

  it.each([
    ["anyOf with null", { anyOf: [{ type: "integer" }, { type: "null" }] }],
    ["oneOf with null", { oneOf: [{ type: "null" }, { type: "integer" }] }],
    ["a list of types", { type: ["integer", "null"] }],
    ["nullable", { type: "integer", nullable: true }],
  ])("%s is a nullable number", (_, property) => {
    expect(fieldOf(property)).toMatchObject({ kind: "number", integer: true, nullable: true });
  });

  it("an enum with null is a nullable choice", () => {
    expect(fieldOf({ enum: ["a", "b", null] })).toMatchObject({
      kind: "choice",
      nullable: true,
      options: [{ value: "a" }, { value: "b" }],
    });
  });

  it("an enum or an object is a preset or custom", () => {
    const size = { type: "object", properties: { width: { type: "integer" }, height: { type: "integer" } } };
    const field = fieldOf(
      { anyOf: [{ enum: ["square", "wide"], type: "string" }, { $ref: "#/$defs/ImageSize" }] },
      "image_size",
      { ImageSize: size },
    );
    expect(field).toMatchObject({
      kind: "union",
      role: "size",
      variants: [{ kind: "choice", label: "Preset" }, { kind: "group" }],
    });
  });

  it("an enum or a free string is text with suggestions", () => {
    expect(fieldOf({ anyOf: [{ enum: ["a", "b"] }, { type: "string" }] })).toMatchObject({
      kind: "text",
      suggestions: [{ value: "a" }, { value: "b" }],
    });
  });

  it("a number or a string is a choice between both", () => {
    expect(fieldOf({ anyOf: [{ type: "number" }, { type: "string" }] })).toMatchObject({
      kind: "union",
      variants: [{ kind: "number" }, { kind: "text" }],
    });
    expect(fieldOf({ anyOf: [{ type: "number" }, { const: "auto" }] })).toMatchObject({
      kind: "union",
      variants: [{ kind: "number" }, { kind: "choice" }],
    });
  });

  it("constants with titles are options", () => {
    const oneOf = [
      { const: 1, title: "One" },
      { const: "1", title: "The digit" },
    ];
    expect(fieldOf({ oneOf })).toMatchObject({
      kind: "choice",
      options: [
        { value: 1, label: "One" },
        { value: "1", label: "The digit" },
      ],
    });
    expect(fieldOf({ const: "8s" })).toMatchObject({ kind: "choice", defaultValue: "8s" });
    expect(fieldOf({ enum: [1, "1", true, null, "x"] })).toMatchObject({
      options: [{ value: 1 }, { value: "1" }, { value: true }, { value: "x" }],
    });
  });

  it("labels options by any of the known hints", () => {
    expect(fieldOf({ enum: ["a", "b"], "x-maker-enum-labels": { a: "First" } })).toMatchObject({
      options: [{ label: "First" }, { label: "b" }],
    });
    expect(fieldOf({ enum: ["a", "b"], enumNames: ["First", "Second"] })).toMatchObject({
      options: [{ label: "First" }, { label: "Second" }],
    });
  });

  it("reads arrays of scalars, of choices, of objects, and tuples", () => {
    expect(fieldOf({ type: "array", items: { type: "number" }, maxItems: 9 })).toMatchObject({
      kind: "list",
      item: { kind: "number" },
      maxItems: 9,
    });
    expect(fieldOf({ type: "array", items: { enum: ["a", "b"] } })).toMatchObject({
      kind: "choices",
      options: [{ value: "a" }, { value: "b" }],
    });
    const lora = { type: "object", properties: { path: { type: "string" }, scale: { type: "number" } } };
    expect(fieldOf({ type: "array", items: lora }, "loras")).toMatchObject({
      kind: "list",
      label: "LoRAs",
      item: { kind: "group", label: "LoRA" },
    });
    const pair = [{ type: "integer" }, { type: "string" }];
    expect(fieldOf({ type: "array", prefixItems: pair })).toMatchObject({
      kind: "tuple",
      items: [{ kind: "number" }, { kind: "text" }],
    });
    expect(fieldOf({ type: "array", items: pair })).toMatchObject({ kind: "tuple" });
    expect(fieldOf({ type: "array", items: { type: "integer" }, minItems: 3, maxItems: 3 }, "bbox")).toMatchObject({
      kind: "tuple",
      items: [{}, {}, {}],
    });
  });

  it("reads nested objects, maps, and objects of unknown keys", () => {
    expect(
      fieldOf({ type: "object", properties: { a: { type: "object", properties: { b: { type: "boolean" } } } } }),
    ).toMatchObject({
      kind: "group",
      fields: [{ kind: "group", fields: [{ kind: "boolean" }] }],
    });
    expect(fieldOf({ type: "object", additionalProperties: { type: "number" } })).toMatchObject({
      kind: "map",
      item: { kind: "number" },
    });
    expect(fieldOf({ type: "object" })).toMatchObject({ kind: "json" });
    expect(fieldOf({})).toMatchObject({ kind: "json" });
    expect(fieldOf(true)).toMatchObject({ kind: "json" });
  });

  it("reads formats and content types", () => {
    expect(fieldOf({ type: "string", contentMediaType: "image/png", contentEncoding: "base64" })).toMatchObject({
      kind: "media",
      media: "image",
    });
    expect(fieldOf({ type: "string", format: "uri" }, "start_video")).toMatchObject({ kind: "media", media: "video" });
    expect(fieldOf({ type: "string", format: "uri" }, "webhook_url")).toMatchObject({ kind: "text", format: "uri" });
    expect(fieldOf({ type: "string", format: "color" })).toMatchObject({ kind: "colour", form: "hex" });
    expect(fieldOf({ type: "string", format: "date" })).toMatchObject({ kind: "text", format: "date" });
    expect(fieldOf({ type: "string", writeOnly: true })).toMatchObject({ kind: "text", format: "password" });
    const rgb = {
      type: "object",
      properties: { r: { type: "integer" }, g: { type: "integer" }, b: { type: "integer" } },
    };
    expect(fieldOf(rgb, "tint")).toMatchObject({ kind: "colour", form: "object" });
  });

  it("reads bounds: exclusive ones, draft 4's booleans, multipleOf", () => {
    expect(fieldOf({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 })).toMatchObject({
      min: 0,
      max: 1,
      openMin: true,
      openMax: true,
    });
    expect(fieldOf({ type: "number", minimum: 0, exclusiveMinimum: true })).toMatchObject({ min: 0, openMin: true });
    expect(fieldOf({ type: "integer", multipleOf: 8 })).toMatchObject({ step: 8 });
  });

  it("leaves out read-only and hidden properties, and names them", () => {
    const form = readSchema({
      properties: {
        id: { type: "string", readOnly: true },
        old: { type: "string", hidden: true },
        a: { type: "string" },
      },
    });
    expect(form.fields.map((field) => field.key)).toEqual(["a"]);
    expect(form.notes).toHaveLength(2);
  });

  it("shows properties of if/then/else and dependentSchemas as optional fields", () => {
    const conditional = `{
      "properties": { "mode": { "enum": ["a", "b"] } },
      "if": { "properties": { "mode": { "const": "a" } } },
      "then": { "properties": { "strength": { "type": "number" } }, "required": ["strength"] },
      "else": { "properties": { "other": { "type": "string" } } },
      "dependentSchemas": { "mode": { "properties": { "more": { "type": "boolean" } } } }
    }`;
    const { fields } = readSchema(conditional);
    expect(fields.map((field) => [field.key, field.required])).toEqual([
      ["mode", false],
      ["strength", false],
      ["other", false],
      ["more", false],
    ]);
  });

  it("reads the conditions of properties in if/then/else, also within allOf", () => {
    const rule = (mode: string, key: string) => ({
      if: { properties: { mode: { const: mode } }, required: ["mode"] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: { properties: { [key]: { type: "number" } } },
    });
    const schema = readSchema({
      type: "object",
      properties: { mode: { enum: ["a", "b", "c"] } },
      allOf: [rule("a", "strength"), rule("b", "tempo"), rule("c", "depth")],
    });
    const shownFor = (mode: string) =>
      schema.fields.filter((field) => fieldApplies(schema, field, { mode })).map(({ key }) => key);
    expect(shownFor("a")).toEqual(["mode", "strength"]);
    expect(shownFor("b")).toEqual(["mode", "tempo"]);
    expect(shownFor("c")).toEqual(["mode", "depth"]);
  });

  it("keeps a required key that no property describes", () => {
    expect(readSchema({ properties: { a: { type: "string" } }, required: ["b"] }).fields).toMatchObject([
      { key: "a" },
      { key: "b", required: true, kind: "json" },
    ]);
  });

  // H9
  it("caps hostile schemas: deep, long, and wide ones", () => {
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, { type: "string" }])),
    };
    expect(readSchema(wide).fields).toHaveLength(1_000);
    expect(readSchema(wide).limits).toEqual(["The form has 1,000 of 10,000 parameters. Enter the others as JSON."]);
    expect(readSchema(wide).fields.filter((field) => field.kind === "text")).toHaveLength(500);
    let deep: Record<string, unknown> = { type: "string" };
    for (let level = 0; level < 500; level += 1) deep = { type: "object", properties: { a: deep } };
    expect(() => readSchema({ properties: { deep } })).not.toThrow();
  });
});

// In-the-wild 5.
describe("oddities seen in real listings", () => {
  it("keeps digit strings of an integer enum, and a default of another type", () => {
    expect(fieldOf({ type: "integer", enum: ["512", "256"], default: 512 })).toMatchObject({
      kind: "choice",
      options: [{ value: "512" }, { value: "256" }],
      defaultValue: 512,
    });
    expect(fieldOf({ type: "string", enum: ["5", "8"], default: 5 })).toMatchObject({ defaultValue: 5 });
  });

  it("reads untyped enums, bounds ge and le, and a null default", () => {
    expect(fieldOf({ enum: ["a", "b"] })).toMatchObject({ kind: "choice" });
    expect(fieldOf({ type: "number", ge: 1, le: 20 })).toMatchObject({ min: 1, max: 20 });
    expect(fieldOf({ type: "string", format: "uri", default: null }, "image")).toMatchObject({
      kind: "media",
      defaultValue: null,
    });
  });

  it("shows a long text with line breaks as an area", () => {
    expect(fieldOf({ type: "string", default: "a\nb" })).toMatchObject({ kind: "text", multiline: true });
  });

  it("reads a string or an object without titles", () => {
    const object = { type: "object", properties: { width: { type: "integer" }, height: { type: "integer" } } };
    expect(fieldOf({ oneOf: [{ type: "string", default: "2048x2048" }, object] }, "image_size")).toMatchObject({
      kind: "union",
      variants: [{ kind: "text" }, { kind: "group" }],
    });
  });
});
