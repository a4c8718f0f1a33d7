import { describe, expect, test } from "vitest";
import { withSteadyIds } from "#batch/batch-document.ts";
import { newGroup, withGroup } from "#batch/rows/group-runs.ts";
import { newBatch } from "#batch/runner/batch-edits.ts";
import {
  numberListText,
  randomSeeds,
  readNumberList,
  repeated,
  textAxis,
  unrepeated,
  withAxis,
  withModels,
  withoutAxis,
} from "#batch/sources/axis-edits.ts";
import type { NumberField } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchAxes } from "#storage/stored-batches.ts";
import fc from "../../setup/fc.ts";

const number: NumberField = {
  kind: "number",
  key: "n",
  label: "Number",
  help: undefined,
  required: false,
  nullable: false,
  defaultValue: undefined,
  examples: [],
  role: undefined,
  advanced: false,
  unit: undefined,
  integer: false,
  min: undefined,
  max: undefined,
  openMin: false,
  openMax: false,
  step: undefined,
  asString: false,
};

describe("a list of numbers", () => {
  test.each([
    ["1, 2.5, 5", [1, 2.5, 5]],
    ["1..4", [1, 2, 3, 4]],
    ["4..1", [4, 3, 2, 1]],
    ["0..1..0.25", [0, 0.25, 0.5, 0.75, 1]],
    ["0.1..0.3..0.1", [0.1, 0.2, 0.3]],
    [" 7\n8;9 ", [7, 8, 9]],
    ["-2..0", [-2, -1, 0]],
    ["", []],
  ])("%j is read", (text, values) => {
    expect(readNumberList(number, text)).toEqual({ values });
  });

  test.each(["seven", "1..", "1..100000", "1,,x"])("%j is a problem in words", (text) => {
    const { values, problem } = readNumberList(number, text);
    expect(values).toEqual([]);
    expect(problem).toMatch(/\.$/);
  });

  test("any numbers are read back as they were, and no text throws", () => {
    const numbers = fc.array(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(numbers, (values) => {
        // A number beyond 2^53 can’t be saved exactly: it stays the text that was typed.
        const exact = values
          .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
          .map((value) => value + 0);
        const { values: read } = readNumberList(number, numberListText(exact));
        expect(read).toEqual(exact.map((value) => (Object.is(value, -0) ? 0 : value)));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void readNumberList(number, text)));
  });
});

describe("lines of texts", () => {
  test("repeated lines are told from their text, whatever they are", () => {
    const line = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "" && !/[\r\n]/.test(text));
    fc.assert(
      fc.property(
        fc.uniqueArray(line, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        (lines, times) => {
          const text = repeated(lines.join("\n"), times);
          expect(textAxis("p", text).values.length % times).toBe(0);
          expect(unrepeated(text)).toEqual({ text: lines.join("\n"), times });
        },
      ),
    );
  });
});

describe("axes", () => {
  const axes: BatchAxes = { models: ["a"], settings: {}, parameters: [], way: "product" };
  const schema = (prompt: string, sizes: readonly string[]) =>
    readSchema({
      type: "object",
      properties: { [prompt]: { type: "string" }, size: { type: "string", enum: sizes } },
    });
  const schemas: ModelSchemas = new Map([
    ["a", { state: "ready", schema: schema("prompt", ["1:1", "16:9"]), type: "image" }],
    ["b", { state: "ready", schema: schema("text_prompt", ["1:1", "4:3"]), type: "image" }],
  ]);

  test("an axis that is taken out leaves its only value as a setting", () => {
    const one = withAxis(axes, { key: "size", values: ["1:1"] });
    expect(withoutAxis(one, "size")).toEqual({ ...axes, settings: { a: { size: "1:1" } } });
    const two = withAxis(axes, { key: "size", values: ["1:1", "16:9"] });
    expect(withoutAxis(two, "size")).toEqual(axes);
  });

  test("another first model gets keys and values in its words; what it has not is left out", () => {
    const full = withAxis(withAxis(axes, textAxis("prompt", "A {red|blue} lamp")), {
      key: "size",
      values: ["1:1", "16:9"],
    });
    const next = withModels({ ...full, settings: { a: {} } }, ["b"], schemas);
    expect(next.models).toEqual(["b"]);
    expect(next.parameters).toEqual([
      { key: "text_prompt", values: ["A red lamp", "A blue lamp"], text: "A {red|blue} lamp" },
      { key: "size", values: ["1:1"] },
    ]);
  });

  test("random seeds are all different, and within the bounds", () => {
    const field: NumberField = { ...number, integer: true, min: 1, max: 5, role: "seed" };
    expect(new Set(randomSeeds(field, 5)).size).toBe(5);
    expect(randomSeeds(field, 50).length).toBeLessThanOrEqual(5);
    expect(randomSeeds({ ...field, asString: true }, 1)[0]).toMatch(/^[1-5]$/);
  });
});

test("a change that is applied twice gives the same runs the same ids", () => {
  const group = newGroup("Runs", "csv");
  const runs = [1, 2, 3].map((seed) => ({ request: { model: "lumen-2", payload: { seed } } }));
  const change = withSteadyIds((batch) => withGroup(batch, group, runs));
  const batch = newBatch("x");
  const once = change(batch);
  expect(change(batch)).toEqual(once);
  expect(new Set(once.items.map(({ intentId }) => intentId)).size).toBe(3);
});
