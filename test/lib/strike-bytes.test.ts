import fc from "fast-check";
import { expect, it } from "vitest";
import { createByteStriker, strikeFromText } from "#lib/strike-bytes.ts";

const KEY = "sk/live+3f9c81d2";

it("strikes the key out of bytes, wherever they are cut, and leaves the rest", () => {
  const spellings = [KEY, "sk\\/live+3f9c81d2", encodeURIComponent(KEY), btoa(KEY)];
  const part = fc.constantFrom(...spellings, "sk/live+", "sk", "s", "é🎈", " ", '"');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(300), { maxLength: 10 }), (parts, cuts) => {
      const bytes = new TextEncoder().encode(parts.join(""));
      const striker = createByteStriker(KEY);
      const decoder = new TextDecoder();
      let passed = "";
      let from = 0;
      for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
        passed += decoder.decode(striker.push(bytes.subarray(from, cut)), { stream: true });
        from = cut;
      }
      passed += decoder.decode(striker.end());
      const expected = parts.map((text) => (spellings.includes(text) ? "[key]" : text)).join("");
      expect(passed).toBe(expected);
    }),
  );
});

it("passes bytes on untouched where there is no key", () => {
  const bytes = new Uint8Array([1, 2, 255, 0, 115]);
  expect(createByteStriker("another-key").push(bytes)).toBe(bytes);
});

it("leaves words alone that are too short for a key", () => {
  expect(strikeFromText("a short one", "short")).toBe("a short one");
  expect(strikeFromText(`a "${KEY}" here`, KEY)).toBe('a "[key]" here');
});
