import { describe, expect, it } from "vitest";
import { cellText, exactCell, readCell } from "#batch/rows/cell-value.ts";
import { makeSafe } from "#lib/read.ts";
import { checkPayload } from "#schema-form/check/check-payload.ts";
import type { Field } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

const schema = readSchema({
  type: "object",
  properties: {
    prompt: { type: "string" },
    caption: { type: ["string", "null"] },
    steps: { type: "integer", minimum: 1 },
    guidance: { type: "number" },
    hd: { type: "boolean" },
    size: { type: "string", enum: ["1024x1024", "square_hd", ""] },
    length: { enum: [5, 10, "10"] },
    tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    image_url: { type: "string", format: "uri" },
    image_urls: { type: "array", items: { type: "string", format: "uri" } },
    box: { type: "object", properties: { w: { type: "integer" } } },
    points: { type: "array", items: { type: "number" } },
    shape: {
      anyOf: [
        { type: "string", enum: ["wide"] },
        { type: "object", properties: { w: { type: "integer" } } },
      ],
    },
    extra: {},
  },
});
const field = (key: string): Field => {
  const found = schema.fields.find((one) => one.key === key);
  if (!found) throw new Error(key);
  return found;
};

describe("a cell", () => {
  it.each([
    ["prompt", "fog", "fog"],
    ["prompt", " fog ", " fog "],
    ["prompt", "", undefined],
    ["prompt", "  ", undefined],
    ["prompt", '""', ""],
    ["prompt", '"quoted words"', '"quoted words"'],
    ["prompt", "null", "null"],
    ["caption", "null", null],
    ["caption", '"null"', "null"],
    ["steps", "41", 41],
    ["steps", " 41 ", 41],
    ["steps", "41 27", "41 27"],
    ["steps", "1.5", 1.5],
    ["guidance", "7,5", 7.5],
    ["guidance", "many", "many"],
    ["steps", "90071992547409931", "90071992547409931"],
    ["hd", "Yes", true],
    ["hd", "0", false],
    ["hd", "perhaps", "perhaps"],
    ["size", "1024X1024", "1024x1024"],
    ["size", "None", ""],
    ["size", "huge", "huge"],
    ["length", "5", 5],
    ["length", "10", 10],
    ["length", '"10"', "10"],
    ["tags", "a; B", ["a", "b"]],
    ["tags", '["a"]', ["a"]],
    ["tags", "a, c", "a, c"],
    ["image_url", " https://a.example/1.png ", "https://a.example/1.png"],
    [
      "image_urls",
      "https://a.example/1.png https://a.example/2.png",
      ["https://a.example/1.png", "https://a.example/2.png"],
    ],
    ["box", '{"w": 3}', { w: 3 }],
    ["box", "{w: 3}", "{w: 3}"],
    ["points", "[1, 2]", [1, 2]],
    ["shape", "wide", "wide"],
    ["shape", '{"w": 1}', { w: 1 }],
    ["extra", "5", 5],
    ["extra", "five", "five"],
    ["box", '{"w": 90071992547409931}', '{"w": 90071992547409931}'],
    ["box", '{"__proto__": {"w": 1}, "w": 2}', { w: 2 }],
  ])("of %s that holds %j is sent as %j", (key, text, value) => {
    expect(readCell(field(key), text)).toEqual(value);
  });

  it.each([
    ["steps", "41 27", "Steps must be a whole number."],
    ["steps", "1.5", "Steps must be a whole number."],
    ["hd", "perhaps", "HD must be on or off."],
    ["size", "huge", "Size must be one of: 1024x1024, square_hd, None."],
    ["tags", "a, c", "Tags must be a list."],
    ["box", "{w: 3}", "Box must be an object."],
  ])("of %s that cannot be read as %j is named by the check", (key, text, message) => {
    const problems = checkPayload(schema, { [key]: readCell(field(key), text) });
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });

  it("on the screen is plain, whatever would be exact", () => {
    expect([cellText(""), cellText(true), cellText(0.5), cellText(null), cellText(undefined)]).toEqual([
      "",
      "On",
      "0.5",
      "null",
      "",
    ]);
    expect(cellText(["https://a.example/1.png", "https://a.example/2.png"])).toBe(
      "https://a.example/1.png https://a.example/2.png",
    );
    expect(cellText("", field("prompt"))).toBe('""');
  });
});

const text = fc.oneof(fc.string(), fc.constantFrom("", " ", '""', "null", '"null"', '"\\"\\""', "true", "5", "[1]"));
const address = fc.webUrl();
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  prompt: text,
  caption: fc.oneof(text, fc.constant(null)),
  steps: fc.integer(),
  guidance: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
  hd: fc.boolean(),
  size: fc.constantFrom("1024x1024", "square_hd", ""),
  length: fc.constantFrom(5, 10, "10"),
  tags: fc.array(fc.constantFrom("a", "b")),
  image_url: address,
  image_urls: fc.array(address, { minLength: 1 }),
  box: fc.record({ w: fc.integer() }),
  points: fc.array(fc.integer()),
  shape: fc.oneof(fc.constant("wide"), fc.record({ w: fc.integer() })),
  extra: fc.oneof(fc.jsonValue({ maxDepth: 2 }), text),
};

it.each(Object.keys(VALUES))("of %s is written so that the value comes back", (key) => {
  fc.assert(
    fc.property(VALUES[key] ?? fc.string(), (value) => {
      const safe: unknown = JSON.parse(JSON.stringify(value));
      makeSafe(safe);
      expect(readCell(field(key), exactCell(safe, field(key)))).toEqual(safe);
      expect(readCell(undefined, exactCell(safe, undefined))).toEqual(safe);
    }),
    { numRuns: cases(200) },
  );
});
