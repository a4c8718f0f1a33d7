import type { LedgerLine } from "./ledger-line.ts";
import { EVIDENCE_WORDS } from "./ledger-words.ts";

const HEAD = ["time_utc", "event", "how_known", "amount_micro_usd", "model", "request_id", "intent_id"];

/** A cell that no spreadsheet takes for a formula, and that holds any text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The amount as money moves: charges are positive, refunds negative, everything else moves nothing yet. */
function signed({ kind, amountMicroUsd }: LedgerLine): string {
  if (amountMicroUsd === undefined) return "";
  return String(kind === "refunded" ? -amountMicroUsd : amountMicroUsd);
}

/** The ledger as CSV (RFC 4180), oldest first, amounts in whole micro-USD. */
export function ledgerCsv(lines: readonly LedgerLine[]): string {
  const rows = lines
    .slice()
    .sort((a, b) => a.atMs - b.atMs)
    .map((line) => [
      new Date(line.atMs).toISOString(),
      line.kind,
      EVIDENCE_WORDS[line.evidence],
      signed(line),
      line.model ?? "",
      line.requestId ?? "",
      line.intentId ?? "",
    ]);
  return [HEAD, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
