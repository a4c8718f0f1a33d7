import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UnreadableAnswerError } from "#api/api-error.ts";
import { readJson } from "#api/read-body.ts";

describe("the JSON gate", () => {
  it("gives back what JSON says", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        if (!text.includes("__proto__")) expect(JSON.stringify(readJson(text, 200))).toBe(text);
      }),
    );
  });

  it.each(['{"__proto__":{"x":1}}', '{"\\u005f_proto__":{"x":1}}', '[{"a":[{"__proto__":null}]}]'])(
    "drops __proto__ from %s",
    (text) => {
      expect(JSON.stringify(readJson(text, 200))).not.toContain("__proto__");
      expect(Object.getPrototypeOf({})).toBe(Object.prototype);
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    },
  );

  it("keeps a parameter that is called constructor", () => {
    expect(readJson('{"constructor":1}', 200)).toEqual({ constructor: 1 });
  });

  it.each(["", "<html>", "{", "{'a':1}", "undefined", "\0"])("calls %j unreadable", (text) => {
    expect(() => readJson(text, 200)).toThrow(UnreadableAnswerError);
  });

  it("refuses what is absurdly deep, without falling over it", () => {
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    expect(() => readJson(deep, 200)).toThrow(UnreadableAnswerError);
  });

  it("refuses a million values", () => {
    expect(() => readJson(`[${"{},".repeat(1_000_000)}{}]`, 200)).toThrow(UnreadableAnswerError);
  });
});
