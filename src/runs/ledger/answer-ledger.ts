// Answers of text models in the ledger: a line from the moment a request is sent, settled when it ends.

import type { MicroUsd } from "#lib/money.ts";
import { dayStart } from "#lib/time.ts";
import {
  type BrokenCap,
  findExceededLimit,
  type Reservations,
  withoutHold,
  withReservation,
} from "#runs/rules/limits.ts";
import type { RowStore, StoredRow } from "#storage/rows.ts";
import { type LedgerLine, type LedgerTokens, ledgerChange, ledgerId, ledgerRows } from "./ledger.ts";
import { readProjects } from "./projects.ts";
import {
  checkStoredLimits,
  limitsKey,
  projectsKey,
  readLimits,
  readProjectCap,
  readReservations,
  reservationReads,
  reservationsChange,
  reservationsKey,
} from "./spend-limits.ts";

/** One request to a text endpoint that may cost. */
export interface AnswerOrder {
  answerId: string;
  model: string;
  atMs: number;
  projectId: string | undefined;
  /** The most that it may cost; undefined where no price or no length is known. */
  mostMicroUsd: MicroUsd | undefined;
}

/** How a request ended, as far as money is concerned. */
export type AnswerEnd =
  | { how: "counted"; amountMicroUsd: MicroUsd; tokens: LedgerTokens }
  | { how: "no-list-price"; tokens: LedgerTokens }
  | { how: "no-count" }
  /** A definite no: nothing was charged. */
  | { how: "refused" }
  /** Stopped, cut off or failed on the way: it may have been charged. */
  | { how: "broken-off" };

/** What is known of an amount without a list price: more than nothing, so that a limit that is reached refuses it. */
const LEAST: MicroUsd = 1;

/**
 * Writes an answer as open and holds the most that it may cost, in one transaction over all tabs; the same id again changes
 * nothing. Resolves to the limit that it would break: then nothing was written, and nothing may be sent. Rejects with a
 * `StorageError` when nothing could be written.
 */
export async function openAnswer(
  rows: RowStore,
  accountId: string,
  order: AnswerOrder,
): Promise<BrokenCap | undefined> {
  const { answerId, atMs, mostMicroUsd } = order;
  const projectCap = await readProjectCap(rows, accountId, order.projectId);
  const key = ledgerId.answer(accountId, answerId);
  return rows.edit<BrokenCap | undefined>(
    { store: "ledger", key, reads: reservationReads(accountId) },
    (current, stored) => {
      if (current !== undefined) return { changes: [], result: undefined };
      const { reservations: before, broken } = checkStoredLimits(stored, mostMicroUsd ?? LEAST, atMs, projectCap);
      if (broken) return { changes: [], result: broken };
      const line = ledgerChange(accountId, lineOf(accountId, order, { kind: "unconfirmed", evidence: "sent" }));
      return { changes: [line, ...holdChanges(accountId, order, before)], result: undefined };
    },
  );
}

function holdChanges(accountId: string, order: AnswerOrder, before: Reservations) {
  const hold = createReservation(order);
  return hold ? [reservationsChange(accountId, withReservation(before, hold))] : [];
}

function createReservation({ answerId, atMs, mostMicroUsd, projectId }: AnswerOrder) {
  if (mostMicroUsd === undefined) return undefined;
  const of = projectId === undefined ? {} : { projectId };
  return {
    intentId: answerId,
    atMs,
    amountMicroUsd: mostMicroUsd,
    requestId: undefined,
    ...of,
    isBound: true as const,
  };
}

/**
 * Settles an answer: its line, and what it counts for under the limits. What was settled once stays as it is. An answer
 * whose cost stays unknown goes on holding the most that it may have cost. Rejects with a `StorageError` when nothing
 * could be written; then the line stays open.
 */
export async function settleAnswer(
  rows: RowStore,
  accountId: string,
  order: AnswerOrder,
  end: AnswerEnd,
): Promise<void> {
  const key = ledgerId.answer(accountId, order.answerId);
  const reads = [{ store: "settings" as const, key: reservationsKey(accountId) }];
  await rows.edit({ store: "ledger", key, reads }, (current, [reserved]) => {
    const line = current && ledgerRows.read(current.body, current);
    if (line && line.evidence !== "sent") return { changes: [], result: undefined };
    // The person may have moved it to another project meanwhile.
    const moved = line ? { ...order, projectId: line.projectId } : order;
    const before = readReservations(reserved);
    const after = settledHolds(before, moved, end);
    return {
      changes: [
        ledgerChange(accountId, lineOf(accountId, moved, settledFacts(end))),
        ...(after === before ? [] : [reservationsChange(accountId, after)]),
      ],
      result: undefined,
    };
  });
}

function settledHolds(before: Reservations, order: AnswerOrder, end: AnswerEnd): Reservations {
  const { answerId, atMs, projectId } = order;
  if (end.how === "refused") return withoutHold(before, answerId);
  if (end.how !== "counted") return before;
  return withReservation(withoutHold(before, answerId), {
    intentId: answerId,
    requestId: answerId,
    atMs,
    amountMicroUsd: end.amountMicroUsd,
    ...(projectId === undefined ? {} : { projectId }),
  });
}

type LineFacts = Pick<LedgerLine, "kind" | "evidence"> & Partial<Pick<LedgerLine, "amountMicroUsd" | "tokens">>;

function settledFacts(end: AnswerEnd): LineFacts {
  if (end.how === "refused") return { kind: "not-charged", evidence: "refused", amountMicroUsd: 0 };
  if (end.how === "broken-off") return { kind: "unconfirmed", evidence: "broken-off" };
  const { how, ...known } = end;
  return { kind: "charged", evidence: how, ...known };
}

function lineOf(accountId: string, order: AnswerOrder, facts: LineFacts): LedgerLine {
  const { answerId, atMs, model, projectId, mostMicroUsd } = order;
  const isKnown = facts.amountMicroUsd !== undefined;
  return {
    id: ledgerId.answer(accountId, answerId),
    atMs,
    model,
    requestId: undefined,
    intentId: undefined,
    answerId,
    ...facts,
    amountMicroUsd: facts.amountMicroUsd,
    ...(projectId === undefined ? {} : { projectId }),
    ...(isKnown || mostMicroUsd === undefined ? {} : { mostMicroUsd }),
  };
}

/** Whether any limit is set that an answer of this project counts under. Rejects where the database cannot be read. */
export async function hasLimit(rows: RowStore, accountId: string, projectId: string | undefined): Promise<boolean> {
  const [stored, list] = await Promise.all([
    rows.get("settings", limitsKey(accountId)),
    rows.get("settings", projectsKey(accountId)),
  ]);
  const { perRunMicroUsd, perDayMicroUsd } = readLimits(stored);
  const project = readProjects(list).projects.find(({ id }) => id === projectId);
  return [perRunMicroUsd, perDayMicroUsd, project?.capMicroUsd].some((cap) => cap !== undefined);
}

/**
 * The limit that answers would break together, without reserving anything: for a word before they are sent. `most`: what
 * each of them may cost; undefined where that is not known. Rejects where the database cannot be read.
 */
export async function limitAgainst(
  rows: RowStore,
  accountId: string,
  answers: { most: readonly (MicroUsd | undefined)[]; projectId: string | undefined; nowMs: number },
): Promise<(BrokenCap & { mostMicroUsd: MicroUsd }) | undefined> {
  const [reserved, stored, projectCap] = await Promise.all([
    rows.get("settings", reservationsKey(accountId)),
    rows.get("settings", limitsKey(accountId)),
    readProjectCap(rows, accountId, answers.projectId),
  ]);
  return againstRows({ reserved, stored }, projectCap, answers);
}

function againstRows(
  { reserved, stored }: Record<"reserved" | "stored", StoredRow | undefined>,
  projectCap: Parameters<typeof findExceededLimit>[4],
  { most, nowMs }: { most: readonly (MicroUsd | undefined)[]; nowMs: number },
): (BrokenCap & { mostMicroUsd: MicroUsd }) | undefined {
  const limits = readLimits(stored);
  const costs = most.map((one) => one ?? LEAST);
  // The limit of one run is for each of them, the others for their sum.
  for (const cost of costs) {
    const { perRunMicroUsd } = limits;
    if (perRunMicroUsd !== undefined && cost > perRunMicroUsd)
      return { cap: "run", overByMicroUsd: cost - perRunMicroUsd, mostMicroUsd: cost };
  }
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const together = { ...limits, perRunMicroUsd: undefined };
  const broken = findExceededLimit(together, readReservations(reserved), total, dayStart(nowMs), projectCap);
  return broken && { ...broken, mostMicroUsd: total };
}
