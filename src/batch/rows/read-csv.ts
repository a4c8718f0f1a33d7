import { counted, formatDecimals, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";

export interface CsvProblem {
  /** The line of the file, from 1. */
  line: number;
  message: string;
}

export interface CsvTable {
  header: string[];
  /** Each as long as the header. Empty lines are skipped. */
  rows: string[][];
  /** For each row, the line of the file in which it begins, from 1. */
  lines: number[];
  problems: CsvProblem[];
}

/** Only this many characters of a file are read. */
const MAX_CHARACTERS = 5_000_000;
const MAX_COLUMNS = 500;
/** Problems that are reported one by one. */
const MAX_PROBLEMS = 200;

/**
 * Reads a CSV as a table (RFC 4180; `,` `;` or tab; any line ends). Problems are reported with their lines, and the rest is read:
 * a quotation mark that is never closed is an ordinary character, short rows are filled with empty cells, and values without a
 * column are skipped.
 */
export function readCsv(text: string): CsvTable {
  const problems: CsvProblem[] = [];
  let unreported = 0;
  const report = (line: number, message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ line, message });
    else unreported += 1;
  };
  const { body, separator, firstLine } = prepare(text, report);
  const records = readRecords(body, separator, firstLine, report);

  const first = records.next();
  if (first.done) return { header: [], rows: [], lines: [], problems: [{ line: 1, message: "This file is empty." }] };
  const header = readHeader(first.value, report);
  const rows: string[][] = [];
  const lines: number[] = [];
  let extraRows = 0;
  let lastLine = first.value.line;
  for (const { cells, line } of records) {
    lastLine = line;
    if (rows.length >= MAX_ITEMS) {
      extraRows += 1;
      continue;
    }
    const extraCells = cells.slice(header.length).filter((cell) => cell.trim() !== "");
    if (extraCells.length > 0) {
      const firstExtra = visibleLine(extraCells[0] ?? "", 40);
      report(
        line,
        `This row has ${counted(cells.length, "value")} for ${counted(header.length, "column")}. The values from “${firstExtra}” on are skipped.`,
      );
    } else if (cells.length < header.length) {
      report(line, `This row has ${counted(cells.length, "value")} for ${counted(header.length, "column")}.`);
    }
    rows.push(header.map((_, at) => cells[at] ?? ""));
    lines.push(line);
  }
  if (rows.length === 0) report(lastLine, "This file has a header but no rows.");
  const last: CsvProblem[] = [];
  if (extraRows > 0) {
    const most = formatNumber(MAX_ITEMS);
    last.push({
      line: lastLine,
      message: `A batch can have up to ${most} runs. ${counted(extraRows, "more row is", "more rows are")} skipped.`,
    });
  }
  if (unreported > 0) last.push({ line: lastLine, message: `${counted(unreported, "more problem")} in this file` });
  return { header, rows, lines, problems: [...problems, ...last] };
}

type Report = (line: number, message: string) => void;

/** Finds the separator, and removes the byte order mark, control characters and a `sep=` line. */
function prepare(text: string, report: Report): { body: string; separator: string; firstLine: number } {
  let body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (body.length > MAX_CHARACTERS) {
    const end = body.lastIndexOf("\n", MAX_CHARACTERS);
    body = body.slice(0, end > 0 ? end : MAX_CHARACTERS);
    const [whole, read] = [text, body].map((part) => `${formatDecimals(part.length / 1e6, 1)} million characters`);
    report(1, `This file has ${whole}. Only the first ${read} are read.`);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
  const bare = body.replace(hidden, "");
  if (bare.length < body.length) {
    report(1, `${counted(body.length - bare.length, "control character is", "control characters are")} removed.`);
  }
  const sepLine = /^sep=([,;\t|])(?:\r\n|\n|\r)/i.exec(bare);
  if (sepLine) return { body: bare.slice(sepLine[0].length), separator: sepLine[1] ?? ",", firstLine: 2 };
  return { body: bare, separator: guessSeparator(bare), firstLine: 1 };
}

/** More characters of a first line are not looked at. */
const MAX_FIRST_LINE = 20_000;

/** The separator that is most frequent in the first line, outside quotation marks. */
function guessSeparator(text: string): string {
  const counts = new Map([",", ";", "\t"].map((sign) => [sign, 0]));
  let isQuoted = false;
  for (const sign of text.slice(0, MAX_FIRST_LINE).trimStart()) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === "\n" || sign === "\r")) break;
    else if (!isQuoted && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

interface CsvRecord {
  cells: string[];
  line: number;
}

function readHeader({ cells, line }: CsvRecord, report: Report): string[] {
  let last = cells.length;
  while (last > 1 && cells[last - 1]?.trim() === "") last -= 1;
  const names = cells.slice(0, last);
  if (names.length > MAX_COLUMNS) {
    report(
      line,
      `This file has ${counted(names.length, "column")}. Only the first ${formatNumber(MAX_COLUMNS)} are read.`,
    );
    names.length = MAX_COLUMNS;
  }
  const seen = new Set<string>();
  for (const name of names.map((cell) => cell.trim())) {
    if (name !== "" && seen.has(name)) report(line, `Two columns are called “${visibleLine(name, 40)}”.`);
    seen.add(name);
  }
  return names;
}

const QUOTE = 34;
const SPACE = 32;
const LF = 10;
const CR = 13;

/** Yields the records of a text, except empty ones. */
function* readRecords(text: string, separator: string, firstLine: number, report: Report): Generator<CsvRecord> {
  const sign = separator.charCodeAt(0);
  let at = 0;
  let line = firstLine;
  while (at < text.length) {
    const record: CsvRecord = { cells: [], line };
    let isBlank = true;
    for (let isOpen = true; isOpen; ) {
      const start = startOfQuoted(text, at);
      const close = start === undefined ? undefined : endOfQuoted(text, start, sign);
      let cell: string | undefined;
      if (start !== undefined && close !== undefined) {
        cell = text.slice(start + 1, close).replaceAll('""', '"');
        line += linesIn(text, start, close);
        at = close + 1;
      } else if (start !== undefined) {
        report(line, "A quotation mark in this row is never closed.");
      }
      const end = endOfPlain(text, at, sign);
      const rest = text.slice(at, end);
      // Spaces around quotation marks do not belong to the value.
      if (cell === undefined) cell = rest;
      else if (rest.trim() !== "") {
        report(line, "A quotation mark in this row is followed by more text.");
        cell += rest;
      }
      at = end + 1;
      if (isBlank && cell.trim() !== "") isBlank = false;
      record.cells.push(cell);
      isOpen = text.charCodeAt(end) === sign;
      if (!isOpen) {
        if (text.charCodeAt(end) === CR && text.charCodeAt(at) === LF) at += 1;
        line += 1;
      }
    }
    if (!isBlank) yield record;
  }
}

/** The index of the quotation mark that opens the value at `from`, perhaps after spaces; undefined where it has none. */
function startOfQuoted(text: string, from: number): number | undefined {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return text.charCodeAt(at) === QUOTE ? at : undefined;
}

/**
 * The index of the quotation mark that closes the one at `from`. Undefined where there is none, or where the next one is on another
 * line and followed by more text: then the first was never closed, and the second belongs to another value.
 */
function endOfQuoted(text: string, from: number, separator: number): number | undefined {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) === QUOTE) continue;
    if (linesIn(text, from, at) === 0) return at;
    let next = at + 1;
    while (text.charCodeAt(next) === SPACE) next += 1;
    return next >= text.length || isEnd(text.charCodeAt(next), separator) ? at : undefined;
  }
  return undefined;
}

/** Whether a character ends a value. */
const isEnd = (code: number, separator: number) => code === separator || code === LF || code === CR;

function endOfPlain(text: string, from: number, separator: number): number {
  let at = from;
  while (at < text.length && !isEnd(text.charCodeAt(at), separator)) at += 1;
  return at;
}

function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) count += 1;
  }
  return count;
}

/**
 * Decodes a CSV file: as UTF-8, as UTF-16, which spreadsheets write, else as Latin-1.
 */
export function decodeCsv(bytes: ArrayBuffer): string {
  // UTF-16 has two bytes for a character, after its mark.
  const part = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, MAX_CHARACTERS * 2 + 4));
  const wide = wideEncoding(part);
  if (wide !== undefined) return new TextDecoder(wide).decode(part);
  try {
    // `stream`, because the last character may be cut.
    return new TextDecoder("utf-8", { fatal: true }).decode(part, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(part);
  }
}

/** The kind of UTF-16, recognized by its mark, or because nearly every other byte is zero, as in plain letters. */
function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const start = bytes.subarray(0, 1000);
  const zeros = [0, 1].map((odd) => start.filter((byte, at) => at % 2 === odd && byte === 0).length);
  const half = start.length / 2;
  if (half < 2) return undefined;
  if ((zeros[1] ?? 0) > half * 0.6 && (zeros[0] ?? 0) < half * 0.1) return "utf-16le";
  return (zeros[0] ?? 0) > half * 0.6 && (zeros[1] ?? 0) < half * 0.1 ? "utf-16be" : undefined;
}
