import { describe, expect, it } from "vitest";
import { placeIn, placeSteps } from "#schema-form/controls/control-props.ts";
import { followEntries, followPath, withInner } from "#schema-form/controls/inner-path.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import fc from "../setup/fc.ts";

const image = { type: "string", contentMediaType: "image/*" };
const cast = { type: "object", properties: { "a/b": image, weight: { type: "number" } } };
const schema = readSchema({
  type: "object",
  properties: {
    scenes: { type: "array", items: { type: "object", properties: { cast: { type: "array", items: cast } } } },
    named: { type: "object", additionalProperties: image },
    frames: { type: "array", prefixItems: [image, image], items: false, minItems: 2, maxItems: 2 },
    style: { anyOf: [{ type: "string", enum: ["plain", "rough"] }, cast] },
  },
});
const fieldOf = (key: string) => {
  const field = schema.fields.find((one) => one.key === key);
  if (!field) throw new Error(`The schema has no ${key}.`);
  return field;
};
const put = () => "https://files.example/a.png";

describe("the path to a field inside another", () => {
  it("follows entries of lists inside lists", () => {
    const before = [{ cast: [{}] }, { cast: [{ weight: 1 }, { weight: 2 }] }];
    const after = [{ cast: [{ weight: 2 }, { weight: 3 }, { weight: 1 }] }];
    const path = ["1", "cast", "1", "a/b"];
    expect(followPath(fieldOf("scenes"), before, [before[1], before[0]], path)).toEqual(["0", "cast", "1", "a/b"]);
    expect(followPath(fieldOf("scenes"), before, [before[0], ...after], path)).toEqual(["1", "cast", "0", "a/b"]);
    expect(followPath(fieldOf("scenes"), before, [before[0]], path)).toBeUndefined();
    expect(withInner(fieldOf("scenes"), before, path, put)).toEqual([
      { cast: [{}] },
      { cast: [{ weight: 1 }, { weight: 2, "a/b": put() }] },
    ]);
  });

  it("follows a renamed key, and no other", () => {
    expect(followPath(fieldOf("named"), { a: "", b: "" }, { a: "", c: "" }, ["b"])).toEqual(["c"]);
    expect(followPath(fieldOf("named"), { a: "", b: "" }, { a: "" }, ["b"])).toBeUndefined();
  });

  it("makes the other parts of a fixed row as its control does", () => {
    expect(followPath(fieldOf("frames"), undefined, undefined, ["1"])).toEqual(["1"]);
    expect(withInner(fieldOf("frames"), undefined, ["1"], put)).toEqual(["", put()]);
  });

  it("ends where another shape was chosen", () => {
    expect(followPath(fieldOf("style"), {}, { weight: 1 }, ["a/b"])).toEqual(["a/b"]);
    expect(followPath(fieldOf("style"), {}, "plain", ["a/b"])).toBeUndefined();
    expect(withInner(fieldOf("style"), { weight: 1 }, ["a/b"], put)).toEqual({ weight: 1, "a/b": put() });
  });

  it("tells distinct entries apart in any order, with any missing", () => {
    const entries = fc.uniqueArray(fc.integer(), { maxLength: 8 });
    fc.assert(
      fc.property(entries, fc.infiniteStream(fc.nat()), (before, numbers) => {
        const after = before.filter(() => (numbers.next().value ?? 0) % 4 > 0);
        after.sort(() => ((numbers.next().value ?? 0) % 2) - 0.5);
        const found = followEntries(before, after);
        // One entry that is another one now is the same with another content.
        for (const [at, entry] of before.entries()) {
          const place = after.indexOf(entry);
          expect(found[at]).toBe(place < 0 ? undefined : place);
        }
      }),
    );
  });

  it("never sends a file to one of several equal entries of which one is gone", () => {
    expect(followEntries([{}, {}, 1], [{}, 1])).toEqual([undefined, undefined, 1]);
    expect(followEntries([{}, {}], [{}, {}, {}])).toEqual([0, 1]);
    expect(followEntries([{}, 1], [2, 1])).toEqual([0, 1]);
  });

  it("is read back from a place, whatever the keys hold", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (keys) => {
        expect(placeSteps(keys.reduce(placeIn, "f3"))).toEqual(["f3", ...keys]);
      }),
    );
  });
});
