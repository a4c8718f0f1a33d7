import { describe, expect, test } from "vitest";
import { findEntries, getSearchWords, isNear, markedParts } from "#app/palette/find-entries.ts";
import fc from "../../setup/fc.ts";

const entries = [
  { label: "Download", words: "save file" },
  { label: "Choose model", detail: "now lumen-2" },
  { label: "Run lumen-2" },
  { label: "Go to History" },
  { label: "Volume of the finish sound" },
];
const found = (query: string) => findEntries(entries, getSearchWords(query)).map(({ label }) => label);

describe("a search in the palette", () => {
  test("the beginning leads, then the beginning of a word, then any place, then the words beside", () => {
    expect(found("lum")).toEqual(["Run lumen-2", "Volume of the finish sound", "Choose model"]);
    expect(found("run")).toEqual(["Run lumen-2"]);
    expect(found("go to")).toEqual(["Go to History"]);
  });

  test("every word must be somewhere, in any order", () => {
    expect(found("lumen run")).toEqual(["Run lumen-2"]);
    expect(found("model lumen")).toEqual(["Choose model"]);
    expect(found("run history")).toEqual([]);
  });

  test("initials and one wrong letter count where nothing else fits", () => {
    expect(found("cm")).toEqual(["Choose model"]);
    expect(found("dwonload")).toEqual(["Download"]);
    expect(found("histroy")).toEqual(["Go to History"]);
    expect(found("downlaod file")).toEqual(["Download"]);
    expect(found("xyzw")).toEqual([]);
  });

  test("accents and case do not matter", () => {
    expect(findEntries([{ label: "Réglages" }], getSearchWords("REGL"))).toHaveLength(1);
  });

  test("a word is near any other that differs in one letter", () => {
    const word = fc.stringMatching(/^[a-z]{5,12}$/);
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom("x", ""), (whole, place, letter) => {
        const at = place % whole.length;
        expect(isNear(whole, whole.slice(0, at) + letter + whole.slice(at + 1))).toBe(true);
      }),
    );
    expect(isNear("history", "mystery")).toBe(false);
  });
});

describe("the marks of a search", () => {
  test("stand on what was typed and leave the text as it is", () => {
    expect(markedParts("A column of smoke", ["lum"])).toEqual([
      { text: "A co", isMarked: false },
      { text: "lum", isMarked: true },
      { text: "n of smoke", isMarked: false },
    ]);
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), (text, words) => {
        const parts = markedParts(text, words.flatMap(getSearchWords));
        expect(parts.map((part) => part.text).join("")).toBe(text);
      }),
    );
  });
});
