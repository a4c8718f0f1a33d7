import { describe, expect, it } from "vitest";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { createMediaRows, dropTargets } from "#screens/create/media-inputs.ts";
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

  it("lists full fields apart, since their content would be replaced", () => {
    const payload = { image: "https://a.example/1.png", mask_image: "https://a.example/2.png" };
    expect(keys(dropTargets(schema, payload, "image").full)).toEqual(["image", "mask_image"]);
  });
});

describe("the shape that a run asks for", () => {
  it("comes from the payload, else from the default", () => {
    expect(askedShape(schema, {})).toMatchObject({ ratio: 1, label: "1:1" });
    expect(askedShape(schema, { aspect_ratio: "16:9" })?.ratio).toBeCloseTo(16 / 9);
  });

  it("reads pixels from a size or from width and height, none from a word", () => {
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

const rowsOf = (addresses: string[], most = 9) => {
  const reported: string[][] = [];
  const rows = createMediaRows({ addresses, most, onChange: (next) => reported.push(next) });
  return { rows, reported, addresses: () => rows.get().map(({ address }) => address) };
};
const file = (name: string) => new File(["x"], name);

describe("the inputs of a media field", () => {
  it("start with one empty row, and report only what is given", () => {
    const { rows, reported } = rowsOf([]);
    rows.addEmpty();
    rows.set(rows.get()[1]?.id ?? 0, "https://a.example/1.png");
    expect(reported).toEqual([["https://a.example/1.png"]]);
  });

  it("keep each upload in its own place, whichever ends first", () => {
    const { rows, reported } = rowsOf([]);
    rows.addFiles([file("a"), file("b"), file("c")]);
    const [a, b, c] = rows.get().map(({ id }) => id);
    rows.set(c ?? 0, "c");
    rows.follow(reported.at(-1) ?? []);
    rows.set(a ?? 0, "a");
    rows.follow(reported.at(-1) ?? []);
    rows.set(b ?? 0, "b");
    expect(reported.at(-1)).toEqual(["a", "b", "c"]);
  });

  it("take no more than the field does; a single one is replaced", () => {
    const three = rowsOf(["1"], 3);
    three.rows.addFiles([file("a"), file("b"), file("c")]);
    expect(three.rows.get().map((row) => row.file?.name)).toEqual([undefined, "a", "b"]);
    three.rows.addAddresses(["x"]);
    expect(three.reported).toEqual([["1"]]);
    const one = rowsOf(["1"], 1);
    one.rows.addAddresses(["2", "3"]);
    expect(one.reported).toEqual([["2"]]);
    one.rows.addFiles([file("a")]);
    expect(one.rows.get()).toMatchObject([{ address: "2", file: { name: "a" } }]);
  });

  it("move up and down within their ends, and go one by one", () => {
    const { rows, reported, addresses } = rowsOf(["1", "2", "3"]);
    const [first, , last] = rows.get().map(({ id }) => id);
    rows.move(last ?? 0, -1);
    expect(reported.at(-1)).toEqual(["1", "3", "2"]);
    rows.move(first ?? 0, -1);
    expect(addresses()).toEqual(["1", "3", "2"]);
    for (const { id } of rows.get()) rows.remove(id);
    expect(addresses()).toEqual([""]);
  });

  it("follow a value that was set from outside, such as by a draft", () => {
    const { rows, reported, addresses } = rowsOf(["1", "2"]);
    const [, second] = rows.get();
    rows.follow(["2", "4"]);
    expect(addresses()).toEqual(["2", "4"]);
    expect(rows.get()[0]).toBe(second);
    expect(reported).toEqual([]);
  });
});
