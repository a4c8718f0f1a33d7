// Whether a price fits under the limits that a person set, and what counts under them: what was spent, and what is reserved for
// whatever has no known outcome yet. Pure; `#runs/ledger/spend-limits.ts` has the rows.
import type { MicroUsd } from "#lib/money.ts";

/** What a person set against spending too much. All in whole micro-USD; undefined means no limit. */
export interface SpendLimits {
  perRunMicroUsd: MicroUsd | undefined;
  perDayMicroUsd: MicroUsd | undefined;
  /** A run that costs more than this asks once more before it is sent. */
  confirmAboveMicroUsd: MicroUsd | undefined;
  /**
   * Set where the limit per day comes from a limit per session of an earlier version, until the person has confirmed the notice
   * of it: the limit per day that it replaced, if there was one. Not stored: see `limitRows` in `#runs/ledger/spend-limits.ts`.
   */
  dayFromSession?: { replacedMicroUsd: MicroUsd | undefined };
}

/** The person has set nothing. */
export const NO_LIMITS: SpendLimits = {
  perRunMicroUsd: undefined,
  perDayMicroUsd: undefined,
  confirmAboveMicroUsd: undefined,
};

/**
 * What one intent may cost. It is there from the moment at which the intent's row is written. Once the outcome is known, one
 * stays for each job that was charged, and none where none was.
 */
export interface Reservation {
  intentId: string;
  atMs: number;
  amountMicroUsd: MicroUsd;
  /** The charged job or answer; undefined while the outcome is open. */
  requestId: string | undefined;
  /** What it is spent on. */
  projectId?: string;
  /** The most that an answer of a text model may cost. What it does cost is not known, or not yet. */
  isBound?: true;
}

/** The latest reservations of a key, in one row, so that every tab decides on the same numbers in one transaction. */
export type Reservations = readonly Reservation[];

/** How long a reservation is stored. It counts for one day of the calendar, which is never as long as two days. */
const RESERVED_MS = 48 * 3600_000;

/** What was spent or is reserved since a moment, in micro-USD. */
export function spentSince(reservations: Reservations, fromMs: number): MicroUsd {
  return reservations.reduce((sum, { atMs, amountMicroUsd }) => (atMs >= fromMs ? sum + amountMicroUsd : sum), 0);
}

/** Which limit: of one run, of a day, of a project. */
export type Cap = "run" | "day" | "project";

/** A limit that a price would break. */
export interface BrokenCap {
  cap: Cap;
  overByMicroUsd: MicroUsd;
}

/**
 * Gives the cap of a project, and what was spent or is reserved for it, from the reservations of a transaction.
 * `readProjectCap` in `#runs/ledger/spend-limits.ts` makes it before the transaction, because it reads the ledger.
 */
export type ProjectCap = (reservations: Reservations) => { capMicroUsd: MicroUsd; spentMicroUsd: MicroUsd };

/**
 * The first cap that a price would break, of run, day and project, and by how much; undefined where it fits under all.
 * `dayFromMs`: when the day began for whoever set the limits (`dayStart` in `#lib/time.ts`).
 */
export function findExceededLimit(
  limits: SpendLimits,
  reservations: Reservations,
  priceMicroUsd: MicroUsd,
  dayFromMs: number,
  projectCap?: ProjectCap,
): BrokenCap | undefined {
  const project = projectCap?.(reservations);
  const caps: [Cap, MicroUsd | undefined, MicroUsd][] = [
    ["run", limits.perRunMicroUsd, priceMicroUsd],
    ["day", limits.perDayMicroUsd, priceMicroUsd + spentSince(reservations, dayFromMs)],
    ["project", project?.capMicroUsd, priceMicroUsd + (project?.spentMicroUsd ?? 0)],
  ];
  for (const [cap, limit, total] of caps) {
    if (limit !== undefined && total > limit) return { cap, overByMicroUsd: total - limit };
  }
  return undefined;
}

/**
 * Whether a run of this price asks the person once more. A run above the limit of one run is refused instead.
 */
export function asksFirst({ confirmAboveMicroUsd, perRunMicroUsd }: SpendLimits, priceMicroUsd: MicroUsd): boolean {
  if (perRunMicroUsd !== undefined && priceMicroUsd > perRunMicroUsd) return false;
  return confirmAboveMicroUsd !== undefined && priceMicroUsd > confirmAboveMicroUsd;
}

/** The reservations with one more. It replaces one of the same intent and job, and those that are too old are dropped. */
export function withReservation(reservations: Reservations, added: Reservation): Reservations {
  const isReplaced = ({ intentId, requestId }: Reservation) =>
    intentId === added.intentId && requestId === added.requestId;
  const isRecent = ({ atMs }: Reservation) => added.atMs - atMs < RESERVED_MS;
  return [...reservations.filter((reservation) => isRecent(reservation) && !isReplaced(reservation)), added];
}

/** The reservations without the one that an intent had while its outcome was open. Those of charged jobs stay. */
export function withoutOpenReservation(reservations: Reservations, intentId: string): Reservations {
  return reservations.filter((reservation) => reservation.intentId !== intentId || reservation.requestId !== undefined);
}

/** The reservations without that of a job whose charge was refunded. */
export function withoutJob(reservations: Reservations, requestId: string): Reservations {
  return reservations.filter((reservation) => reservation.requestId !== requestId);
}
