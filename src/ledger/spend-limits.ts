import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { asFilledText, isRecord } from "#lib/read.ts";
import type { RowChange, StoredRow } from "#storage/rows.ts";
import { putChange, type RowKind } from "#storage/typed-rows.ts";

/** What a person set against spending too much. All in whole micro-USD; undefined means no limit. */
export interface SpendLimits {
  perRunMicroUsd: MicroUsd | undefined;
  perDayMicroUsd: MicroUsd | undefined;
  /** A run that costs more than this asks once more before it is sent. */
  confirmAboveMicroUsd: MicroUsd | undefined;
  /**
   * Where the limit per day was one per session, and nobody has said yet that they know: the limit per day that it
   * replaced, if there was one. Not stored: see `limitRows`.
   */
  dayFromSession?: { replacedMicroUsd: MicroUsd | undefined };
}

export const NO_LIMITS: SpendLimits = {
  perRunMicroUsd: undefined,
  perDayMicroUsd: undefined,
  confirmAboveMicroUsd: undefined,
};

const amount = (value: unknown) => (isMicroUsd(value) ? value : undefined);

/**
 * There was a limit per session, a session ending after four hours without a run. A row that still has one is read as if
 * it were the limit per day, unless one that is as low is set, so that nobody is without the limit that they set. The row itself
 * changes with the next save; until then an earlier version, in another tab or put back, finds its limit in it.
 */
export const limitRows: RowKind<SpendLimits> = {
  store: "settings",
  version: 1,
  read: (raw) => {
    if (!isRecord(raw)) return undefined;
    const perDayMicroUsd = amount(raw.perDayMicroUsd);
    const perSessionMicroUsd = amount(raw.perSessionMicroUsd);
    const limits = {
      perRunMicroUsd: amount(raw.perRunMicroUsd),
      perDayMicroUsd,
      confirmAboveMicroUsd: amount(raw.confirmAboveMicroUsd),
    };
    if (perSessionMicroUsd === undefined || perSessionMicroUsd >= (perDayMicroUsd ?? Number.POSITIVE_INFINITY))
      return limits;
    return {
      ...limits,
      perDayMicroUsd: perSessionMicroUsd,
      dayFromSession: { replacedMicroUsd: perDayMicroUsd },
    };
  },
  write: ({ dayFromSession: _, ...limits }) => limits,
};

/** The key of the row of an account's limits. */
export const limitsKey = (accountId: string) => `limits|${accountId}`;

/**
 * What one intent may cost: held from the click on; one stays for each job that was charged; released when none was.
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

/** Longer than any day. */
const HELD_MS = 48 * 3600_000;

export const reservationRows: RowKind<Reservations> = {
  store: "settings",
  version: 1,
  read: (raw) => {
    if (!Array.isArray(raw)) return undefined;
    return raw.flatMap((item: unknown) => {
      if (!isRecord(item) || typeof item.intentId !== "string" || typeof item.atMs !== "number") return [];
      if (!isMicroUsd(item.amountMicroUsd)) return [];
      const requestId = typeof item.requestId === "string" ? item.requestId : undefined;
      const { intentId, atMs, amountMicroUsd, projectId, isBound } = item;
      return [
        {
          intentId,
          atMs,
          amountMicroUsd,
          requestId,
          ...(typeof projectId === "string" ? { projectId } : {}),
          ...(isBound === true ? { isBound } : {}),
        },
      ];
    });
  },
};

/** The key of the row of an account's reservations. */
export const reservationsKey = (accountId: string) => `spend|${accountId}`;

/** The key of the row of an account's projects (`projects.ts`). */
export const projectsKey = (accountId: string) => `projects|${accountId}`;

/** The project that is being worked on, as its row names it; undefined: none. Never throws. */
export function currentProjectOf(row: StoredRow | undefined): string | undefined {
  return isRecord(row?.body) ? asFilledText(row.body.currentId) : undefined;
}

/** Where an edit reads the reservations and the limits of an account. Never throws. */
export const reservationReads = (accountId: string) => [
  { store: "settings" as const, key: reservationsKey(accountId) },
  { store: "settings" as const, key: limitsKey(accountId) },
];

/** The reservations of a row; empty where there is none, or none that can be read. Never throws. */
export function readReservations(row: StoredRow | undefined): Reservations {
  return (row && reservationRows.read(row.body, row)) ?? [];
}

/** The limits of a row; no limit where there is none, or none that can be read. Never throws. */
export function readLimits(row: StoredRow | undefined): SpendLimits {
  return (row && limitRows.read(row.body, row)) ?? NO_LIMITS;
}

/** The change that writes the reservations. Writes nothing by itself. Never throws. */
export function reservationsChange(accountId: string, reservations: Reservations): RowChange {
  return putChange(reservationRows, accountId, reservationsKey(accountId), reservations);
}

/** Midnight before a moment, in the person's own zone. In ms, as `Date.now()` counts. Never throws. */
export function dayStart(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

const sum = (reservations: Reservations) =>
  reservations.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0);

/** What was spent or is held since midnight, in the person's own zone. Micro-USD. Never throws. */
export function spentToday(reservations: Reservations, nowMs: number): MicroUsd {
  const from = dayStart(nowMs);
  return sum(reservations.filter(({ atMs }) => atMs >= from));
}

export type Cap = "run" | "day" | "project";

export interface BrokenCap {
  cap: Cap;
  overByMicroUsd: MicroUsd;
}

/** The cap of a project, and what was spent or is held for it. `readProjectCap` makes it before the transaction. */
export type ProjectCap = (reservations: Reservations) => { capMicroUsd: MicroUsd; spentMicroUsd: MicroUsd };

/** The cap that a price would break, and by how much; undefined where it fits under all of them. */
export function brokenCap(
  limits: SpendLimits,
  reservations: Reservations,
  priceMicroUsd: MicroUsd,
  nowMs: number,
  projectCap?: ProjectCap,
): BrokenCap | undefined {
  const project = projectCap?.(reservations);
  const caps: [Cap, MicroUsd | undefined, MicroUsd][] = [
    ["run", limits.perRunMicroUsd, priceMicroUsd],
    ["day", limits.perDayMicroUsd, priceMicroUsd + spentToday(reservations, nowMs)],
    ["project", project?.capMicroUsd, priceMicroUsd + (project?.spentMicroUsd ?? 0)],
  ];
  for (const [cap, limit, total] of caps) {
    if (limit !== undefined && total > limit) return { cap, overByMicroUsd: total - limit };
  }
  return undefined;
}

/**
 * Whether a run of this price asks the person once more. A run above the limit of one run is refused instead. Never
 * throws.
 */
export function asksFirst({ confirmAboveMicroUsd, perRunMicroUsd }: SpendLimits, priceMicroUsd: MicroUsd): boolean {
  if (perRunMicroUsd !== undefined && priceMicroUsd > perRunMicroUsd) return false;
  return confirmAboveMicroUsd !== undefined && priceMicroUsd > confirmAboveMicroUsd;
}

/** The reservations with one more, without those that are too old for any day. Never throws. */
export function withReservation(reservations: Reservations, added: Reservation): Reservations {
  const isSame = (held: Reservation) => held.intentId === added.intentId && held.requestId === added.requestId;
  return [...reservations.filter((held) => added.atMs - held.atMs < HELD_MS && !isSame(held)), added];
}

/** The reservations without what an intent held while its outcome was open. Never throws. */
export function withoutHold(reservations: Reservations, intentId: string): Reservations {
  return reservations.filter((held) => held.intentId !== intentId || held.requestId !== undefined);
}

/** The reservations without that of a job whose charge was refunded. Never throws. */
export function withoutJob(reservations: Reservations, requestId: string): Reservations {
  return reservations.filter((held) => held.requestId !== requestId);
}
