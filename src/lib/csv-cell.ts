/** How a text begins that a spreadsheet runs as a formula. The wide signs come from Chinese and Japanese keyboards. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Any text as a cell of a CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front,
 * which `withoutFormulaQuote` takes off again.
 */
function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) || safe.trim() !== safe ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Takes off the apostrophe of `csvCell`. The quotes of the CSV must be off already. */
export function withoutFormulaQuote(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

/** The text of a CSV with these rows; a header is the first of them. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}
