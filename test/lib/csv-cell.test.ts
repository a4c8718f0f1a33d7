import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCsv } from "#batch/rows/read-csv.ts";
import { csvText, isFormula, withoutFormulaQuote } from "#lib/csv-cell.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";

const SIGNS = [..."=+-@＝＋－＠﹦﹢﹣﹫−\t\r\n"];
/** Blanks and characters without a picture, each of another kind. */
const HIDDEN = [
  ..." \u00A0\u1680\u2003\u2028\u202F\u3000\u0085\v\f\u0001\u007F\u00AD\u034F\u061C\u115F\u180E\u200B\u200D\u200E\u202E\u2060\u2800\u3164",
  ..."\uFE0F\uFEFF\uFFA0\u{E0020}\u{1D173}\uE000\t\r\n",
];
const cellOf = (text: string) => readCsv(csvText([["h"], [`${text}`, "end"]].map((row) => [...row, "end"]))).rows;
/** A cell as a spreadsheet has it, when the marks of the CSV are off. */
const written = (text: string) =>
  csvText([[text]])
    .slice(0, -2)
    .replace(/^"(.*)"$/s, "$1")
    .replaceAll('""', '"');

// H20
describe("a text that a spreadsheet might run", () => {
  it.each(SIGNS)("begins with an apostrophe where it begins with %j", (sign) => {
    expect(written(`${sign}HYPERLINK("x")`)).toMatch(/^'/);
  });

  it("is found behind blanks, hidden characters and marks", () => {
    for (const hidden of [...HIDDEN, "'", '"'])
      for (const sign of SIGNS)
        for (const text of [`${hidden}${sign}1+1`, `${hidden}${hidden}${sign}1+1`, `'${hidden}"${sign}1+1`])
          expect([text, written(text).startsWith("'")]).toEqual([text, true]);
  });

  it("is found where another spreadsheet begins a cell: behind semicolons, tabs and line breaks", () => {
    for (const end of [";", "\t", "\n", "\r\n"])
      for (const hidden of ["", ...HIDDEN.filter((one) => !/[\t\r\n]/.test(one)), "'", '"'])
        for (const sign of SIGNS.filter((one) => !/[\t\r\n]/.test(one))) {
          const text = `a${end}${hidden}${sign}1+1${end}b`;
          // A spreadsheet that takes these for the ends of cells heeds no quotes here.
          const cells = csvText([["first", text, "last"]]).split(/[;\t\r\n]/);
          const begun = cells.filter((cell) => !cell.startsWith("'") && isFormula(cell));
          expect([text, begun]).toEqual([text, []]);
        }
    for (const text of ["a;b", "a\n\nb", "a\r\nb=1", "a\t b"]) expect(written(text)).toBe(text);
  });

  it("is no plain number, and no other text", () => {
    for (const text of ["-5", "-0.25", "5", "a=1", "a -1", "1=1", "", "a", "’=1", " a", "\u200Ba"])
      expect(written(text)).toBe(text);
    for (const text of ["-5+1", "-", " -5", "-5 ", "+5", "-1e5"]) expect(written(text)).toBe(`'${text}`);
  });
});

it("every text is read back as it was, whatever it begins with", () => {
  const unit = fc.constantFrom(...SIGNS, ...HIDDEN, "'", '"', ",", ";", "a", "1", "|", "\u{1F600}");
  // Control characters are taken out of a file that is read, and that is said.
  const text = fc.string({ unit, maxLength: 8 }).filter((one) => !/(?![\t\r\n\u0085])\p{Cc}/u.test(one));
  fc.assert(
    fc.property(text, (one) => {
      expect(cellOf(one).map((row) => row.map(withoutFormulaQuote))[0]?.[0]).toBe(one);
    }),
    { numRuns: cases(500) },
  );
});

it("every CSV of the studio is written here", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const texts = new Map(files.map((name) => [name, readFileSync(`src/${name}`, "utf8")]));
  const makers = [...texts].filter(([, text]) => /\bcsvText\(/.test(text)).map(([name]) => name);
  expect(makers.sort()).toEqual([
    "batch/prices/price-cells.ts",
    "batch/rows/csv-runs.ts",
    "lib/csv-cell.ts",
    "spend/ledger-words.ts",
  ]);
});
