// The stored rows behind the rules of `#runs/rules/limits.ts`: a person's limits, and what is spent or reserved under them.
import { isMicroUsd } from "#lib/money.ts";
import { asFilledText, isRecord } from "#lib/read.ts";
import { NO_LIMITS, type Reservations, type SpendLimits } from "#runs/rules/limits.ts";
import type { RowChange, StoredRow } from "#storage/rows.ts";
import { putChange, type RowKind } from "#storage/typed-rows.ts";

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

/** The project that is being worked on, as its row names it; undefined: none. */
export function readCurrentProject(row: StoredRow | undefined): string | undefined {
  return isRecord(row?.body) ? asFilledText(row.body.currentId) : undefined;
}

/** Where an edit reads the reservations and the limits of an account. */
export const reservationReads = (accountId: string) => [
  { store: "settings" as const, key: reservationsKey(accountId) },
  { store: "settings" as const, key: limitsKey(accountId) },
];

/** The reservations of a row; empty where there is none, or none that can be read. */
export function readReservations(row: StoredRow | undefined): Reservations {
  return (row && reservationRows.read(row.body, row)) ?? [];
}

/** The limits of a row; no limit where there is none, or none that can be read. */
export function readLimits(row: StoredRow | undefined): SpendLimits {
  return (row && limitRows.read(row.body, row)) ?? NO_LIMITS;
}

/** The change that writes the reservations. Writes nothing by itself. */
export function reservationsChange(accountId: string, reservations: Reservations): RowChange {
  return putChange(reservationRows, accountId, reservationsKey(accountId), reservations);
}
