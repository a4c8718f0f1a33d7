import type { LedgerEvidence, LedgerKind } from "./ledger-line.ts";

/** What a line says happened. */
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
  "submit-accepted": "the service accepted the submit",
  "found-in-list": "its answer was lost and the job was found in the job list",
  "probably-ours": "its answer was lost; this job in the list is the likely match",
  "status-failed": "the job failed, and the service refunds failed jobs exactly",
  refused: "the service refused the submit",
  "no-answer": "no answer came; the service may have charged it",
  "not-in-list": "no answer came, and the job list shows no job for it",
  "appeared-beside": "another job appeared beside the one that was asked for",
  "brought-in": "brought in from elsewhere; its price is not known here",
};
