import { describe, expect, it } from "vitest";
import { UnreadableAnswerError } from "#api/api-error.ts";
import { readModelDetail, readModelIds, readTextModels } from "#api/models.ts";

describe("the model list", () => {
  it.each([
    [{ model_ids: ["a", "b c", "a"] }, ["a", "b c"]],
    [{ models: [{ model: "a" }, { id: "b" }] }, ["a", "b"]],
    [
      ["a", "", null, 3, { id: "b" }],
      ["a", "b"],
    ],
    [{ model_ids: null }, []],
    [{ model_ids: [] }, []],
  ])("%j", (raw, ids) => {
    expect(readModelIds(raw)).toEqual(ids);
  });

  it.each([null, "x", {}, { error: "no" }])("is never empty for %j", (raw) => {
    expect(() => readModelIds(raw)).toThrow(UnreadableAnswerError);
  });

  it("keeps the case of ids, which distinguishes models", () => {
    expect(readModelIds({ model_ids: ["Veo3", "veo3"] })).toEqual(["Veo3", "veo3"]);
  });
});

// Spec 4.2: shape not shown.
describe("the text catalogue", () => {
  it.each([
    [{ object: "list", data: [{ id: "v/a" }, { id: "v/b" }, { id: "v/a" }] }, ["v/a", "v/b"]],
    [{ data: ["a"] }, ["a"]],
    [["a"], ["a"]],
    [{ models: ["a"] }, ["a"]],
  ])("%j", (raw, ids) => {
    expect(readTextModels(raw).map(({ id }) => id)).toEqual(ids);
  });

  it("keeps prices and all else in raw", () => {
    const pricing = [{ prompt: "0.0000008" }];
    expect(readTextModels({ data: [{ id: "a", pricing }] })[0]?.raw.pricing).toEqual(pricing);
  });
});

// Spec 2: structure not shown.
describe("a model", () => {
  const parameters = [{ name: "prompt", type: "string", required: true }];

  it("passes the parameter schema on untouched, under any of its names", () => {
    for (const name of ["parameters", "params", "schema", "payload_schema", "input_schema"]) {
      expect(readModelDetail({ model: "m", [name]: parameters }, "m").parameters).toBe(parameters);
    }
    expect(readModelDetail({ model: "m" }, "m").parameters).toBeUndefined();
  });

  it("has type and description", () => {
    const raw = { model: "m", model_type: "Video", brief_description: "", detailed_description: "Long" };
    expect(readModelDetail(raw, "m")).toMatchObject({ id: "m", type: "video", description: "Long" });
  });

  it.each([
    [{ pricing_details: "$0.168 per second", price_info: { price: 1, unit: "x" } }, "$0.168 per second"],
    [{ price_info: { price: 35_000, unit: "image" } }, "$0.035 per image"],
    [{ price_info: { price: 35_000, unit: "per clip" } }, "$0.035 per clip"],
    [{ price_info: { price: 100_000, pricing_type: "", unit: "" } }, "$0.10"],
    [{ price_info: { price: 0.5, unit: "image" } }, undefined],
    [{}, undefined],
  ])("has its price in words: %j", (raw, text) => {
    expect(readModelDetail(raw, "m").priceText).toBe(text);
  });

  it("may come wrapped, and without repeating its id", () => {
    expect(readModelDetail({ model: { id: "m", parameters } }, "m").parameters).toBe(parameters);
    expect(readModelDetail({ parameters }, "asked").id).toBe("asked");
  });

  it.each([null, [], "text"])("is not read from %j", (raw) => {
    expect(() => readModelDetail(raw, "m")).toThrow(UnreadableAnswerError);
  });
});
