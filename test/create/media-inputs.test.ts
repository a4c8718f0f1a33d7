import { describe, expect, it } from "vitest";
import {
  askedShape,
  droppedUploads,
  dropTargets,
  followRows,
  getMediaItems,
  type MediaRow,
  movedRow,
  withAddresses,
  withAddressIn,
  withEmptyRow,
  withFileIn,
  withFiles,
  withoutRow,
} from "#create/media-inputs.ts";
import { type MediaItem, mediaValue } from "#schema-form/media-value.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

const schema = readSchema([
  { name: "prompt", type: "string", required: true },
  { name: "mask_image", type: "image", required: false },
  { name: "image", type: "image", required: true },
  { name: "reference_images", type: "array of strings (URLs)", max_items: 2, required: false },
  { name: "audio_url", type: "audio", required: false },
  { name: "aspect_ratio", type: "string", options: ["1:1", "16:9"], default_value: "1:1" },
]);
const holding = (values: Record<string, unknown>) => (key: string) => values[key];
const keys = (fields: readonly { key: string }[]) => fields.map(({ key }) => key);

describe("where a dropped file goes", () => {
  it("is the first field of its kind with room, a mask last", () => {
    const { free, full } = dropTargets(schema, holding({}), "image");
    expect(keys(free)[0]).toBe("image");
    expect(keys(free).at(-1)).toBe("mask_image");
    expect(full).toEqual([]);
    expect(keys(dropTargets(schema, holding({}), "audio").free)).toEqual(["audio_url"]);
    expect(dropTargets(schema, holding({}), "video").free).toEqual([]);
  });

  it("lists full fields apart, since their content would be replaced", () => {
    const payload = { image: "https://a.example/1.png", mask_image: "https://a.example/2.png" };
    expect(keys(dropTargets(schema, holding(payload), "image").full)).toEqual(["image", "mask_image"]);
    // So is one that a file is on its way to.
    const coming = mediaValue({ shape: "one" }, [{ upload: "a", replaces: "" }]);
    expect(keys(dropTargets(schema, holding({ image: coming }), "image").full)).toEqual(["image"]);
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

/** The inputs of a field, as its control has them: what it holds follows from them, and they follow what it holds. */
function openField(items: MediaItem[], most = 9) {
  const begun = new Set<string>();
  let rows: readonly MediaRow[] = followRows([], items);
  const start = (one: File, replaces: string) => {
    begun.add(one.name);
    return { upload: one.name, replaces };
  };
  return {
    most,
    begun,
    start,
    rows: () => rows,
    items: () => getMediaItems(rows),
    key: (at: number) => rows[at]?.key ?? 0,
    keys: () => rows.map(({ key }) => key),
    /** What the person did. */
    change(next: readonly MediaRow[]) {
      for (const id of droppedUploads(rows, next)) begun.delete(id);
      rows = next;
    },
    drop(...names: string[]) {
      this.change(withFiles(rows, most, names.map(file), start));
    },
    /** What the form holds has changed. */
    follow(next: MediaItem[]) {
      rows = followRows(rows, next);
    },
    finish(name: string) {
      const at = (item: MediaItem) => (typeof item !== "string" && item.upload === name ? name : item);
      this.follow(getMediaItems(rows).map(at));
    },
  };
}
const file = (name: string) => new File(["x"], name);
const over = (upload: string, address = "") => ({ upload, replaces: address });

describe("the inputs of a media field", () => {
  it("start with one empty input, and hold only what is given", () => {
    const field = openField([]);
    field.change(withEmptyRow(field.rows(), 9));
    field.change(withAddressIn(field.rows(), field.key(1), "https://a.example/1.png"));
    expect(field.items()).toEqual(["https://a.example/1.png"]);
    expect(field.rows()).toHaveLength(2);
  });

  it("keep each upload in its own place, whichever ends first, and each input its key", () => {
    const field = openField([]);
    field.drop("a", "b", "c");
    const keys = field.keys();
    for (const name of ["c", "a", "b"]) field.finish(name);
    expect(field.items()).toEqual(["a", "b", "c"]);
    expect(field.keys()).toEqual(keys);
  });

  it("accept no more than the field does; a single one is replaced", () => {
    const three = openField(["1"], 3);
    three.drop("a", "b", "c");
    expect(three.items()).toEqual(["1", over("a"), over("b")]);
    three.change(withAddresses(three.rows(), 3, ["x"]));
    expect(three.items()).toEqual(["1", over("a"), over("b")]);
    const one = openField(["1"], 1);
    one.change(withAddresses(one.rows(), 1, ["2", "3"]));
    expect(one.items()).toEqual(["2"]);
    one.drop("a");
    expect(one.items()).toEqual([over("a", "2")]);
  });

  it("end an upload that something else takes the place of, and keep what stood there while it lasts", () => {
    const field = openField(["1"], 1);
    const key = field.key(0);
    field.change(withFileIn(field.rows(), key, file("a"), field.start));
    field.change(withFileIn(field.rows(), key, file("b"), field.start));
    expect([...field.begun]).toEqual(["b"]);
    expect(field.items()).toEqual([over("b", "1")]);
    field.change(withAddressIn(field.rows(), key, "2"));
    expect([...field.begun]).toEqual([]);
    field.change(withFileIn(field.rows(), key, file("c"), field.start));
    field.change(withoutRow(field.rows(), key));
    expect([field.items(), [...field.begun]]).toEqual([[], []]);
  });

  it("keep files on their way to a list while its addresses change elsewhere", () => {
    const field = openField(["1", "2"]);
    field.drop("a");
    const [, second, third] = field.keys();
    field.follow(["2", over("a")]);
    field.finish("a");
    expect(field.items()).toEqual(["2", "a"]);
    expect(field.keys()).toEqual([second, third]);
  });

  it("move up and down within their ends, and go one by one", () => {
    const field = openField(["1", "2", "3"]);
    const [first = 0, , last = 0] = field.keys();
    field.change(movedRow(field.rows(), last, -1));
    expect(field.items()).toEqual(["1", "3", "2"]);
    field.change(movedRow(field.rows(), first, -1));
    expect(field.items()).toEqual(["1", "3", "2"]);
    for (const key of field.keys()) field.change(withoutRow(field.rows(), key));
    expect(field.rows().map(({ item }) => item)).toEqual([""]);
  });

  it("follow a value that was set from outside, such as by a draft, and stay while it is the same", () => {
    const field = openField(["1", "2"]);
    const [, second] = field.keys();
    field.follow(["2", "4"]);
    expect(field.items()).toEqual(["2", "4"]);
    expect(field.keys()[0]).toBe(second);
    const rows = field.rows();
    field.follow(["2", "4"]);
    expect(field.rows()).toBe(rows);
    // Somebody is about to write into the last one.
    field.change(withEmptyRow(rows, 9));
    field.follow(["2", "5"]);
    expect(field.rows().map(({ item }) => item)).toEqual(["2", "5", ""]);
  });
});
