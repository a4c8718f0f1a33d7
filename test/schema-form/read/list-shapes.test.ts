import { describe, expect, it } from "vitest";
import { readSchema } from "#schema-form/read/read-schema.ts";

const prompt = { name: "prompt", type: "string" };
const steps = { name: "steps", type: "integer", default: 28, min: 1, max: 50 };
const named = ({ name: _, ...words }: Record<string, unknown>) => words;

describe("parameters that are divided or wrapped", () => {
  it("sections are read whole whatever names their fields", () => {
    const part = (field: string, kind: string) => ({ fields: [{ field, widget: { kind } }] });
    const { fields, isUnsure } = readSchema({ sections: [part("prompt", "textarea"), part("steps", "slider")] });
    expect([fields.map(({ key }) => key), isUnsure]).toEqual([["prompt", "steps"], false]);
  });

  it.each<[string, unknown]>([
    [
      "sections of a form",
      {
        form: {
          sections: [
            { title: "A", fields: [prompt] },
            { title: "B", fields: [steps] },
          ],
        },
      },
    ],
    [
      "groups",
      {
        parameter_groups: [
          { name: "A", parameters: [prompt] },
          { name: "B", parameters: [steps] },
        ],
      },
    ],
    ["basic beside advanced", { inputs: { basic: [prompt], advanced: [steps] } }],
    ["required beside optional", { required_parameters: [prompt], optional_parameters: [steps] }],
    ["two maps", { required_inputs: { prompt: named(prompt) }, optional_inputs: { steps: named(steps) } }],
    ["numbered", { parameters: { 0: prompt, 1: steps } }],
    ["pairs", { parameters: [prompt, steps].map((item) => [item.name, named(item)]) }],
    ["one key each", { parameters: [{ prompt: named(prompt) }, { steps: named(steps) }] }],
    ["edges", { data: { parameters: { edges: [{ node: prompt }, { node: steps }] } } }],
    ["members of a type", { input_spec: { type: "struct", members: [prompt, steps] } }],
    [
      "names beside rows",
      {
        params: {
          fields: ["name", "type"],
          values: [
            ["prompt", "string"],
            ["steps", "int"],
          ],
        },
      },
    ],
    ["columns", { params: { name: ["prompt", "steps"], type: ["string", "integer"] } }],
    [
      "form data",
      {
        parameters: [
          { in: "header", name: "X-Trace", type: "string" },
          ...[prompt, steps].map((item) => ({ ...item, in: "formData" })),
        ],
      },
    ],
    [
      "required and optional properties",
      { schema: { properties: { prompt: { type: "string" } }, optionalProperties: { steps: { type: "int32" } } } },
    ],
  ])("%s are read whole", (_, answer) => {
    expect(readSchema(answer).fields.map(({ key }) => key)).toEqual(["prompt", "steps"]);
  });

  it("models in a list stay apart, and so do groups with the same names", () => {
    const models = { groups: [{ parameters: [prompt, steps] }, { parameters: [prompt] }] };
    expect(readSchema(models).isUnsure || readSchema(models).fields.length === 2).toBe(true);
    expect(readSchema({ basic: [prompt, steps], advanced: [prompt] }).fields.map(({ key }) => key)).not.toContain(
      "basic",
    );
  });

  it("the required half is required", () => {
    const { fields } = readSchema({ required_parameters: [prompt], optional_parameters: [steps] });
    expect(fields.map(({ required }) => required)).toEqual([true, false]);
  });
});

describe("words of a parameter in parts", () => {
  it.each<[string, object]>([
    [
      "a list of rules",
      {
        constraints: [
          { type: "min", value: 1 },
          { type: "max", value: 50 },
        ],
      },
    ],
    ["validators", { validators: [{ min: 1 }, { max: 50 }] }],
    ["bounds", { bounds: [1, 50] }],
    ["a range as text", { range: "1-50" }],
    ["lower and upper", { limits: { lower: 1, upper: 50 } }],
    ["texts, as XML has them", { "@minInclusive": "1", "@maxInclusive": "50" }],
  ])("%s bound a number", (_, words) => {
    const [, field] = readSchema({
      parameters: [prompt, { name: "steps", type: "integer", default: "28", ...words }],
    }).fields;
    expect(field).toMatchObject({ kind: "number", min: 1, max: 50, defaultValue: 28 });
  });

  it("options as pairs of value and label send the value", () => {
    const style = {
      name: "style",
      type: "string",
      options: [
        ["vivid", "Vivid"],
        ["natural", "Natural"],
      ],
    };
    expect(readSchema({ parameters: [prompt, style] }).fields[1]).toMatchObject({
      options: [
        { value: "vivid", label: "Vivid" },
        { value: "natural", label: "Natural" },
      ],
    });
  });
});
