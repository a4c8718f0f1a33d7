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
  const begun = new Map<string, (address: string) => void>();
  const uploads = {
    start(file: File, onStored: (address: string, note: undefined) => void) {
      begun.set(file.name, (address) => onStored(address, undefined));
      return file.name;
    },
    cancel: (upload: string) => void begun.delete(upload),
  };
  const rows = createMediaRows({ addresses, most, uploads, onChange: (next) => reported.push(next) });
  const finish = (name: string) => begun.get(name)?.(name);
  return { rows, reported, begun, finish, addresses: () => rows.get().map(({ address }) => address) };
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
    const { rows, reported, finish } = rowsOf([]);
    rows.addFiles([file("a"), file("b"), file("c")]);
    for (const name of ["c", "a", "b"]) {
      finish(name);
      rows.follow(reported.at(-1) ?? []);
    }
    expect(reported).toEqual([["c"], ["a", "c"], ["a", "b", "c"]]);
  });

  it("take no more than the field does; a single one is replaced", () => {
    const three = rowsOf(["1"], 3);
    three.rows.addFiles([file("a"), file("b"), file("c")]);
    expect(three.rows.get().map((row) => row.upload)).toEqual([undefined, "a", "b"]);
    three.rows.addAddresses(["x"]);
    expect(three.reported).toEqual([["1"]]);
    const one = rowsOf(["1"], 1);
    one.rows.addAddresses(["2", "3"]);
    expect(one.reported).toEqual([["2"]]);
    one.rows.addFiles([file("a")]);
    expect(one.rows.get()).toMatchObject([{ address: "2", upload: "a" }]);
  });

  it("end an upload that something else takes the place of", () => {
    const { rows, begun, addresses } = rowsOf(["1"], 1);
    const [id = 0] = rows.get().map((row) => row.id);
    rows.giveFiles(id, [file("a")]);
    rows.giveFiles(id, [file("b")]);
    expect([...begun.keys()]).toEqual(["b"]);
    rows.set(id, "2");
    expect([...begun.keys()]).toEqual([]);
    rows.giveFiles(id, [file("c")]);
    rows.dropUpload("c");
    expect([addresses(), [...begun.keys()]]).toEqual([["2"], []]);
  });

  it("keep files on their way to a list while its addresses change elsewhere", () => {
    const { rows, reported, finish } = rowsOf(["1", "2"]);
    rows.addFiles([file("a")]);
    rows.follow(["2"]);
    finish("a");
    expect(reported.at(-1)).toEqual(["2", "a"]);
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
