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
  const read = (raw: unknown) => readModelDetail(raw, "m");

  it("passes the whole answer on", () => {
    const raw = { success: true, data: { model: { input_schema: { properties: {} } } } };
    expect(read(raw).raw).toBe(raw);
  });

  it.each([
    [{ model: "m", model_type: "Video", brief_description: "", detailed_description: "Long" }],
    [{ Data: { Model: { ModelType: "VIDEO", Description: "Long" } } }],
    [{ result: { latestVersion: { modality: "image-to-video", summary: "Long" } } }],
    [{ data: { type: "model", id: "7", attributes: { category: "text_to_video", "short-description": "Long" } } }],
    [{ modalities: { input: ["text", "image"], output: ["video"] }, info: { description: "Long" } }],
  ])("has type and description under any spelling: %j", (raw) => {
    expect(read(raw)).toMatchObject({ id: "m", type: "video", description: "Long" });
  });

  it("has its display name, unless that is its id in another spelling", () => {
    expect(read({ data: { displayName: "Morning Mist" } }).name).toBe("Morning Mist");
    expect(readModelDetail({ display_name: "Morning Mist" }, "morning-mist").name).toBeUndefined();
    expect(read({ title: "a\u202eb" }).name).toBe("a⟨U+202E⟩b");
  });

  it("takes nothing from the parameters for a name, a type or a price", () => {
    const parameters = [{ name: "prompt", display_name: "Prompt", type: "image", description: "Words", price: 5000 }];
    expect(read({ parameters, input_schema: { title: "Input", description: "x" } })).toMatchObject({
      name: undefined,
      type: undefined,
      description: undefined,
      priceText: undefined,
    });
  });

  it.each<[unknown, string | undefined]>([
    [{ pricing_details: "$0.168 per second", price_info: { price: 1, unit: "x" } }, "$0.168 per second"],
    [{ price_info: { price: 35_000, unit: "image" } }, "$0.035 per image"],
    [{ price_info: { price: 35_000, unit: "per clip" } }, "$0.035 per clip"],
    [{ price_info: { price: 100_000, pricing_type: "", unit: "" } }, "$0.10"],
    [{ price_info: { price: 30_000, pricing_type: "flat", unit: "micro_usd" } }, "$0.03"],
    [{ price_info: { price: 30_000, unit: "per_second", currency: "micro_usd" } }, "$0.03 per second"],
    [{ priceInfo: { amount: 30_000, unit: "1 image" } }, "$0.03 per image"],
    [{ data: { pricing: { price: 0.03, currency: "USD", unit: "/ image" } } }, "$0.03 per image"],
    [{ pricing: { price: "0.03", currency: "usd", billingUnit: "perRequest" } }, "$0.03 per request"],
    [{ model: { Pricing: { Amount: 3, Currency: "usd_cents" } } }, "$0.03"],
    [{ pricing: { amount: { value: 30_000, currency: "micro_usd" } } }, "$0.03"],
    [{ pricing: { per_image: 0.04, currency: "USD" } }, "$0.04 per image"],
    [{ price: "$0.03" }, "$0.03"],
    [{ price: 30_000 }, "$0.03"],
    [{ price: 0.02, currency: "EUR" }, "0.02 EUR"],
    [{ pricing: { price: 5, unit: "credits" } }, "5 credits"],
    [{ price_info: { price: 0.5, unit: "image" } }, "0.5 per image (unknown currency)"],
    [{ price: 2 }, "2 (unknown currency)"],
    [
      {
        pricing: [
          { price: 90_000, unit: "clip" },
          { price: 40_000, unit: "clip" },
        ],
      },
      "from $0.04 per clip",
    ],
    [{ price_info: { price: -1 } }, undefined],
    [{ price_info: {} }, undefined],
    [{}, undefined],
  ])("has its price in words: %j", (raw, text) => {
    expect(read(raw).priceText).toBe(text);
  });

  it.each([null, [], "text"])("is not read from %j", (raw) => {
    expect(() => read(raw)).toThrow(UnreadableAnswerError);
  });
});

describe("a list of models is found in any envelope", () => {
  it.each([
    [{ data: { models: ["a", "b"] } }],
    [{ result: { model_ids: ["a", "b"], total: 2 } }],
    [{ result: { data: { items: [{ id: "a" }, { id: "b" }] } } }],
    [{ object: "list", results: [{ model: "a" }, { modelId: "b" }] }],
    [{ modelIds: ["a", "b"] }],
    [{ models: { a: { type: "image" }, b: { type: "video" } } }],
    [{ items: [{ name: "a" }, { slug: "b" }], next: null }],
  ])("%j", (answer) => {
    expect(readModelIds(answer)).toEqual(["a", "b"]);
    expect(readTextModels(answer).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it.each([
    [{ error: { message: "no" } }],
    [{ hello: 1 }],
    [{ data: { user: { id: "a" } } }],
    [{ data: [{ price: 1 }] }],
    ["a"],
  ])("and none is in %j", (answer) => {
    expect(() => readModelIds(answer)).toThrow("not a list of models");
    expect(() => readTextModels(answer)).toThrow("not a list of models");
  });

  it("null is an empty one, at any depth", () => {
    expect(readModelIds({ data: { models: null } })).toEqual([]);
  });
});
