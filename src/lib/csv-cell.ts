// What a person does not see, and a spreadsheet may skip: blanks, controls, and what Unicode lets a program ignore.
const HIDDEN = "\\s\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800";
/**
 * How a text begins that a spreadsheet runs as a formula, or might after it has trimmed or retyped it. The wide and small
 * signs come from Chinese and Japanese keyboards, which spreadsheets take as the plain ones.
 */
const SIGNS = "=+\\-@＝＋－＠﹦﹢﹣﹫−";
const FORMULA = new RegExp(`^['"${HIDDEN}]*[${SIGNS}\\t\\r\\n]`, "u");
/**
 * Where a formula begins within a text, for a spreadsheet that takes semicolons or tabs for the ends of cells. It then
 * heeds no quotes behind the first cell, and a line break in a text begins a row.
 */
const INNER = `(?:(?![\\t\\r\\n])['"${HIDDEN}])*[${SIGNS}]`;
const BEFORE_INNER = new RegExp(`(?<=[;\\t\\r\\n])(?=${INNER})`, "gu");
const QUOTED_INNER = new RegExp(`(?<=[;\\t\\r\\n])'(?=${INNER})`, "gu");
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Whether a spreadsheet might run a text as a formula. A plain number below zero is none. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text) && !NUMBER.test(text);
}

/**
 * Any text as a cell of a CSV (RFC 4180). What a spreadsheet would run as a formula gets an apostrophe in front, also
 * within the text. `withoutFormulaQuote` takes them off again.
 */
function csvCell(text: string): string {
  const inner = text.replace(BEFORE_INNER, "'");
  const safe = isFormula(text) ? `'${inner}` : inner;
  return /[",;\t\r\n]/.test(safe) || safe.trim() !== safe ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Takes off the apostrophes of `csvCell`. The quotes of the CSV must be off already. */
export function withoutFormulaQuote(text: string): string {
  return (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text).replace(QUOTED_INNER, "");
}

/** The text of a CSV with these rows; a header is the first of them. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}
