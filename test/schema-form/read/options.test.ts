import { describe, expect, it } from "vitest";
import { readPixels, readRatio } from "#schema-form/read/options.ts";
import { humaniseName } from "#schema-form/read/roles.ts";

describe("options and keys in words", () => {
  it.each([
    ["16:9", 16 / 9],
    ["1280*720", 16 / 9],
    ["1152×896", 1152 / 896],
    ["portrait_16_9", 9 / 16],
    ["square_hd", 1],
    ["2K", undefined],
    ["auto", undefined],
  ])("%s is drawn with the proportions %s", (text, ratio) => {
    expect(readRatio(text)).toBe(ratio);
  });

  it("sizes in pixels are no proportions", () => {
    expect(readPixels("1920*1080")).toEqual({ width: 1920, height: 1080 });
    expect(readPixels("16:9")).toBeUndefined();
  });

  it.each([
    ["num_inference_steps", "Num inference steps"],
    ["personGeneration", "Person generation"],
    ["image_url", "Image URL"],
    ["top_image.25", "Top image"],
    ["__proto__", "Proto"],
    ["", "Unnamed"],
  ])("%s in words is %s", (key, words) => {
    expect(humaniseName(key)).toBe(words);
  });
});
