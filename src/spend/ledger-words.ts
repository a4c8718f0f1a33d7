// The ledger in words: on the Spend page, and as CSV.
import { csvText } from "#lib/csv-cell.ts";
import { isCharge, type LedgerEvidence, type LedgerKind, type LedgerLine } from "#runs/ledger/ledger.ts";
import type { LineState } from "./spend-filter.ts";
import type { SpendEntry } from "./spend-summary.ts";

/** What happened, by the kind of a line. */
const KIND_WORDS: Record<LedgerKind, string> = {
  charged: "Charged",
  refunded: "Refunded",
  "not-charged": "Not charged",
  unconfirmed: "Unconfirmed",
  absent: "No job found",
  "possible-duplicate": "Possible duplicate",
};

/** How it is known: what this studio saw, never more. */
const EVIDENCE_WORDS: Record<LedgerEvidence, string> = {
  answered: "The service accepted the run",
  recovered: "No reply, but the job was found in the job list",
  probable: "No reply; this job in the list is probably it",
  "status-failed": "Job failed, refunded in full",
  refused: "The service refused the run",
  "no-answer": "No reply; the service may have charged it",
  "not-in-list": "No reply, and no job in the job list",
  duplicate: "A second identical job was created",
  imported: "Imported, price unknown",
  counted: "Counted from its tokens at the list price",
  "no-list-price": "The model list gives no price",
  "no-count": "The service gave no token count",
  sent: "Sent, no complete answer received",
  "broken-off": "The answer was stopped or broke off; the service may have charged it",
};

const PRICE_UNKNOWN = "Price unknown";

/** What happened, with what the amount says of it. */
export function kindWords({ kind, amountMicroUsd }: LedgerLine): string {
  return isCharge({ kind }) && amountMicroUsd === undefined ? PRICE_UNKNOWN : KIND_WORDS[kind];
}

/** What the list can be filtered by. */
export const LINE_STATE_WORDS: Record<LineState, string> = {
  charged: KIND_WORDS.charged,
  refunded: KIND_WORDS.refunded,
  pending: KIND_WORDS.unconfirmed,
  unknown: PRICE_UNKNOWN,
  estimated: "Estimated",
  "not-charged": `${KIND_WORDS["not-charged"]} or not found`,
};

/** How it is known, with the tokens that an answer's amount was counted from. */
export function evidenceText({ evidence, tokens, isEstimated, answerId }: LedgerLine): string {
  if (isEstimated && evidence === "imported") return "Imported, estimated at today’s price";
  if (answerId !== undefined && evidence === "refused") return "The service refused the request";
  if (tokens === undefined || (evidence !== "counted" && evidence !== "no-list-price")) return EVIDENCE_WORDS[evidence];
  const count = (tokens.input + tokens.output).toLocaleString("en-US");
  return evidence === "counted"
    ? `Counted from ${count} tokens at the list price`
    : `${count} tokens; the model list gives no price`;
}

const HEAD = [
  "time_utc",
  "event",
  "how_known",
  "amount_micro_usd",
  "pending_micro_usd",
  "estimated_micro_usd",
  "estimated",
  "model",
  "project",
  "input_tokens",
  "output_tokens",
  "request_id",
  "intent_id",
  "counted_at_utc",
];

/** The amount in the column where it counts: charges are positive, refunds negative. */
function amounts({ line, isEstimated }: SpendEntry): [moved: string, pending: string, estimated: string] {
  const { kind, amountMicroUsd } = line;
  if (amountMicroUsd === undefined) return ["", "", ""];
  if (kind === "unconfirmed") return ["", String(amountMicroUsd), ""];
  // Whatever an entry that moved nothing names, it is no part of the sum.
  const moved = kind === "refunded" ? -amountMicroUsd : isCharge(line) ? amountMicroUsd : 0;
  return isEstimated ? ["", "", String(moved)] : [String(moved), "", ""];
}

/**
 * Lines of the ledger as CSV (RFC 4180), oldest first, amounts in whole micro-USD. The sum of a column of amounts is the
 * figure of the screen.
 */
export function ledgerCsv(entries: readonly SpendEntry[], nameOf: (projectId: string) => string | undefined): string {
  const rows = entries
    .slice()
    .sort((a, b) => a.line.atMs - b.line.atMs)
    .map((entry) => {
      const { line, projectId, isEstimated } = entry;
      return [
        new Date(line.atMs).toISOString(),
        line.kind,
        evidenceText(line),
        ...amounts(entry),
        isEstimated ? "yes" : "",
        line.model ?? "",
        projectId === undefined ? "" : (nameOf(projectId) ?? projectId),
        String(line.tokens?.input ?? ""),
        String(line.tokens?.output ?? ""),
        line.requestId ?? "",
        line.intentId ?? line.answerId ?? "",
        new Date(entry.atMs).toISOString(),
      ];
    });
  return csvText([HEAD, ...rows]);
}
