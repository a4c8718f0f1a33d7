import { describe, expect, it } from "vitest";
import { expandParts, expandText } from "#batch/rows/text-template.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

describe("a text with alternatives and ranges", () => {
  it.each([
    ["a plain text", ["a plain text"]],
    ["", [""]],
    ["a {red|blue} fox", ["a red fox", "a blue fox"]],
    ["{a|b}{1..2}", ["a1", "a2", "b1", "b2"]],
    ["a {|very }old tree", ["a old tree", "a very old tree"]],
    ["{a|b{1|2}|c}", ["a", "b1", "b2", "c"]],
    ["frame {08..11}", ["frame 08", "frame 09", "frame 10", "frame 11"]],
    ["{1..9..4}", ["1", "5", "9"]],
    ["{3..1}", ["3", "2", "1"]],
    ["{-1..1}", ["-1", "0", "1"]],
    ["{-05..-04}", ["-05", "-04"]],
    ["{a..c}", ["a", "b", "c"]],
    ["{C..A}", ["C", "B", "A"]],
    ["{1..5..0}", ["1", "2", "3", "4", "5"]],
  ])("%j is every text in reading order", (text, texts) => {
    expect(expandText(text)).toEqual({ texts });
  });

  it.each([
    ['{"a": {"b": 1}}', '{"a": {"b": 1}}'],
    ["{}", "{}"],
    ["a } b { c", "a } b { c"],
    ["{a|b", "{a|b"],
    ["a|b", "a|b"],
    ["{a..}", "{a..}"],
    ["{1..2 frames}", "{1..2 frames}"],
    ["\\{a\\|b\\}", "{a|b}"],
    ["C:\\new", "C:\\new"],
    ["{a..B}", "{a..B}"],
    ["{1..99999999999999999999}", "{1..99999999999999999999}"],
  ])("%j is no alternative and stays a text", (text, stays) => {
    expect(expandText(text).texts).toEqual([stays]);
  });

  it("alternatives within JSON are found, and the JSON around them stays", () => {
    expect(expandText('{"style": "{film|ink}"}').texts).toEqual(['{"style": "film"}', '{"style": "ink"}']);
  });

  it.each([
    ["{1..200}{1..200}", /^Too many prompts: 40,000\. A batch can have up to 2,000 runs\.$/],
    ["{1..999999999}".repeat(500), /more than a trillion/],
    ["{a|b}".repeat(10_000), /more than a trillion/],
    [`${"{a|".repeat(60)}b${"}".repeat(60)}`, /up to 40 levels/],
    [`${"x".repeat(30_000)}{1..1000}`, /too long in total/],
  ])("too much of it is told at once, case %#", (text, problem) => {
    const expanded = expandText(text);
    expect(expanded.texts).toEqual([]);
    expect(expanded.problem).toMatch(problem);
    expect(expandParts(text)).toEqual([]);
  });

  it("floods of signs are read once", () => {
    for (const text of ["{", "}", "|", "{}", "{|", "{a..b}", "\\{", "{{|}|"]) {
      expect(expandText(text.repeat(10_000)).texts.length).toBeLessThanOrEqual(MAX_ITEMS);
    }
  });

  it("tells which parts vary", () => {
    expect(expandParts("a {red|blue} fox {1..1}")[1]).toEqual([
      { text: "a ", varies: false },
      { text: "blue", varies: true },
      { text: " fox ", varies: false },
      { text: "1", varies: true },
    ]);
  });
});

type Piece = string | { branches: Piece[][] };

const word = fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "\\{", "\\|", "\\}"), maxLength: 3 });
const pieces = fc.letrec<{ piece: Piece; sequence: Piece[] }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.record({ branches: fc.array(tie("sequence"), { minLength: 2, maxLength: 3 }) }),
  ),
  sequence: fc.array(tie("piece"), { maxLength: 3 }),
}));

const typed = (sequence: readonly Piece[]): string =>
  sequence.map((piece) => (typeof piece === "string" ? piece : `{${piece.branches.map(typed).join("|")}}`)).join("");

/** The product as one would write it down without a bound. */
const naive = (sequence: readonly Piece[]): string[] =>
  sequence.reduce<string[]>(
    (texts, piece) => {
      const options =
        typeof piece === "string" ? [piece.replace(/\\([{}|])/g, "$1")] : piece.branches.flatMap((one) => naive(one));
      return texts.flatMap((text) => options.map((option) => text + option));
    },
    [""],
  );

it("expands as the plain product does, and never more than a batch takes", () => {
  fc.assert(
    fc.property(pieces.sequence, (sequence) => {
      const expected = naive(sequence);
      const { texts, problem } = expandText(typed(sequence));
      if (expected.length > MAX_ITEMS) expect([texts, problem]).toEqual([[], expect.any(String)]);
      else expect(texts).toEqual(expected);
      const parts = expandParts(typed(sequence));
      expect(parts.map((one) => one.map(({ text }) => text).join(""))).toEqual(texts);
    }),
    { numRuns: cases(300) },
  );
});

it("takes any text without throwing, and changes none without signs", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("{", "}", "|", "\\", ".", "1", "a", "-", "0") }), (text) => {
      const { texts, problem } = expandText(text);
      expect(texts.length > 0 || problem !== undefined).toBe(true);
      if (!/[{\\]/.test(text)) expect(texts).toEqual([text]);
    }),
    { numRuns: cases(500) },
  );
});
