import { describe, expect, it } from "vitest";
import { decodeCsv, readCsv } from "#batch/rows/read-csv.ts";
import { csvText, withoutFormulaQuote } from "#lib/csv-cell.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";
import { cases, isLongSuite } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

describe("a CSV", () => {
  it.each([
    ["commas", "a,b\n1,2\n"],
    ["semicolons", "a;b\r\n1;2"],
    ["tabs", "a\tb\r1\t2\r"],
    ["a mark of the encoding", "\uFEFFa,b\n1,2"],
    ["a line that names the sign", "sep=;\na;b\n1;2"],
    ["blank lines", "\n\na,b\n\n,\n1,2\n\n"],
    ["quotation marks", '"a","b"\n"1", "2" \n'],
    ["trailing commas", "a,b,,\n1,2,,\n"],
  ])("is read with %s", (_name, text) => {
    expect(readCsv(text)).toMatchObject({ header: ["a", "b"], rows: [["1", "2"]], problems: [] });
  });

  it("keeps what quotation marks hold, line ends too", () => {
    const { rows, lines } = readCsv('a,b\n"1,""x""\r\n2",3\n"","4"5\nsay "hi",6');
    expect(rows).toEqual([
      ['1,"x"\r\n2', "3"],
      ["", "45"],
      ['say "hi"', "6"],
    ]);
    expect(lines).toEqual([2, 4, 5]);
  });

  it.each([
    ["", 1, "This file is empty."],
    ["a,b\n", 1, "This file has a header but no rows."],
    ["a,b\n1\n2,3", 2, "This row has 1 value for 2 columns."],
    ["a,b\n1,2,3,4\n", 2, "This row has 4 values for 2 columns. The values from “3” on are skipped."],
    ['a,b\n1,2\n"open,3\n4,5', 3, "A quotation mark in this row is never closed."],
    ["a,b\u0000\n1,2\u0007", 1, "2 control characters are removed."],
    ['a,b\n"1"x,2', 2, "A quotation mark in this row is followed by more text."],
    ["a,a\n1,2", 1, "Two columns are called “a”."],
  ])("%j has its fault named with the line", (text, line, message) => {
    expect(readCsv(text).problems).toContainEqual({ line, message });
  });

  it("a quotation mark that is never closed costs one row its form, and no row", () => {
    expect(readCsv('a,b\n"open,3\n"4",5\n"6,7').rows).toEqual([
      ['"open', "3"],
      ["4", "5"],
      ['"6', "7"],
    ]);
  });

  it("tells how many rows are more than a batch takes, and where a long file is cut", () => {
    const many = readCsv(`a\n${"1\n".repeat(MAX_ITEMS + 3)}`);
    expect(many.rows).toHaveLength(MAX_ITEMS);
    expect(many.problems.at(-1)?.message).toBe("A batch can have up to 2,000 runs. 3 more rows are skipped.");
    const long = readCsv(`a\n${`${"x".repeat(99_999)}\n`.repeat(60)}`);
    expect(long.rows).toHaveLength(49);
    expect(long.problems[0]?.message).toBe(
      "This file has 6.0 million characters. Only the first 4.9 million characters are read.",
    );
  });

  it("a file of nothing but signs is read once, and its problems stay few", () => {
    for (const sign of [",", '"', "\n", '",', '"\n', '""', "\r", ' "', "a\n", '"""\n', ";,\t"]) {
      const { header, problems } = readCsv(sign.repeat(isLongSuite ? 100_000 : 20_000));
      expect(header.length).toBeLessThanOrEqual(500);
      expect(problems.length).toBeLessThan(210);
    }
  });
});

describe("the bytes of a file", () => {
  const utf16 = (text: string, isBig: boolean, hasMark: boolean) => {
    const view = new DataView(new ArrayBuffer((text.length + 1) * 2));
    for (const [at, one] of [...`\uFEFF${text}`].entries()) view.setUint16(at * 2, one.charCodeAt(0), !isBig);
    return view.buffer.slice(hasMark ? 0 : 2);
  };
  it.each([
    ["UTF-8", new TextEncoder().encode("prompt\né→日").buffer, "prompt\né→日"],
    ["UTF-16, little", utf16("prompt\né", false, true), "prompt\né"],
    ["UTF-16, big", utf16("prompt\né", true, true), "prompt\né"],
    ["UTF-16 without its mark", utf16("prompt\nhello", false, false), "prompt\nhello"],
    ["UTF-16, big, without its mark", utf16("prompt\nhello", true, false), "prompt\nhello"],
    ["Latin-1", new Uint8Array([0x61, 0x0a, 0xe9, 0x74, 0xe9]).buffer, "a\nété"],
    ["none", new ArrayBuffer(0), ""],
  ])("are read as %s", (_name, bytes, text) => {
    expect(decodeCsv(bytes as ArrayBuffer)).toBe(text);
  });
});

const hostileCell = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom('"', ",", ";", "\t", "\n", "\r", "'", "=", "\0", "\uFEFF", "a", " ", "\ud800") }),
  fc.constantFrom("=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3", '""', '"', "x".repeat(5000), ",".repeat(2000)),
);
const hostileText = fc.oneof(
  fc
    .array(fc.array(hostileCell, { maxLength: 6 }), { maxLength: 12 })
    .map((rows) => rows.map((row) => row.join(",")).join("\n")),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => decodeCsv(new Uint8Array(bytes).buffer)),
  hostileCell,
);

it("hostile files never throw, and every line that holds something is a row or is named", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const { header, rows, lines, problems } = readCsv(text);
      expect(rows.every((row) => row.length === header.length)).toBe(true);
      expect(lines).toHaveLength(rows.length);
      expect(
        rows.every(
          (row, at) => row.some((cell) => cell.trim() !== "") || problems.some(({ line }) => line === lines[at]),
        ),
      ).toBe(true);
      expect(header.length > 0 || problems.length > 0).toBe(true);
      expect(problems.every(({ line, message }) => line > 0 && message.endsWith("."))).toBe(true);
    }),
    { numRuns: cases(500) },
  );
});

it("what is written as a CSV is read back cell for cell", () => {
  const cell = fc.string({
    unit: fc.constantFrom('"', ",", ";", "\t", "\n", "\r", "a", "é", " ", "'", "=", "-", "1", "\u200B", "＝"),
  });
  const rowsOf = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }));
  fc.assert(
    fc.property(rowsOf, (rows) => {
      // A last column keeps lines from being blank, and the header from being cut.
      const table = [...rows].map((row) => [...row, "end"]);
      const read = readCsv(csvText([["h", ...(rows[0] ?? []).map((_, at) => `${at}`)], ...table]));
      expect(read.rows.map((row) => row.map(withoutFormulaQuote))).toEqual(table);
      expect(read.problems).toEqual([]);
    }),
    { numRuns: cases(200) },
  );
});
