import { describe, expect, it } from "vitest";
import { LONGEST_HELP, readHelp } from "#schema-form/form/read-help.ts";
import fc from "../../setup/fc.ts";

const UNITS = [
  "[",
  "]",
  "(",
  ")",
  "<",
  ">",
  "*",
  "**",
  "***",
  "_",
  "`",
  "``",
  "!",
  "![",
  "[a](",
  "[a](http://",
  "](",
  "[](",
  "[[a]",
  "*a",
  "**a*",
  "* ",
  "- ",
  "\n",
  "\n\n",
  "\n- ",
  "- a\n",
  "\r\n",
  "> ",
  "1. ",
  '"',
  "'",
  "“‘",
  "\\",
  "|",
  " ",
  "\t",
  "a ",
  "a",
  "&",
  "~~",
  "$",
  "#",
  "\u200b",
  "\u202e",
  "👍",
  "`*[(",
  "[*`](https://a.example/",
  "*[`**](",
  "(((((]]]]]",
];

function stepsFor(text: string): number {
  const counter = { steps: 0 };
  readHelp(text, counter);
  return counter.steps;
}

// H9, H19: 100 kB of `[` took 8.3 s.
describe("a help text", () => {
  it.each(UNITS)("of nothing but %j takes steps in proportion to its length", (unit) => {
    for (const length of [1_000, 2_000, 4_000, LONGEST_HELP, 100_000, 1_000_000]) {
      const text = unit.repeat(Math.ceil(length / unit.length));
      expect(stepsFor(text)).toBeLessThan(4 * Math.min(length, LONGEST_HELP) * 4 + 1_000);
    }
  });

  it("of any mix of marks takes steps in proportion to its length", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...UNITS), { maxLength: 6 }),
        fc.integer({ min: 1, max: 800 }),
        (units, times) => {
          const text = units.join("").repeat(times).slice(0, LONGEST_HELP);
          expect(stepsFor(text)).toBeLessThan(16 * text.length + 1_000);
        },
      ),
    );
  });

  it("loses no word of a text that is not too long", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("word", "*", "**", "`", "[", "](", ")", " ", "\n"), { maxLength: 40 }),
        (units) => {
          const shown = readHelp(units.join(""))
            .blocks.flatMap(({ parts }) => parts.map(({ text }) => text))
            .join(" ");
          expect(shown.match(/word/g)?.length ?? 0).toBe(units.filter((unit) => unit === "word").length);
        },
      ),
    );
  });
});
