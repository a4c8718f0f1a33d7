import { expect, test } from "vitest";
import { batchOfForm } from "#create/run/batch-of-form.ts";

test("a form becomes one run, its prompt the first axis and its values the settings", () => {
  const request = { model: "lumen-2", payload: { prompt: "A lamp", size: "768x768" } };
  const batch = batchOfForm(request, "prompt");
  expect(batch.name).toBe("A lamp");
  expect(batch.items.map((item) => item.request)).toEqual([request]);
  expect(batch.items[0]?.priceMicroUsd).toBeUndefined();
  expect(batch.groups[0]?.axes).toEqual({
    models: ["lumen-2"],
    settings: { "lumen-2": { size: "768x768" } },
    parameters: [{ key: "prompt", values: ["A lamp"], text: "A lamp" }],
    way: "product",
  });
});

test("a prompt of several lines stays one prompt", () => {
  const request = { model: "lumen-2", payload: { prompt: "A lamp\nat dusk" } };
  const batch = batchOfForm(request, "prompt");
  expect(batch.items.map((item) => item.request)).toEqual([request]);
  expect(batch.groups[0]?.axes?.parameters).toEqual([{ key: "prompt", values: ["A lamp\nat dusk"] }]);
});

test("alternatives in the prompt are rows at once", () => {
  const batch = batchOfForm({ model: "lumen-2", payload: { prompt: "A {red|blue} lamp" } }, "prompt");
  expect(batch.items.map(({ request }) => request.payload.prompt)).toEqual(["A red lamp", "A blue lamp"]);
});

test("a form without a prompt, and one whose prompt makes too many, are one run as they are", () => {
  const silent = { model: "overture-music", payload: { seconds: 8 } };
  expect(batchOfForm(silent, undefined).items.map(({ request }) => request)).toEqual([silent]);
  const endless = { model: "lumen-2", payload: { prompt: "lamp {1..5000}" } };
  expect(batchOfForm(endless, "prompt").items.map(({ request }) => request)).toEqual([endless]);
});
