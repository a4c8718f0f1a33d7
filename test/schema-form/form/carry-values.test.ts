import { describe, expect, it } from "vitest";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

describe("moving between models", () => {
  const picture = readSchema([
    { name: "prompt", type: "string", required: true },
    { name: "seed", type: "integer" },
    { name: "aspect_ratio", type: "enum", options: ["1:1", "16:9"] },
    { name: "image", type: "image" },
    { name: "steps", type: "integer", min_value: 1, max_value: 100 },
    { name: "style", type: "string" },
  ]);
  const clip = readSchema([
    { name: "text", type: "string", required: true },
    { name: "first_frame", type: "image (URL)" },
    { name: "size", type: "enum", options: ["1024x1024", "1280x720"] },
    { name: "ratio", type: "enum", options: ["16:9", "9:16"] },
    { name: "random_seed", type: "integer" },
    { name: "steps", type: "integer", min_value: 1, max_value: 20 },
    { name: "duration", type: "enum", options: ["5", "10"] },
  ]);

  it("carries equivalent values in the new model's words, and names dropped ones", () => {
    const payload = {
      prompt: "fog",
      seed: 7,
      aspect_ratio: "16:9",
      image: "https://example.com/a.png",
      steps: 50,
      style: "film",
    };
    expect(carryValues(picture, payload, clip)).toEqual({
      payload: { text: "fog", random_seed: 7, ratio: "16:9", first_frame: "https://example.com/a.png" },
      carried: ["Text", "Random seed", "Ratio", "First frame"],
      dropped: ["Steps", "Style"],
    });
  });

  it("carries only listed options, and media in the new model's shape", () => {
    const to = readSchema([
      { name: "images", type: "array of URLs" },
      { name: "duration", type: "integer", min_value: 1, max_value: 8 },
      { name: "aspect_ratio", type: "enum", options: ["9:16"] },
    ]);
    const from = readSchema([
      { name: "image", type: "image" },
      { name: "duration", type: "enum", options: ["5", "10"] },
      { name: "aspect_ratio", type: "enum", options: ["1:1"] },
    ]);
    expect(carryValues(from, { image: "u", duration: "5", aspect_ratio: "1:1" }, to)).toMatchObject({
      payload: { images: ["u"], duration: 5 },
      dropped: ["Aspect ratio"],
    });
  });
});
