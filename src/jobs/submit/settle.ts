import type { Job } from "#api/types.ts";
import type { RowChange } from "#storage/row.ts";
import type { TrackedOrigin } from "#storage/tracked-jobs.ts";
import { type LedgerEvidence, ledgerChange, ledgerId, removeLine } from "../ledger/ledger-line.ts";
import { trackedChanges, withTold } from "../track-job.ts";
import { moveIntent } from "./outbox.ts";
import type { OutboxRow } from "./outbox-row.ts";
import type { SubmitEffects } from "./submit-effects.ts";
import type { AcceptedHow, Refusal } from "./submit-state.ts";

/** How long after settling the job list is searched for jobs that the network made beside ours. */
export const AUDIT_AFTER_MS = 120_000;
const SHORTEST_AUDIT_MS = 10_000;

const EVIDENCE: Record<AcceptedHow, LedgerEvidence> = {
  answered: "submit-accepted",
  recovered: "found-in-list",
  probable: "probably-ours",
};

/** Everything one claimed job changes: it is watched from now on, and its charge is in the ledger. */
export function claimChanges(
  accountId: string,
  row: OutboxRow,
  job: Job,
  origin: TrackedOrigin,
  evidence: LedgerEvidence,
  nowMs: number,
): RowChange[] {
  const tracked = {
    requestId: job.requestId,
    model: row.request.model,
    payload: row.request.payload,
    priceMicroUsd: row.priceMicroUsd,
    submittedAtMs: row.sentAtMs,
    status: job.status,
    origin,
  };
  const line = {
    id: ledgerId.charge(accountId, job.requestId),
    atMs: row.sentAtMs,
    kind: origin === "duplicate" ? "possible-duplicate" : "charged",
    evidence,
    amountMicroUsd: row.priceMicroUsd,
    model: row.request.model,
    requestId: job.requestId,
    intentId: row.intentId,
  } as const;
  return [ledgerChange(accountId, line), ...trackedChanges(accountId, withTold(tracked, job, nowMs))];
}

/** A failed job was refunded exactly (spec 3). */
export const chargedIds = (jobs: readonly Job[]) =>
  jobs.filter(({ status }) => status !== "failed").map(({ requestId }) => requestId);

/**
 * The intent has its job: ledger, watch list and outbox change together, before any screen does. Idempotent: an intent
 * that was settled with a job keeps it.
 */
export async function settleAccepted(
  fx: SubmitEffects,
  intentId: string,
  jobs: [Job, ...Job[]],
  how: AcceptedHow,
): Promise<OutboxRow | undefined> {
  const now = fx.nowMs();
  return moveIntent(
    fx,
    intentId,
    (row) => {
      const [job, ...others] = jobs.filter(({ requestId }) => !row.requestIds.includes(requestId));
      if (!job || row.state === "accepted") return undefined;
      return {
        row: {
          ...row,
          state: "accepted",
          how,
          requestIds: [job.requestId, ...others.map(({ requestId }) => requestId)],
          settledAtMs: now,
          // Counted from the end of the attempt: what was already spent looking is part of it.
          auditDueAtMs: now + Math.max(SHORTEST_AUDIT_MS, AUDIT_AFTER_MS - row.waitedMs),
        },
        charged: chargedIds([job, ...others]),
        more: [
          removeLine(ledgerId.open(fx.accountId, intentId)),
          ...claimChanges(fx.accountId, row, job, how === "answered" ? "submitted" : how, EVIDENCE[how], now),
          ...others.flatMap((other) => claimChanges(fx.accountId, row, other, "duplicate", "appeared-beside", now)),
        ],
      };
    },
    ["ledger", "jobs"],
  );
}

/** A line for an intent without a job, under one id, so that each outcome replaces the one before. */
function openLine(
  accountId: string,
  row: OutboxRow,
  kind: "not-charged" | "unconfirmed" | "absent",
  atMs: number,
): RowChange {
  const evidence = { "not-charged": "refused", unconfirmed: "no-answer", absent: "not-in-list" } as const;
  return ledgerChange(accountId, {
    id: ledgerId.open(accountId, row.intentId),
    atMs,
    kind,
    evidence: evidence[kind],
    amountMicroUsd: kind === "unconfirmed" ? row.priceMicroUsd : 0,
    model: row.request.model,
    requestId: undefined,
    intentId: row.intentId,
  });
}

/**
 * The service refused. With a plain body the refusal may be the answer to the second delivery of a POST whose first one
 * made a job, so an audit follows there too.
 */
export async function settleRejected(
  fx: SubmitEffects,
  intentId: string,
  refusal: Refusal,
  from: "sending" | "retrying" = "sending",
): Promise<void> {
  const now = fx.nowMs();
  await moveIntent(
    fx,
    intentId,
    (row) => {
      if (row.state !== from && row.state !== "retrying") return undefined;
      const auditDueAtMs = row.bodyKind === "plain" ? now + AUDIT_AFTER_MS : undefined;
      return {
        row: { ...row, state: "rejected", refusal, settledAtMs: now, auditDueAtMs },
        more: [openLine(fx.accountId, row, "not-charged", now)],
      };
    },
    ["ledger"],
  );
}

/** No readable answer: the service may hold a charged job. */
export async function markUnconfirmed(fx: SubmitEffects, intentId: string, surelyCharged: boolean): Promise<void> {
  await moveIntent(
    fx,
    intentId,
    (row) =>
      row.state === "sending"
        ? {
            row: { ...row, state: "unconfirmed", surelyCharged, goodLooks: 0, waitedMs: 0 },
            more: [openLine(fx.accountId, row, "unconfirmed", row.sentAtMs)],
          }
        : undefined,
    ["ledger"],
  );
}

/** Enough looks over enough time found no job. */
export async function markAbsent(fx: SubmitEffects, intentId: string, goodLooks: number, waitedMs: number) {
  const now = fx.nowMs();
  return moveIntent(
    fx,
    intentId,
    (row) =>
      row.state === "unconfirmed"
        ? {
            row: { ...row, state: "absent", goodLooks, waitedMs, settledAtMs: now },
            more: [openLine(fx.accountId, row, "absent", now)],
          }
        : undefined,
    ["ledger"],
  );
}
