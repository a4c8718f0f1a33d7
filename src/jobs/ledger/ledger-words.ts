// The ledger in words: on the Spend page, and as CSV. Apart from `ledger.ts`, which every first load needs.
import type { LedgerEvidence, LedgerKind, LedgerLine } from "./ledger.ts";

/** What happened, by the kind of a line. */
export const KIND_WORDS: Record<LedgerKind, string> = {
  charged: "Charged",
  refunded: "Refunded",
  "not-charged": "Not charged",
  unconfirmed: "Unconfirmed",
  absent: "No job found",
  "possible-duplicate": "Possible duplicate",
};

/** How it is known: what this studio saw, never more. */
export const EVIDENCE_WORDS: Record<LedgerEvidence, string> = {
  answered: "The service accepted the run",
  recovered: "No reply, but the job was found in the job list",
  probable: "No reply; this job in the list is probably it",
  "status-failed": "Job failed, refunded in full",
  refused: "The service refused the run",
  "no-answer": "No reply; the service may have charged it",
  "not-in-list": "No reply, and no job in the job list",
  duplicate: "A second identical job was created",
  imported: "Imported, price unknown",
};

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

/** The ledger as CSV (RFC 4180), oldest first, amounts in whole micro-USD. Never throws. */
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

/** Said once on each screen that shows money (spec 4.1 rule 1): what is shown is not all that is spent. */
export const SHARED_BALANCE = "Other users of your organization share this balance.";
