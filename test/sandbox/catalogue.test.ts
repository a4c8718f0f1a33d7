import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { CATALOGUE } from "#sandbox/catalogue/catalogue.ts";
import { openSandbox } from "./sandbox-client.ts";

const wires = CATALOGUE.flatMap((model) => model.parameters.map((parameter) => parameter.wire));

// Spec 2.
describe("generation model list", () => {
  // Spec 4.1.
  it("GET /apikey/models answers an object whose model_ids is an array of strings", async () => {
    const { status, json } = await openSandbox().queue("GET", "/apikey/models");
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(["model_ids"]);
    const ids = json.model_ids as string[];
    expect(ids.every((id) => typeof id === "string")).toBe(true);
    expect(ids.length).toBeGreaterThanOrEqual(14);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("may include a model that is temporarily inactive", async () => {
    const { json } = await openSandbox().queue("GET", "/apikey/models");
    expect(json.model_ids).toContain("lumen-1");
  });

  // Spec 1: generation models.
  it("holds image, video and audio models", async () => {
    expect(new Set(CATALOGUE.map((model) => model.type))).toEqual(new Set(["image", "video", "audio"]));
  });
});

// Spec 2.
describe("generation model", () => {
  // Spec 4.1.
  it("GET /apikey/models/{model_id} gives every listed model's parameter schema and pricing", async () => {
    const { queue } = openSandbox();
    const { json } = await queue("GET", "/apikey/models");
    for (const id of json.model_ids as string[]) {
      const detail = await queue("GET", `/apikey/models/${encodeURIComponent(id)}`);
      expect(detail.status).toBe(200);
      expect(detail.json).toMatchObject({
        model: id,
        model_type: expect.stringMatching(/^(image|video|audio)$/),
        price_info: { price: expect.any(Number), unit: expect.any(String) },
        pricing_details: expect.stringContaining("$"),
      });
      const parameters = detail.json.parameters as JsonRecord[];
      expect(parameters.length).toBeGreaterThan(0);
      for (const parameter of parameters) {
        expect(parameter).toMatchObject({ name: expect.any(String), type: expect.any(String) });
      }
    }
  });

  it("finds ids with a space, a UUID or a slash by their encoded form", async () => {
    const { queue } = openSandbox();
    for (const id of ["Picture Postcard", "0f8e2c1a-6d3b-4e57-9a10-c4b7d5e8f921", "studio/Portrait.v3"]) {
      const detail = await queue("GET", `/apikey/models/${encodeURIComponent(id)}`);
      expect(detail.json.model).toBe(id);
    }
  });

  it("takes ids as case-sensitive", async () => {
    const { status } = await openSandbox().queue("GET", "/apikey/models/Lumen-2");
    expect(status).toBe(404);
  });

  it("has text-prompt keys named text for some models and prompt for others", () => {
    const names = wires.map((wire) => wire.name);
    expect(names).toContain("text");
    expect(names).toContain("prompt");
  });
});

// In-the-wild 1.
describe("the oddities of real parameters", () => {
  const has = (title: string, found: (wire: (typeof wires)[number]) => boolean) =>
    it(title, () => expect(wires.some(found)).toBe(true));

  has(
    "an enum of digit strings",
    (wire) => wire.options?.every((option) => /^\d+$/.test(String(option)) && typeof option === "string") ?? false,
  );
  has("an enum of numbers", (wire) => wire.options?.every((option) => typeof option === "number") ?? false);
  has(
    "an empty string that is an option and the default",
    (wire) => wire.default_value === "" && wire.options?.includes("") === true,
  );
  has("a number typed as a string", (wire) => wire.type === "string" && wire.min_value === 0 && wire.max_value === 1);
  has("null as a default", (wire) => wire.default_value === null);
  has("a seed whose -1 means random", (wire) => wire.name === "seed" && wire.min_value === -1);
  has("a name with a dot", (wire) => wire.name.includes("."));
  has("a size written with an asterisk", (wire) => wire.options?.includes("1920*1080") === true);
  has("a list typed JSON type", (wire) => wire.type === "JSON type");
  has("a parameter required on a condition", (wire) => wire.required === "Conditional");
  has(
    "a parameter required although it has a default",
    (wire) => wire.required === true && wire.default_value !== undefined,
  );
  has("a camelCase name", (wire) => wire.name === "durationSeconds");
  has("an address or a list of addresses", (wire) => wire.type === "string/array");
  has("a parameter without a display name", (wire) => wire.display_name === undefined);
});
