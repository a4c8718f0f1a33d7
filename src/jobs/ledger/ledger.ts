import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { asOneOf, asText, isRecord } from "#lib/read.ts";
import { ROW_VERSIONS } from "#storage/keys.ts";
import type { RowChange } from "#storage/rows.ts";
import { JOB_ORIGINS, type JobOrigin, readJobOrigin, storedOrigin } from "#storage/tracked-jobs.ts";
import { putChange, type RowKind } from "#storage/typed-rows.ts";

/**
 * `charged` and `refunded` move money. `not-charged` is a proven refusal. `unconfirmed` may or may not be a charge.
 * `absent`: enough polls found no job. `possible-duplicate`: a job that appeared beside the one that was asked for.
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

/** What was seen, for lines that are not about how a job came to be known. */
const OTHER_EVIDENCE = ["status-failed", "refused", "no-answer", "not-in-list"] as const;

/** What this studio saw: of a job how it came to be known, else the one thing that the line rests on. */
export const LEDGER_EVIDENCE = [...JOB_ORIGINS, ...OTHER_EVIDENCE] as const;
export type LedgerEvidence = JobOrigin | (typeof OTHER_EVIDENCE)[number];

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

export const ledgerRows: RowKind<LedgerLine> = {
  store: "ledger",
  version: ROW_VERSIONS.ledger,
  isMoney: true,
  read: (raw) => {
    if (!isRecord(raw) || typeof raw.id !== "string" || typeof raw.atMs !== "number") return undefined;
    const kind = asOneOf(raw.kind, LEDGER_KINDS);
    const evidence = readJobOrigin(raw.evidence) ?? asOneOf(raw.evidence, OTHER_EVIDENCE);
    if (!kind || !evidence) return undefined;
    return {
      id: raw.id,
      atMs: raw.atMs,
      kind,
      evidence,
      amountMicroUsd: isMicroUsd(raw.amountMicroUsd) ? raw.amountMicroUsd : undefined,
      model: asText(raw.model),
      requestId: asText(raw.requestId),
      intentId: asText(raw.intentId),
    };
  },
  write: (line) => {
    const origin = readJobOrigin(line.evidence);
    return origin === undefined ? line : { ...line, evidence: storedOrigin(origin, "ledger") };
  },
};

/** Ids make lines idempotent: one charge and one refund per job, one open line per intent, however often it is written. */
export const ledgerId = {
  charge: (accountId: string, requestId: string) => `${accountId}|${requestId}|charge`,
  refund: (accountId: string, requestId: string) => `${accountId}|${requestId}|refund`,
  open: (accountId: string, intentId: string) => `${accountId}|${intentId}|open`,
};

/** The change that writes a line, in whatever transaction it belongs to. Writes nothing by itself. Never throws. */
export function ledgerChange(accountId: string, line: LedgerLine): RowChange {
  return putChange(ledgerRows, accountId, line.id, line);
}

/** The change that removes a line. Writes nothing by itself. Never throws. */
export function removeLine(id: string): RowChange {
  return { kind: "remove", store: "ledger", key: id };
}
