import { isRecord } from "#lib/json.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import type { RowChange } from "#storage/row.ts";
import { putChange, type RowKind } from "#storage/typed-rows.ts";

/**
 * `charged` and `refunded` move money. `not-charged` is a proven refusal. `unconfirmed` may or may not be a charge.
 * `absent`: enough looks found no job. `possible-duplicate`: a job that appeared beside the one that was asked for.
 */
export const LEDGER_KINDS = [
  "charged",
  "refunded",
  "not-charged",
  "unconfirmed",
  "absent",
  "possible-duplicate",
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** The evidence of a line: what this studio saw, in one word each. */
export const LEDGER_EVIDENCE = [
  "submit-accepted",
  "found-in-list",
  "probably-ours",
  "status-failed",
  "refused",
  "no-answer",
  "not-in-list",
  "appeared-beside",
  "brought-in",
] as const;
export type LedgerEvidence = (typeof LEDGER_EVIDENCE)[number];

/** One event of the ledger. Amounts are whole micro-USD; undefined where the price is not known. */
export interface LedgerLine {
  id: string;
  atMs: number;
  kind: LedgerKind;
  evidence: LedgerEvidence;
  amountMicroUsd: MicroUsd | undefined;
  model: string | undefined;
  requestId: string | undefined;
  intentId: string | undefined;
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

export const ledgerRows: RowKind<LedgerLine> = {
  store: "ledger",
  version: 1,
  read: (raw) => {
    if (!isRecord(raw) || typeof raw.id !== "string" || typeof raw.atMs !== "number") return undefined;
    const kind = LEDGER_KINDS.find((word) => word === raw.kind);
    const evidence = LEDGER_EVIDENCE.find((word) => word === raw.evidence);
    if (!kind || !evidence) return undefined;
    return {
      id: raw.id,
      atMs: raw.atMs,
      kind,
      evidence,
      amountMicroUsd: isMicroUsd(raw.amountMicroUsd) ? raw.amountMicroUsd : undefined,
      model: text(raw.model),
      requestId: text(raw.requestId),
      intentId: text(raw.intentId),
    };
  },
};

/** Ids make lines idempotent: one charge and one refund per job, one open line per intent, however often it is told. */
export const ledgerId = {
  charge: (accountId: string, requestId: string) => `${accountId}|${requestId}|charge`,
  refund: (accountId: string, requestId: string) => `${accountId}|${requestId}|refund`,
  open: (accountId: string, intentId: string) => `${accountId}|${intentId}|open`,
};

export function ledgerChange(accountId: string, line: LedgerLine): RowChange {
  return putChange(ledgerRows, accountId, line.id, line);
}

export function removeLine(id: string): RowChange {
  return { kind: "remove", store: "ledger", key: id };
}
