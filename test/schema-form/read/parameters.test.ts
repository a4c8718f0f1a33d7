import { describe, expect, it } from "vitest";
import type { Field } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

function fieldOf(parameter: Record<string, unknown>): Field {
  const [field] = readSchema([{ name: "x", ...parameter }]).fields;
  if (!field) throw new Error("No field was read.");
  return field;
}

describe("parameter arrays: every variant of in-the-wild 1", () => {
  it.each([
    ["string", "text"],
    ["STRING", "text"],
    ["integer", "number"],
    ["int", "number"],
    ["float", "number"],
    ["double", "number"],
    ["boolean", "boolean"],
    ["bool", "boolean"],
    ["image", "media"],
    ["image (URL)", "media"],
    ["video (URL)", "media"],
    ["audio (URL)", "media"],
    ["string (URL)", "media"],
    ["array of strings (URLs)", "media"],
    ["array of strings", "list"],
    ["integer[]", "list"],
    ["JSON type", "json"],
    ["object", "json"],
    ["color", "colour"],
    ["something new", "json"],
  ])("type %s becomes a %s field", (type, kind) => {
    expect(fieldOf({ type }).kind).toBe(kind);
  });

  it("reads several addresses in one text as text, an archive as file", () => {
    const listed = { name: "image_urls", type: "string", description: "A comma-separated list of input urls" };
    const archive = { name: "image_list", type: "string", description: "Image list (.zip file)" };
    expect(readSchema([listed, archive]).fields).toMatchObject([
      { kind: "text", multiline: true },
      { kind: "media", media: "file" },
    ]);
    const several = { name: "image", type: "image", description: "One picture, or up to 9 in a list." };
    expect(readSchema([several]).fields).toMatchObject([
      { kind: "media", media: "image", shape: "either", maxItems: 9 },
    ]);
  });

  it("reads options under any of their names, exactly as given", () => {
    for (const key of ["options", "enum", "enum_values", "choices", "values"]) {
      expect(fieldOf({ type: "enum", [key]: ["5", 10, "", 0.5] })).toMatchObject({
        kind: "choice",
        options: [{ value: "5" }, { value: 10 }, { value: "", label: "None" }, { value: 0.5 }],
      });
    }
  });

  it("reads options with labels, and numbers as options", () => {
    const options = [
      { value: 0, label: "Creative" },
      { value: 0.5, label: "Natural" },
    ];
    expect(fieldOf({ type: "enum", options })).toMatchObject({ options });
    expect(fieldOf({ type: "string", enum_values: "yes,no" })).toMatchObject({
      options: [{ value: "yes" }, { value: "no" }],
    });
  });

  it("reads bounds under any of their names, also where they are written as strings", () => {
    for (const bounds of [
      { min_value: 1, max_value: 4 },
      { min: "1", max: "4" },
      { minimum: 1, maximum: 4 },
      { ge: 1, le: 4 },
    ]) {
      expect(fieldOf({ type: "integer", ...bounds })).toMatchObject({ kind: "number", integer: true, min: 1, max: 4 });
    }
  });

  // In-the-wild 1, trap 4.
  it("reads default_value and default, and null as a default that can be chosen", () => {
    expect(fieldOf({ type: "float", default_value: 1 }).defaultValue).toBe(1);
    expect(fieldOf({ type: "float", default: 0.5 }).defaultValue).toBe(0.5);
    expect(fieldOf({ type: "audio (URL)", default_value: null })).toMatchObject({ defaultValue: null, nullable: true });
  });

  // In-the-wild 1, trap 1.
  it("reads a string with bounds as a number sent as string", () => {
    expect(fieldOf({ type: "string", min_value: 0, max_value: 1, default_value: "0.5" })).toMatchObject({
      kind: "number",
      asString: true,
    });
  });

  it("reads an enum without options and a missing type as text", () => {
    expect(fieldOf({ type: "enum", default_value: "5" }).kind).toBe("text");
    expect(fieldOf({}).kind).toBe("text");
    expect(fieldOf({ default_value: true }).kind).toBe("boolean");
    expect(fieldOf({ min_value: 4, max_value: 15 }).kind).toBe("number");
  });

  it("accepts one address or several where the listing says so", () => {
    const field = readSchema([{ name: "image", type: "string/array" }]).fields[0];
    expect(field).toMatchObject({ kind: "media", media: "image", shape: "either" });
    const many = readSchema([{ name: "image", type: "image", description: "URL or Base64; up to 9" }]).fields[0];
    expect(many).toMatchObject({ kind: "media", shape: "either", maxItems: 9 });
    const urls = readSchema([{ name: "reference_video", type: "array of URLs", default_value: [] }]).fields[0];
    expect(urls).toMatchObject({ kind: "media", media: "video", shape: "many" });
  });

  it("does not take a conditional requirement for a requirement", () => {
    expect(fieldOf({ type: "string", required: "Conditional" }).required).toBe(false);
    expect(fieldOf({ type: "string", required: "Yes" }).required).toBe(true);
  });

  it.each([
    ["prompt", "string", "prompt"],
    ["text", "string", "prompt"],
    ["negative_prompt", "string", "negative-prompt"],
    ["seed", "integer", "seed"],
    ["n", "integer", "count"],
    ["num_images", "integer", "count"],
    ["aspectRatio", "string", "aspect-ratio"],
    ["ratio", "string", "aspect-ratio"],
    ["size", "string", "size"],
    ["durationSeconds", "integer", "duration"],
    ["first_frame", "image (URL)", "image"],
    ["mask", "string", "mask"],
    ["image_tail", "string", "image"],
    ["img_url", "string (URL)", "image"],
    ["reference_video_urls", "array of strings (URLs)", "video"],
    ["driving_audio", "audio (URL)", "audio"],
    ["person_image.24", "image", "image"],
    ["image_size", "string", "size"],
    ["image_output_format", "string", undefined],
    ["image_guidance_scale", "float", undefined],
    ["audio_sample_rate", "string", undefined],
  ])("guesses what %s (%s) is for: %s", (name, type, role) => {
    expect(readSchema([{ name, type }]).fields[0]?.role).toBe(role);
  });

  it("uses the person's correction of a role", () => {
    const listing = [
      { name: "idea", type: "string" },
      { name: "prompt", type: "string" },
      { name: "src", type: "string" },
    ];
    const { fields } = readSchema(listing, { roles: { idea: "prompt", prompt: "none", src: "image" } });
    expect(fields.map((field) => field.role)).toEqual(["prompt", undefined, "image"]);
    expect(fields[2]).toMatchObject({ kind: "media", media: "image" });
  });

  it("leaves names unchanged", () => {
    const names = ["person_image.24", "a[0]", '"q"', "a b", "__proto__", "constructor", "toString", "", "ä", "7"];
    expect(readSchema(names.map((name) => ({ name, type: "string" }))).fields.map((field) => field.key)).toEqual(names);
  });

  it("reads a documentation table", () => {
    const { fields, reading } = readSchema({
      columns: ["name", "type (as documented)", "required", "default", "constraints"],
      rows: [
        ["prompt", "string", "Yes", "-", "max 2500 characters"],
        ["mode", "enum", "No", '"pro"', "std | pro"],
        ["duration", "enum", "No", '"5"', "3-15"],
        ["stability", "enum", "No", "0.5", "Options: 0.0 (Creative), 0.5 (Natural)"],
        ["cfg_scale", "string", "No", "0.5", "Min: 0, Max: 1"],
        ["(heading)", "", "", "", "more below"],
      ],
    });
    expect(reading).toBe("table");
    expect(fields.map((field) => [field.key, field.kind])).toEqual([
      ["prompt", "text"],
      ["mode", "choice"],
      ["duration", "choice"],
      ["stability", "choice"],
      ["cfg_scale", "number"],
    ]);
    expect(fields[2]).toMatchObject({
      defaultValue: "5",
      options: expect.arrayContaining([{ value: "15", label: "15" }]),
    });
  });
});
