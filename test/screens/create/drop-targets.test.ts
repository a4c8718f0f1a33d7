import { describe, expect, it } from "vitest";
import { refusedAddresses } from "#jobs/job-inputs.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { dropTargets } from "#screens/create/pending-files.ts";
import { askedShape } from "#screens/create/picture-shape.ts";

const schema = readSchema([
  { name: "prompt", type: "string", required: true },
  { name: "mask_image", type: "image", required: false },
  { name: "image", type: "image", required: true },
  { name: "reference_images", type: "array of strings (URLs)", max_items: 2, required: false },
  { name: "audio_url", type: "audio", required: false },
  { name: "aspect_ratio", type: "string", options: ["1:1", "16:9"], default_value: "1:1" },
]);
const keys = (fields: readonly { key: string }[]) => fields.map(({ key }) => key);

describe("where a dropped file goes", () => {
  it("is the first field of its kind with room, a mask last", () => {
    const { free, full } = dropTargets(schema, {}, "image");
    expect(keys(free)[0]).toBe("image");
    expect(keys(free).at(-1)).toBe("mask_image");
    expect(full).toEqual([]);
    expect(keys(dropTargets(schema, {}, "audio").free)).toEqual(["audio_url"]);
    expect(dropTargets(schema, {}, "video").free).toEqual([]);
  });

  it("names full fields apart, since their content would be replaced", () => {
    const payload = { image: "https://a.example/1.png", mask_image: "https://a.example/2.png" };
    expect(keys(dropTargets(schema, payload, "image").full)).toEqual(["image", "mask_image"]);
  });
});

describe("the shape that a run asks for", () => {
  it("comes from the payload, else from the default", () => {
    expect(askedShape(schema, {})).toMatchObject({ ratio: 1, label: "1:1" });
    expect(askedShape(schema, { aspect_ratio: "16:9" })?.ratio).toBeCloseTo(16 / 9);
  });

  it("knows pixels by size, or by width and height; a word says none", () => {
    const sized = readSchema([{ name: "size", type: "string", options: ["1536x1024", "auto"] }]);
    expect(askedShape(sized, { size: "1536x1024" })).toEqual({
      ratio: 1.5,
      pixels: { width: 1536, height: 1024 },
      label: "1536x1024",
    });
    expect(askedShape(sized, { size: "auto" })).toBeUndefined();
    const sides = readSchema([
      { name: "width", type: "integer", default_value: 800 },
      { name: "height", type: "integer", default_value: 600 },
    ]);
    expect(askedShape(sides, { width: 1200 })).toMatchObject({ ratio: 2, label: "1200 × 600" });
  });
});

describe("spec 4.1 rule 4: a host that refused the service", () => {
  const job = (failureReason: string, status = "failed") => ({
    requestId: "1",
    model: "m",
    payload: { image: "https://a.example/1.png", other: "https://b.example/2.png" },
    priceMicroUsd: undefined,
    submittedAtMs: 0,
    status,
    origin: "answered" as const,
    job: {
      requestId: "1",
      model: "m",
      status,
      media: [],
      payload: {},
      createdAtSeconds: 1,
      updatedAtSeconds: 1,
      failureReason,
      raw: {},
    },
  });
  it("is told from the reason of a failed job", () => {
    const named = refusedAddresses([job("Could not fetch the input https://a.example/1.png: the host refused.")]);
    expect([...named]).toEqual(["https://a.example/1.png"]);
    expect(refusedAddresses([job("Failed to download input file.")]).size).toBe(2);
    expect(refusedAddresses([job("The safety filter stopped this generation.")]).size).toBe(0);
    expect(refusedAddresses([job("the host refused", "success")]).size).toBe(0);
  });
});
