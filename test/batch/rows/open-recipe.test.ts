import { describe, expect, it } from "vitest";
import { openTemplate } from "#batch/rows/open-recipe.ts";
import { type Template, templateModels } from "#batch/rows/read-recipe.ts";
import { rowProblems } from "#batch/rows/row-problems.ts";
import { SCHEMAS } from "./some-schemas.ts";

const TEMPLATE: Template = {
  name: "Old",
  groups: [
    {
      name: "Axes",
      axes: {
        models: ["gone-1", "lumen"],
        settings: { "gone-1": { text: "fog", style: "ink", width: 1024 } },
        parameters: [
          { key: "random_seed", values: [1, 2] },
          { key: "mood", values: ["calm", "wild"] },
        ],
        way: "product",
      },
    },
    { name: "Listed", runs: [{ model: "gone-1", payload: { text: "rain", random_seed: 3, style: "ink" } }] },
  ],
  steps: [{ model: "gone-1", settings: { text: "pan" }, use: "file" }],
};
const known = { modelIds: new Set(["lumen", "fast"]), schemas: SCHEMAS };

describe("a template whose model is gone", () => {
  it("keeps every row, with the model as its problem", () => {
    const opened = openTemplate(TEMPLATE, known);
    expect(opened.missingModels).toEqual(["gone-1"]);
    expect(opened.notes).toContain("Model not available: gone-1. Choose another one for its runs.");
    expect(opened.isLoading).toBeUndefined();
    expect(opened.groups.map(({ runs }) => runs.length)).toEqual([8, 1]);
    expect(opened.groups[0]?.runs[0]?.request).toEqual({
      model: "gone-1",
      payload: { text: "fog", style: "ink", width: 1024, random_seed: 1, mood: "calm" },
    });
  });

  it("opens with another model where parameters match, and names the rest", () => {
    const opened = openTemplate(TEMPLATE, known, { "gone-1": "lumen" });
    expect(opened.missingModels).toEqual([]);
    const [axes, listed] = opened.groups;
    expect(axes?.group.axes).toEqual({
      models: ["lumen"],
      settings: { lumen: { prompt: "fog" } },
      parameters: [{ key: "seed", values: [1, 2] }],
      way: "product",
    });
    expect(axes?.runs.map(({ request }) => request.payload)).toEqual([
      { prompt: "fog", seed: 1 },
      { prompt: "fog", seed: 2 },
    ]);
    expect(listed?.runs).toEqual([{ request: { model: "lumen", payload: { prompt: "rain", seed: 3 } } }]);
    expect(opened.steps).toEqual([{ model: "lumen", settings: { prompt: "pan" }, use: "file" }]);
    expect(opened.notes).toEqual([
      "Not available in lumen: Style, Width.",
      "Not available in lumen: Mood calm, Mood wild.",
      "Not available in lumen: Style.",
    ]);
  });

  it("an input that the other model does not take is a problem of its row", () => {
    const payload = { image_url: "https://a.example/1.png", mask_url: "https://a.example/m.png", prompt: "fog" };
    const template = { name: "x", groups: [{ name: "x", runs: [{ model: "gone-1", payload }] }] };
    const [group] = openTemplate(template, known, { "gone-1": "fast" }).groups;
    expect(group?.runs[0]).toEqual({
      request: { model: "fast", payload: { first_frame: "https://a.example/1.png", text: "fog" } },
      unavailable: ["Mask URL"],
    });
    const [run] = group?.runs ?? [];
    expect(run && rowProblems(run, SCHEMAS)).toEqual(["Not available in fast: Mask URL."]);
  });

  it("a value that the other model does not take stays in its axis, where the row names it", () => {
    const template: Template = {
      name: "x",
      groups: [
        {
          name: "x",
          axes: {
            models: ["gone-1"],
            settings: {},
            parameters: [{ key: "size", values: ["1024x1024", "9x7"] }],
            way: "product",
          },
        },
      ],
    };
    const [group] = openTemplate(template, known, { "gone-1": "lumen" }).groups;
    expect(group?.runs.map((run) => rowProblems(run, SCHEMAS))).toEqual([
      ["Prompt is required."],
      ["Prompt is required.", "Size must be one of: 1024x1024, 1536x1024, 1024x1536."],
    ]);
  });

  it("names its models once, and waits for those that load", () => {
    expect(templateModels(TEMPLATE)).toEqual(["gone-1", "lumen"]);
    expect(openTemplate(TEMPLATE, { ...known, schemas: new Map() }, { "gone-1": "lumen" }).isLoading).toBe(true);
    expect(openTemplate(TEMPLATE, { modelIds: undefined, schemas: SCHEMAS }).missingModels).toEqual([]);
  });

  it("more groups than a batch takes rows are told, and nothing beyond is made", () => {
    const runs = Array.from({ length: 1500 }, () => ({ model: "lumen", payload: { prompt: "fog" } }));
    const axes = {
      models: ["lumen"],
      settings: {},
      parameters: [{ key: "seed", values: runs.map((_, at) => at) }],
      way: "product" as const,
    };
    const opened = openTemplate(
      {
        name: "x",
        groups: [
          { name: "Axes", axes },
          { name: "Listed", runs },
        ],
      },
      known,
    );
    expect(opened.groups.map((group) => group.runs.length)).toEqual([1500, 500]);
    expect(opened.notes).toEqual(["Listed: 1,000 runs are excluded because a batch can have up to 2,000."]);
  });
});
