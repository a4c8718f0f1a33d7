/** How spreadsheets know a formula (H20). The wide signs are those of Chinese and Japanese keyboards. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * A cell of a CSV (RFC 4180) that no spreadsheet takes for a formula, and that holds any text: what looks like one gets an
 * apostrophe in front, which `withoutFormulaQuote` takes off.
 */
function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) || safe.trim() !== safe ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that `csvCell` wrote. */
export function withoutFormulaQuote(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

/** Rows of cells as the text of a CSV, the header among them. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}
