// The ledger: its lines, how they are stored, and the changes that write them.
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { asFilledText, asOneOf, asText, isRecord, type JsonRecord } from "#lib/read.ts";
import {
  JOB_ORIGINS,
  type JobOrigin,
  readJobOrigin,
  storedOrigin,
  type TrackedJob,
  trackedKey,
  trackedRows,
  withoutBulk,
} from "#storage/job-records.ts";
import { ROW_VERSIONS } from "#storage/keys.ts";
import type { RowChange } from "#storage/rows.ts";
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

/** Evidence of lines that do not rest on how a job came to be known. */
const OTHER_EVIDENCE = [
  "status-failed",
  "refused",
  "no-answer",
  "not-in-list",
  // For answers of text models, whose price follows from the tokens that the service counts.
  "counted",
  "no-list-price",
  "no-count",
  "sent",
  "broken-off",
] as const;

/** What a line rests on: how its job came to be known, or one of the other kinds of evidence. */
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
  /** What it was spent on. The project may be deleted by now. */
  projectId?: string;
  /** The amount is what such a job costs today, not what was charged: it is shown and summed apart. */
  isEstimated?: true;
  /** One answer of a text model, instead of a job. */
  answerId?: string;
  /** The tokens as the service counted them. Cached ones are among the input. */
  tokens?: LedgerTokens;
  /** For an answer whose amount is not known: the most that it may have cost, as far as that could be estimated. */
  mostMicroUsd?: MicroUsd;
}

/** Tokens of one answer. */
export interface LedgerTokens {
  input: number;
  output: number;
}

const asCount = (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

function readTokens(raw: unknown): LedgerTokens | undefined {
  const input = isRecord(raw) ? asCount(raw.input) : undefined;
  const output = isRecord(raw) ? asCount(raw.output) : undefined;
  return input === undefined || output === undefined ? undefined : { input, output };
}

/** Reads the optional fields of a line. A field that cannot be read is left out. */
function readOptional(
  raw: JsonRecord,
): Pick<LedgerLine, "projectId" | "isEstimated" | "answerId" | "tokens" | "mostMicroUsd"> {
  const projectId = asFilledText(raw.projectId);
  const answerId = asFilledText(raw.answerId);
  const tokens = readTokens(raw.tokens);
  return {
    ...(projectId === undefined ? {} : { projectId }),
    ...(raw.isEstimated === true ? { isEstimated: true } : {}),
    ...(answerId === undefined ? {} : { answerId }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(isMicroUsd(raw.mostMicroUsd) ? { mostMicroUsd: raw.mostMicroUsd } : {}),
  };
}

/** The rows of the ledger, read as untrusted data. */
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
      ...readOptional(raw),
    };
  },
  write: (line) => {
    const origin = readJobOrigin(line.evidence);
    return origin === undefined ? line : { ...line, evidence: storedOrigin(origin, "ledger") };
  },
};

/** Whether a line is about a charge, also where its amount is unknown. */
export const isCharge = ({ kind }: Pick<LedgerLine, "kind">): boolean =>
  kind === "charged" || kind === "possible-duplicate";

/** Ids make lines idempotent: one charge and one refund per job, one open line per intent, however often it is written. */
export const ledgerId = {
  charge: (accountId: string, requestId: string) => `${accountId}|${requestId}|charge`,
  refund: (accountId: string, requestId: string) => `${accountId}|${requestId}|refund`,
  open: (accountId: string, intentId: string) => `${accountId}|${intentId}|open`,
  answer: (accountId: string, answerId: string) => `${accountId}|${answerId}|answer`,
};

/** The change that writes a line, in whatever transaction it belongs to. Writes nothing by itself. */
export function ledgerChange(accountId: string, line: LedgerLine): RowChange {
  return putChange(ledgerRows, accountId, line.id, line);
}

/** The change that removes a line. Writes nothing by itself. */
export function removeLine(id: string): RowChange {
  return { kind: "remove", store: "ledger", key: id };
}

/**
 * The changes that write a tracked job: its row, and its refund once it has failed (spec 3: a failed job is
 * refunded automatically and exactly; the specification promises no refund for a cancelled one). Writes nothing by
 * itself.
 */
export function trackedChanges(accountId: string, tracked: TrackedJob): RowChange[] {
  const key = trackedKey(accountId, tracked.requestId);
  const changes = [putChange(trackedRows, accountId, key, withoutBulk(tracked))];
  if (tracked.status === "failed" && tracked.priceMicroUsd !== undefined) {
    const line = {
      id: ledgerId.refund(accountId, tracked.requestId),
      atMs: tracked.finishedAtMs ?? tracked.submittedAtMs,
      kind: "refunded",
      evidence: "status-failed",
      amountMicroUsd: tracked.priceMicroUsd,
      model: tracked.model,
      requestId: tracked.requestId,
      intentId: undefined,
    } as const;
    changes.push(ledgerChange(accountId, line));
  }
  return changes;
}
