import { expect, it } from "vitest";
import { createByteStriker, strikeFromText } from "#lib/strike-bytes.ts";
import fc from "../setup/fc.ts";

const KEY = "sk/live+3f9c81d2";

/** The text after a striker, given to it in parts that end at the cuts. */
function struck(text: string, cuts: number[], key = KEY): string {
  const bytes = new TextEncoder().encode(text);
  const striker = createByteStriker(key);
  const decoder = new TextDecoder();
  let passed = "";
  let from = 0;
  for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    passed += decoder.decode(striker.push(bytes.subarray(from, cut)), { stream: true });
    from = cut;
  }
  return passed + decoder.decode(striker.end());
}

const hexOf = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(2, "0"));
const cuts = fc.array(fc.nat(300), { maxLength: 10 });

it("strikes the key out of bytes, wherever they are cut, and leaves the rest", () => {
  const spellings = [
    KEY,
    "sk\\/live+3f9c81d2",
    encodeURIComponent(KEY),
    encodeURIComponent(KEY).toLowerCase(),
    encodeURIComponent(encodeURIComponent(KEY)),
    hexOf(KEY)
      .map((code) => `%${code}`)
      .join(""),
    hexOf(KEY)
      .map((code) => `\\u00${code}`)
      .join(""),
    hexOf(KEY)
      .map((code) => `&#x${code};`)
      .join(""),
    hexOf(KEY).join(""),
    btoa(KEY),
  ];
  const part = fc.constantFrom(...spellings, "sk/live+", "sk", "%", "é🎈", " ", '"');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), cuts, (parts, cuts) => {
      const expected = parts.map((text) => (spellings.includes(text) ? "[key]" : text)).join("");
      expect(struck(parts.join(""), cuts)).toBe(expected);
    }),
  );
});

it("finds the key where each character is escaped in a way of its own", () => {
  const escaped = fc.tuple(
    ...Array.from(KEY, (letter) => {
      const code = letter.charCodeAt(0).toString(16);
      return fc.constantFrom(
        letter,
        `%${code}`,
        `%${code.toUpperCase()}`,
        `\\u00${code}`,
        `&#${letter.charCodeAt(0)};`,
      );
    }),
  );
  fc.assert(
    fc.property(escaped, cuts, (letters, cuts) => {
      expect(struck(`<${letters.join("")}>`, cuts)).toBe("<[key]>");
    }),
  );
});

it("leaves next to nothing of the key in base64 of a longer text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii", maxLength: 9 }), fc.string({ maxLength: 9 }), cuts, (a, b, cuts) => {
      const around = new TextEncoder().encode(`${a}${KEY}${b}`);
      const shown = struck(Buffer.from(around).toString("base64"), cuts);
      expect(shown).toContain("[key]");
      for (const piece of shown.split("[key]")) {
        const read = Buffer.from(piece, "base64").toString("latin1");
        for (let at = 0; at + 4 <= KEY.length; at += 1) expect(read).not.toContain(KEY.slice(at, at + 4));
      }
    }),
  );
});

it("passes bytes on untouched where there is no key", () => {
  const bytes = new Uint8Array([1, 2, 255, 0, 115]);
  expect(createByteStriker("another-key").push(bytes)).toBe(bytes);
});

it("reads a text of nothing but beginnings of the key once", () => {
  const text = KEY.slice(0, 4).repeat(2_000);
  let reads = 0;
  const bytes = new Proxy(new TextEncoder().encode(text), {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) reads += 1;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  createByteStriker(KEY).push(bytes);
  expect(reads).toBeLessThan(40 * text.length);
});

it("leaves words alone that are too short for a key", () => {
  expect(strikeFromText("a short one", "short")).toBe("a short one");
  expect(strikeFromText(`a "${KEY}" here`, KEY)).toBe('a "[key]" here');
});
