import { describe, expect, it } from "vitest";
import {
  asFilledText,
  asList,
  asLooseNumber,
  asNumber,
  asOneOf,
  asRecord,
  asRecords,
  asText,
  asTexts,
  atPath,
  isRecord,
  makeSafe,
  ownArray,
  ownNumber,
  ownRecord,
  ownString,
  ownValue,
  parseJson,
  sameJson,
  tryParseJson,
} from "#lib/read.ts";
import fc from "../setup/fc.ts";

describe("one value", () => {
  it.each([
    [isRecord, {}, true],
    [isRecord, [], false],
    [isRecord, null, false],
    [asText, "", ""],
    [asText, 1, undefined],
    [asFilledText, "", undefined],
    [asFilledText, " ", " "],
    [asNumber, 0, 0],
    [asNumber, "1", undefined],
    [asNumber, Number.NaN, undefined],
    [asNumber, Number.POSITIVE_INFINITY, undefined],
    [asLooseNumber, "0.5", 0.5],
    [asLooseNumber, " ", undefined],
    [asLooseNumber, "many", undefined],
    [asLooseNumber, null, undefined],
    [asRecord, [1], {}],
    [asList, { length: 1 }, []],
    [asTexts, ["a", 1, "b", null], ["a", "b"]],
    [asRecords, [{}, [], null, { a: 1 }], [{}, { a: 1 }]],
  ] as const)("%o reads %j as %j", (read: (value: unknown) => unknown, value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  it("accepts only the listed words", () => {
    expect(asOneOf("b", ["a", "b"])).toBe("b");
    expect(asOneOf("c", ["a", "b"])).toBeUndefined();
  });

  it("never throws for any value", () => {
    const readers = [asText, asFilledText, asNumber, asLooseNumber, asRecord, asList, asTexts, asRecords];
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const read of readers) expect(() => read(value)).not.toThrow();
      }),
    );
  });
});

describe("fields", () => {
  const source = JSON.parse('{"a":"","b":"text","n":"12","o":{},"l":[1]}');

  it("uses the first name whose value has the right type", () => {
    expect(ownValue(source, "missing", "a")).toBe("");
    expect(ownString(source, "a", "b")).toBe("text");
    expect(ownNumber(source, "b", "n")).toBe(12);
    expect(ownRecord(source, "l", "o")).toEqual({});
    expect(ownArray(source, "o", "l")).toEqual([1]);
  });

  it("never reads the prototype", () => {
    expect(ownValue(source, "constructor", "toString")).toBeUndefined();
    expect(atPath(source, "constructor", "name")).toBeUndefined();
  });

  it("walks a path of keys and positions", () => {
    expect(atPath({ a: [{ b: 1 }] }, "a", 0, "b")).toBe(1);
    expect(atPath({ a: "text" }, "a", "length")).toBeUndefined();
    expect(atPath(undefined, "a")).toBeUndefined();
  });
});

describe("text as JSON", () => {
  it.each([null, undefined, "", "{", "'a'"])("reads nothing from %j", (text) => {
    expect(tryParseJson(text)).toBeUndefined();
  });

  it("reports why a text is no JSON", () => {
    expect(parseJson("[1,]").problem).toMatch(/\S/);
    expect(parseJson("[1]").value).toEqual([1]);
  });

  it("refuses a number that cannot be stored exactly", () => {
    expect(parseJson('{"seed": 9007199254740993}').problem).toBe("The number 9007199254740993 can’t be saved exactly");
    expect(parseJson('{"seed": "9007199254740993"}').problem).toBeUndefined();
  });
});

describe("safety and equality", () => {
  it("drops __proto__ keys at every depth", () => {
    const value = JSON.parse('[{"a":[{"__proto__":{"x":1},"b":1}]}]');
    expect(makeSafe(value)).toBe(true);
    expect(JSON.stringify(value)).toBe('[{"a":[{"b":1}]}]');
  });

  // H6
  it("leaves prototypes unchanged, whatever a text holds and however it is copied", () => {
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    const name = fc.constantFrom("__proto__", "constructor", "prototype", "a", "toString");
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constant(1),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc
          .array(fc.tuple(name, tie("tree")), { maxLength: 4 })
          .map((entries) => new Map(entries as [string, unknown][])),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.boolean(), (made, isEscaped) => {
        const text = written(made);
        const value = tryParseJson(isEscaped ? text.replaceAll("_", "\\u005f").replaceAll('"c', '"\\u0063') : text);
        copyInto({}, value);
        expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
        expect(JSON.stringify(value) ?? "").not.toMatch(/__proto__|constructor|prototype/);
      }),
    );
  });

  it("refuses what is too deep, without recursion", () => {
    expect(makeSafe(JSON.parse(`${"[".repeat(65)}${"]".repeat(65)}`))).toBe(true);
    expect(makeSafe(JSON.parse(`${"[".repeat(66)}${"]".repeat(66)}`))).toBe(false);
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(makeSafe(deep)).toBe(false);
  });

  it("compares by content, keys in any order", () => {
    expect(sameJson({ a: 1, b: [2] }, { b: [2], a: 1.0 })).toBe(true);
    expect(sameJson({ a: 1 }, { a: "1" })).toBe(false);
    expect(sameJson([], {})).toBe(false);
  });
});

function written(value: unknown): string {
  if (value instanceof Map) {
    return `{${[...value].map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`).join()}}`;
  }
  return Array.isArray(value) ? `[${value.map(written).join()}]` : JSON.stringify(value);
}

/** A deep copy as careless code writes it: what `__proto__` and `constructor.prototype` are for. */
function copyInto(target: Record<string, unknown>, source: unknown): void {
  for (const [key, value] of isRecord(source) ? Object.entries(source) : []) {
    const inner = target[key];
    if (isRecord(value) && (isRecord(inner) || typeof inner === "function")) copyInto(inner as never, value);
    else target[key] = value;
  }
}
