import { describe, expect, it } from "vitest";
import type { JobRequest } from "#api/types.ts";
import { getItemPromptKey, hasSeed, newSeedRuns, newTextRuns, sharedPrompt } from "#batch/sheet/vary-runs.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";

const schema = readSchema([
  { name: "prompt", type: "string", required: true },
  { name: "seed", type: "integer", min_value: 1, max_value: 9 },
]);
const silent = readSchema([{ name: "seconds", type: "integer" }]);
const SCHEMAS: ModelSchemas = new Map([
  ["lumen", { state: "ready", schema, type: "image" }],
  ["silent", { state: "ready", schema: silent, type: "audio" }],
]);
const item = (model: string, payload: JobRequest["payload"]) => ({ request: { model, payload } });

describe("results that are varied", () => {
  it("keep everything but the seed, which is another one, in the field and the bounds of their model", () => {
    const lamp = item("unknown", { prompt: "A lamp", seed: 7, size: "1:1" });
    const requests = newSeedRuns([lamp], SCHEMAS, 3).runs.map(({ request }) => request);
    expect(new Set(requests.map(({ payload }) => payload.seed)).size).toBe(3);
    for (const { model, payload } of requests)
      expect([model, payload]).toEqual(["unknown", { prompt: "A lamp", seed: expect.any(Number), size: "1:1" }]);
    const own = newSeedRuns([item("lumen", { prompt: "A lamp", seed: 70 })], SCHEMAS, 20).runs.map(
      ({ request }) => request,
    );
    expect(own.every(({ payload }) => Number(payload.seed) >= 1 && Number(payload.seed) <= 9)).toBe(true);
    expect(new Set(own.map(({ payload }) => payload.seed)).size).toBeGreaterThan(1);
  });

  it("have a seed by what their model lists, else by what they were made with", () => {
    expect(hasSeed(item("silent", { seconds: 8 }), SCHEMAS)).toBe(false);
    expect(hasSeed(item("unknown", { prompt: "A lamp" }), SCHEMAS)).toBe(false);
    expect(hasSeed(item("unknown", { seed: 7 }), SCHEMAS)).toBe(true);
    expect(newSeedRuns([item("silent", { seconds: 8 })], SCHEMAS, 2).runs).toEqual([
      { request: { model: "silent", payload: { seconds: 8 } } },
      { request: { model: "silent", payload: { seconds: 8 } } },
    ]);
  });

  it("get each text behind their own prompt, or in its place", () => {
    const items = [item("unknown", { prompt: "A lamp", seed: 7 }), item("unknown", { prompt: "A tram", seed: 8 })];
    const prompts = (way: "append" | "replace", text: string) =>
      newTextRuns(items, SCHEMAS, text, way).runs.map(({ request: { payload } }) => [payload.prompt, payload.seed]);
    expect(prompts("append", ", in {rain|snow}")).toEqual([
      ["A lamp, in rain", 7],
      ["A lamp, in snow", 7],
      ["A tram, in rain", 8],
      ["A tram, in snow", 8],
    ]);
    expect(prompts("replace", "A pier")).toEqual([
      ["A pier", 7],
      ["A pier", 8],
    ]);
  });

  it("have one prompt where all have the same, and no other one where one was made without", () => {
    const lamp = item("unknown", { prompt: "A lamp" });
    expect(sharedPrompt([lamp, lamp], SCHEMAS)).toBe("A lamp");
    expect(sharedPrompt([lamp, item("unknown", { prompt: "A tram" })], SCHEMAS)).toBeUndefined();
    expect(getItemPromptKey(item("silent", { seconds: 8 }), SCHEMAS)).toBeUndefined();
    expect(newTextRuns([lamp, item("silent", { seconds: 8 })], SCHEMAS, "A pier", "append")).toEqual({
      runs: [],
      problem: "Some of these results have no prompt.",
    });
    expect(newTextRuns([lamp], SCHEMAS, "{1..5000}", "replace")).toEqual({
      runs: [],
      problem: expect.stringMatching(/\.$/),
    });
  });
});
