import { expect, test } from "vitest";
import { wordDiff } from "#create/improve/word-diff.ts";
import fc from "../../setup/fc.ts";

test("a diff holds both texts completely and marks only the differences", () => {
  expect(wordDiff("a red boat", "a small red boat")).toEqual([
    { kind: "same", text: "a " },
    { kind: "new", text: "small " },
    { kind: "same", text: "red boat" },
  ]);
  const words = fc.array(fc.constantFrom("a", "b", " ", "\n", "é", ".", "🚤")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(words, words, (before, after) => {
      const parts = wordDiff(before, after);
      const without = (kind: string) =>
        parts
          .filter((part) => part.kind !== kind)
          .map(({ text }) => text)
          .join("");
      expect(without("new")).toBe(before);
      expect(without("gone")).toBe(after);
      if (before === after) expect(parts.every(({ kind }) => kind === "same")).toBe(true);
    }),
  );
});

test("texts that share hardly anything are shown whole, the old one before the new one", () => {
  const many = (word: string) => Array.from({ length: 2000 }, (_, at) => `${word}${at}`).join(" ");
  expect(wordDiff(many("a"), many("b"))).toEqual([
    { kind: "gone", text: many("a") },
    { kind: "new", text: many("b") },
  ]);
  const long = many("a");
  expect(wordDiff(long, `${long} more`)).toEqual([
    { kind: "same", text: long },
    { kind: "new", text: " more" },
  ]);
});
