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
  withoutIntent,
  withReservation,
} from "../ledger/reservations.ts";
import { isUnsettled, type OutboxRow, outboxRows, slotOf } from "./outbox-row.ts";
import type { SubmitEffects } from "./submit-effects.ts";

type Where = Pick<SubmitEffects, "scope" | "rows">;

/** The change that writes an outbox row. It holds the model's slot exactly as long as the outcome is open. */
export function outboxChange(scope: string, row: OutboxRow): RowChange {
  const slot = isUnsettled(row.state) ? slotOf(scope, row.request.model) : undefined;
  return putChange(outboxRows, scope, row.intentId, row, slot);
}

export type Added =
  | { kind: "added" | "already-sent" | "unsettled" }
  | { kind: "over-cap"; cap: Cap; overByMicroUsd: MicroUsd };

/**
 * Commits a new intent and reserves its price, in one transaction over all tabs. Tells `already-sent` where its id is
 * known (another tab sent the same draft), `unsettled` where the model has an open attempt, and `over-cap` where a limit
 * would be broken. Throws `StorageError` when nothing was written.
 */
export async function addIntent({ scope, rows }: Where, row: OutboxRow): Promise<Added> {
  const target: EditTarget = { store: "outbox", key: row.intentId, reads: reservationReads(scope) };
  try {
    return await rows.edit<Added>(target, (current, [held, limits]) => {
      if (current !== undefined) return { changes: [], result: { kind: "already-sent" } };
      const reservations = readReservations(held);
      const broken = brokenCap(readLimits(limits), reservations, row.priceMicroUsd, row.sentAtMs);
      if (broken) return { changes: [], result: { kind: "over-cap", ...broken } };
      return {
        changes: [
          outboxChange(scope, row),
          reservationsChange(scope, withReservation(reservations, reservationOf(row))),
        ],
        result: { kind: "added" },
      };
    });
  } catch (error) {
    if (error instanceof SlotTakenError) return { kind: "unsettled" };
    throw error;
  }
}

/** What an intent holds of the day's budget: its price, for each job that it came to. */
function reservationOf(row: OutboxRow): Reservation {
  const jobs = Math.max(1, row.requestIds.length);
  return {
    intentId: row.intentId,
    atMs: row.sentAtMs,
    amountMicroUsd: row.priceMicroUsd * jobs,
    requestId: row.requestIds[0],
  };
}

/** The reservation as it must stand: held while the outcome is open and once charged, given back when nothing was. */
function reservationChanges(
  scope: string,
  row: OutboxRow,
  held: StoredRow | undefined,
  isRefunded: boolean,
): RowChange[] {
  const before = readReservations(held);
  const keeps = !isRefunded && (isUnsettled(row.state) || row.state === "accepted");
  const after = keeps ? withReservation(before, reservationOf(row)) : withoutIntent(before, row.intentId);
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [reservationsChange(scope, after)];
}

/** What a step makes of an intent. `isRefunded`: its job had failed by the time it was found. */
export interface IntentStep {
  row: OutboxRow;
  more?: RowChange[];
  isRefunded?: boolean;
}

/**
 * Moves an intent on from what the record says now, in one transaction with whatever else changes. `next` gives the new
 * row and further changes, or undefined to leave everything. Returns the row as it stands afterwards.
 */
export async function moveIntent(
  { scope, rows }: Where,
  intentId: string,
  next: (row: OutboxRow) => IntentStep | undefined,
  also: StoreName[] = [],
): Promise<OutboxRow | undefined> {
  const reads = [{ store: "settings" as const, key: reservationsKey(scope) }];
  return rows.edit<OutboxRow | undefined>({ store: "outbox", key: intentId, also, reads }, (current, [held]) => {
    const row = current && outboxRows.read(current.body, current);
    // A newer studio wrote it, and knows more than this page does: it is that one's to settle.
    if (current && current.v > outboxRows.version) return { changes: [], result: row };
    const step = row && next(row);
    if (!step) return { changes: [], result: row };
    const isSame = step.row.state === row.state && step.row.requestIds === row.requestIds;
    const reserved = isSame ? [] : reservationChanges(scope, step.row, held, step.isRefunded === true);
    return { changes: [outboxChange(scope, step.row), ...reserved, ...(step.more ?? [])], result: step.row };
  });
}

export function readIntent({ rows }: Where, intentId: string): Promise<OutboxRow | undefined> {
  return readOne(rows, outboxRows, intentId);
}

export function allIntents({ scope, rows }: Where): Promise<OutboxRow[]> {
  return readAll(rows, outboxRows, scope);
}
