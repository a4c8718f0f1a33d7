import type { MicroUsd } from "#lib/money.ts";
import { type EditTarget, type RowChange, SlotTakenError, type StoredRow, type StoreName } from "#storage/row.ts";
import { putChange, readAll, readOne } from "#storage/typed-rows.ts";
import {
  brokenCap,
  type Cap,
  type Reservation,
  readLimits,
  readReservations,
  reservationReads,
  reservationsChange,
  reservationsKey,
  withoutHold,
  withReservation,
} from "../ledger/reservations.ts";
import { isUnsettled, type OutboxRow, outboxRows, slotOf } from "./outbox-row.ts";
import type { SubmitEffects } from "./submit-effects.ts";

type Where = Pick<SubmitEffects, "accountId" | "rows">;

/** The change that writes an outbox row. It holds the model's slot exactly as long as the outcome is open. */
export function outboxChange(accountId: string, row: OutboxRow): RowChange {
  const slot = isUnsettled(row.state) ? slotOf(accountId, row.request.model) : undefined;
  return putChange(outboxRows, accountId, row.intentId, row, slot);
}

export type Added =
  | { kind: "added" | "already-sent" | "unsettled" }
  | { kind: "over-cap"; cap: Cap; overByMicroUsd: MicroUsd };

/**
 * Commits a new intent and reserves its price, in one transaction over all tabs. Tells `already-sent` where its id is
 * known (another tab sent the same draft), `unsettled` where the model has an open attempt, and `over-cap` where a limit
 * would be broken. Throws `StorageError` when nothing was written.
 */
export async function addIntent({ accountId, rows }: Where, row: OutboxRow): Promise<Added> {
  const target: EditTarget = { store: "outbox", key: row.intentId, reads: reservationReads(accountId) };
  try {
    return await rows.edit<Added>(target, (current, [held, limits]) => {
      if (current !== undefined) return { changes: [], result: { kind: "already-sent" } };
      const reservations = readReservations(held);
      const broken = brokenCap(readLimits(limits), reservations, row.priceMicroUsd, row.sentAtMs);
      if (broken) return { changes: [], result: { kind: "over-cap", ...broken } };
      return {
        changes: [outboxChange(accountId, row), reservationsChange(accountId, withReservation(reservations, holdOf(row)))],
        result: { kind: "added" },
      };
    });
  } catch (error) {
    if (error instanceof SlotTakenError) return { kind: "unsettled" };
    throw error;
  }
}

/** What an intent holds of the day's budget until it is known what it came to. */
function holdOf(row: OutboxRow): Reservation {
  return { intentId: row.intentId, atMs: row.sentAtMs, amountMicroUsd: row.priceMicroUsd, requestId: undefined };
}

/** Held while the outcome is open; then one for each job that was charged, those that the network made included. */
function reservationChanges(
  accountId: string,
  row: OutboxRow,
  held: StoredRow | undefined,
  charged: readonly string[],
): RowChange[] {
  const before = readReservations(held);
  const hold = holdOf(row);
  const kept = isUnsettled(row.state) ? withReservation(before, hold) : withoutHold(before, row.intentId);
  const after = charged.reduce((all, requestId) => withReservation(all, { ...hold, requestId }), kept);
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [reservationsChange(accountId, after)];
}

/** What a step makes of an intent. */
export interface IntentStep {
  row: OutboxRow;
  more?: RowChange[];
  /** Jobs that this step found to be charged to it. One that had failed by then was refunded, and is not among them. */
  charged?: readonly string[];
}

/**
 * Moves an intent on from what the record says now, in one transaction with whatever else changes. `next` gives the new
 * row and further changes, or undefined to leave everything. Returns the row as it stands afterwards.
 */
export async function moveIntent(
  { accountId, rows }: Where,
  intentId: string,
  next: (row: OutboxRow) => IntentStep | undefined,
  also: StoreName[] = [],
): Promise<OutboxRow | undefined> {
  const reads = [{ store: "settings" as const, key: reservationsKey(accountId) }];
  return rows.edit<OutboxRow | undefined>({ store: "outbox", key: intentId, also, reads }, (current, [held]) => {
    const row = current && outboxRows.read(current.body, current);
    // A newer studio wrote it, and knows more than this page does: it is that one's to settle.
    if (current && current.v > outboxRows.version) return { changes: [], result: row };
    const step = row && next(row);
    if (!step) return { changes: [], result: row };
    const { charged = [] } = step;
    const isSame = step.row.state === row.state && charged.length === 0;
    const reserved = isSame ? [] : reservationChanges(accountId, step.row, held, charged);
    return { changes: [outboxChange(accountId, step.row), ...reserved, ...(step.more ?? [])], result: step.row };
  });
}

export function readIntent({ rows }: Where, intentId: string): Promise<OutboxRow | undefined> {
  return readOne(rows, outboxRows, intentId);
}

export function allIntents({ accountId, rows }: Where): Promise<OutboxRow[]> {
  return readAll(rows, outboxRows, accountId);
}
