import { describe, expect, it } from "vitest";
import { expandAxes } from "#batch/rows/expand-axes.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { type BatchAxes, MAX_ITEMS } from "#storage/stored-batches.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { ready, SCHEMAS } from "./some-schemas.ts";

const axesOf = (more: Partial<BatchAxes>): BatchAxes => ({
  models: ["lumen"],
  settings: {},
  parameters: [],
  way: "product",
  ...more,
});
const payloads = (axes: Partial<BatchAxes>, schemas: ModelSchemas = SCHEMAS) =>
  expandAxes(axesOf(axes), schemas).runs.map(({ request }) => request.payload);

describe("the product", () => {
  it("has models outermost, then the prompt, and the last axis innermost", () => {
    const { runs } = expandAxes(
      axesOf({
        models: ["lumen", "fast"],
        parameters: [
          { key: "seed", values: [1, 2] },
          { key: "prompt", values: ["fog", "rain"] },
        ],
      }),
      SCHEMAS,
    );
    expect(runs.map(({ request: { model, payload } }) => [model, ...Object.values(payload)])).toEqual([
      ["lumen", "fog", 1],
      ["lumen", "fog", 2],
      ["lumen", "rain", 1],
      ["lumen", "rain", 2],
      ["fast", "fog", 1],
      ["fast", "fog", 2],
      ["fast", "rain", 1],
      ["fast", "rain", 2],
    ]);
    expect(runs[4]?.request.payload).toEqual({ text: "fog", random_seed: 1 });
  });

  it("sends required keys that have a default with it, as a form does", () => {
    const clip = readSchema([
      { name: "prompt", type: "string", required: true },
      { name: "mode", type: "string", required: true, default_value: "std", options: ["std", "pro"] },
    ]);
    const schemas: ModelSchemas = new Map([["clip", ready(clip)]]);
    const axes = { models: ["clip"], parameters: [{ key: "prompt", values: ["fog"] }] };
    expect(payloads(axes, schemas)).toEqual([{ mode: "std", prompt: "fog" }]);
    expect(payloads({ ...axes, settings: { clip: { mode: "pro" } } }, schemas)).toEqual([
      { mode: "pro", prompt: "fog" },
    ]);
  });

  it("tells what a model has no option or field for, and keeps its runs", () => {
    const { runs } = expandAxes(
      axesOf({
        models: ["lumen", "fast"],
        settings: { lumen: { prompt: "fog" } },
        parameters: [
          { key: "size", values: ["1024x1024", "1536x1024"] },
          { key: "steps", values: [20] },
        ],
      }),
      SCHEMAS,
    );
    expect(runs.map(({ request, unavailable }) => [request.model, request.payload, unavailable])).toEqual([
      ["lumen", { prompt: "fog", size: "1024x1024", steps: 20 }, undefined],
      ["lumen", { prompt: "fog", size: "1536x1024", steps: 20 }, undefined],
      ["fast", { text: "fog" }, ["Size 1024x1024", "Steps 20"]],
      ["fast", { text: "fog" }, ["Size 1536x1024", "Steps 20"]],
    ]);
  });

  it("carries the settings of the first model, names what has no place, and takes a model's own", () => {
    const settings = { lumen: { prompt: "fog", hd: true, image: "https://a.example/1.png" } };
    const carried = expandAxes(axesOf({ models: ["lumen", "fast"], settings }), SCHEMAS);
    expect(carried.runs[1]?.request.payload).toEqual({ text: "fog", first_frame: "https://a.example/1.png" });
    expect(carried.notes).toEqual(["Not available in fast: HD."]);
    const own = { ...settings, fast: { text: "mist {1..2}", ratio: "16:9" } };
    expect(payloads({ models: ["lumen", "fast"], settings: own }).slice(1)).toEqual([
      { text: "mist 1", ratio: "16:9" },
      { text: "mist 2", ratio: "16:9" },
    ]);
  });

  it("an input that a model does not take is told, because its result would be another one", () => {
    const settings = {
      lumen: { prompt: "fog", end_image: "https://a.example/2.png", image: "https://a.example/1.png" },
    };
    const { runs } = expandAxes(axesOf({ models: ["lumen", "fast"], settings }), SCHEMAS);
    expect(runs[1]).toEqual({
      request: { model: "fast", payload: { text: "fog", first_frame: "https://a.example/1.png" } },
      unavailable: ["End image"],
    });
  });

  it("two axes of one kind never come to one field", () => {
    const { runs } = expandAxes(
      axesOf({
        models: ["lumen", "fast"],
        parameters: [
          { key: "end_image", values: ["https://a.example/e.png"] },
          { key: "image", values: ["https://a.example/s.png"] },
        ],
      }),
      SCHEMAS,
    );
    expect(runs[1]).toEqual({
      request: { model: "fast", payload: { first_frame: "https://a.example/s.png" } },
      unavailable: ["End image"],
    });
  });

  it("a text of the settings and a typed axis are expanded, line by line", () => {
    expect(payloads({ settings: { lumen: { prompt: "a {red|blue} fox", size: "{1|2}" } } })).toEqual([
      { prompt: "a red fox", size: "{1|2}" },
      { prompt: "a blue fox", size: "{1|2}" },
    ]);
    expect(payloads({ parameters: [{ key: "prompt", values: [], text: "fog\n\n{sun|rain} \r\n" }] })).toEqual([
      { prompt: "fog" },
      { prompt: "sun" },
      { prompt: "rain" },
    ]);
    expect(payloads({ parameters: [{ key: "prompt", values: ["{a|b}"] }] })).toEqual([{ prompt: "{a|b}" }]);
  });

  it("an axis wins over the settings, and one without values is none", () => {
    const settings = { lumen: { prompt: "{1..3}", seed: 5 } };
    expect(
      payloads({
        settings,
        parameters: [
          { key: "prompt", values: ["fog"] },
          { key: "seed", values: [] },
        ],
      }),
    ).toEqual([{ seed: 5, prompt: "fog" }]);
  });

  it.each([
    [
      {
        parameters: [
          { key: "seed", values: Array.from({ length: 201 }, (_, at) => at) },
          { key: "steps", values: Array.from({ length: 10 }, (_, at) => at) },
        ],
      },
      /^Too many runs: 2,010\. A batch can have up to 2,000\.$/,
    ],
    [{ settings: { lumen: { prompt: "{1..9999}" } } }, /^Prompt: Too many prompts: 9,999\./],
    [{ parameters: [{ key: "prompt", values: [], text: "{1..1500}\n{1..1500}" }] }, /^Too many runs: 3,000\./],
  ])("more than a batch takes is a problem, case %#", (axes, problem) => {
    expect(expandAxes(axesOf(axes), SCHEMAS)).toMatchObject({ runs: [], problem: expect.stringMatching(problem) });
  });

  it("while forms load, nothing is guessed and the rest waits", () => {
    const axes = axesOf({ models: ["lumen", "new"], settings: { lumen: { prompt: "fog" } } });
    const first = [{ request: { model: "lumen", payload: { prompt: "fog" } } }];
    expect(expandAxes(axes, SCHEMAS)).toEqual({ runs: first, isLoading: true });
    expect(expandAxes(axes, new Map())).toEqual({ runs: first, isLoading: true });
    const failed = { state: "failed", error: new Error("gone"), retry: () => {} } as const;
    const { runs, isLoading } = expandAxes(axes, new Map([...SCHEMAS, ["new", failed]]));
    expect(isLoading).toBeUndefined();
    expect(runs[1]?.request).toEqual({ model: "new", payload: { prompt: "fog" } });
  });

  it("keys of prototypes are keys", () => {
    const parameters = JSON.parse('[{"key":"__proto__","values":[1,2]},{"key":"constructor","values":[3]}]');
    const { runs } = expandAxes(axesOf({ models: ["lumen", "fast"], parameters }), SCHEMAS);
    expect(JSON.stringify(runs[1]?.request.payload)).toBe('{"__proto__":2,"constructor":3}');
    expect(runs[3]?.unavailable).toEqual(["Proto 2", "Constructor 3"]);
  });
});

describe("pairs", () => {
  const zip = (more: Partial<BatchAxes>) => expandAxes(axesOf({ way: "zip", ...more }), SCHEMAS);

  it("join the first with the first, and one value with all", () => {
    const { runs } = zip({
      models: ["lumen", "fast"],
      settings: { lumen: { steps: 9 } },
      parameters: [
        { key: "seed", values: [1, 2] },
        { key: "prompt", values: ["fog"] },
      ],
    });
    expect(runs.map(({ request }) => request)).toEqual([
      { model: "lumen", payload: { steps: 9, prompt: "fog", seed: 1 } },
      { model: "fast", payload: { text: "fog", random_seed: 2 } },
    ]);
  });

  it("lists of other lengths are a problem in words", () => {
    const parameters = [
      { key: "seed", values: [1, 2, 3] },
      { key: "prompt", values: ["fog", "rain"] },
    ];
    expect(zip({ parameters }).problem).toBe(
      "Pairs need the same number of values, or a single value. These have: Prompt 2, Seed 3.",
    );
  });
});

it("makes as many runs as the lists have combinations, each once", () => {
  const values = fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(values, values, values, fc.boolean(), (seeds, steps, guidance, hasTwo) => {
      const { runs } = expandAxes(
        axesOf({
          models: hasTwo ? ["lumen", "fast"] : ["lumen"],
          parameters: [
            { key: "seed", values: seeds },
            { key: "steps", values: steps },
            { key: "guidance", values: guidance },
          ],
        }),
        SCHEMAS,
      );
      expect(runs).toHaveLength(seeds.length * steps.length * guidance.length * (hasTwo ? 2 : 1));
      expect(runs.length).toBeLessThanOrEqual(MAX_ITEMS);
      const own = runs.filter(({ request }) => request.model === "lumen").map((run) => JSON.stringify(run));
      expect(new Set(own).size).toBe(own.length);
    }),
    { numRuns: cases(30) },
  );
});
