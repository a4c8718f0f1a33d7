import { describe, expect, it } from "vitest";
import { createKeyFilter, holdsKey, shapeOfKey, strikeKey } from "#lib/key-shape.ts";
import fc from "../setup/fc.ts";

const KEY = "sk-live-3f9c81d27b6e4a50";
const shape = shapeOfKey(KEY);

/** The text, given to a filter in parts that end at the cuts. */
function filtered(text: string, cuts: number[]): string {
  const filter = createKeyFilter(shape);
  let from = 0;
  let shown = "";
  for (const cut of [...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]) {
    shown += filter.push(text.slice(from, cut));
    from = cut;
  }
  return shown + filter.end();
}

describe("a text with the key in it", () => {
  const around = fc.array(fc.constantFrom("sk-live-", "sk-live", "a", " ", "\n", KEY.slice(0, 12), "é", "🎈"), {
    maxLength: 6,
  });

  it("loses the key, and nothing else, wherever it is cut", () => {
    fc.assert(
      fc.property(around, around, fc.array(fc.nat(200), { maxLength: 12 }), (before, after, cuts) => {
        const [start, rest] = [before.join(""), after.join("")];
        const expected = `${start}[key]${rest}`;
        const shown = filtered(`${start}${KEY}${rest}`, cuts);
        // The first seven characters of the key may have been shown before it could be known.
        const leaks = Array.from({ length: 8 }, (_, length) => `${start}${KEY.slice(0, length)}[key]${rest}`);
        expect([expected, ...leaks]).toContain(shown);
        expect(shown).not.toContain(KEY);
      }),
    );
  });

  it("is given out at once where nothing looks like the key", () => {
    const filter = createKeyFilter(shape);
    expect(filter.push("Hello, wor")).toBe("Hello, wor");
    expect(filter.push("ld")).toBe("ld");
    expect(filter.end()).toBe("");
  });

  it("holds back what begins as the key does, and gives it out when it goes on otherwise", () => {
    const filter = createKeyFilter(shape);
    expect(filter.push(`a ${KEY.slice(0, 12)}`)).toBe("a ");
    expect(filter.push("XYZ and more than a whole key is long")).toBe(
      `${KEY.slice(0, 12)}XYZ and more than a whole key is long`,
    );
  });

  it("is recognized, quoted or not", () => {
    expect(holdsKey(`curl -H "Authorization: Bearer ${KEY}"`, shape)).toBe(true);
    expect(holdsKey(`curl -H "Authorization: Bearer ${KEY.slice(0, -1)}x"`, shape)).toBe(false);
    expect(strikeKey(`${KEY}${KEY} ${KEY}`, shape)).toBe("[key][key] [key]");
  });
});

it("a key that is only a word is not looked for, and its shape tells its length alone", () => {
  expect(shapeOfKey("sandbox-key")).toEqual({ length: 11, start: 0, whole: 0 });
  expect(holdsKey("the sandbox-key", shapeOfKey("sandbox-key"))).toBe(false);
});
