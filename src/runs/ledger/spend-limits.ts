import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { asFilledText, isRecord } from "#lib/read.ts";
import { dayStart } from "#lib/time.ts";
import {
  type Cap,
  findExceededLimit,
  NO_LIMITS,
  type ProjectCap,
  type Reservation,
  type Reservations,
  type SpendLimits,
} from "#runs/rules/limits.ts";
import type { RowChange, RowStore, StoredRow } from "#storage/rows.ts";
import { putChange, type RowKind, readAll } from "#storage/typed-rows.ts";
import { isCharge, type LedgerLine, ledgerRows } from "./ledger.ts";
import { readProjects } from "./projects.ts";

// The stored rows on which `#runs/rules/limits.ts` decides: a person's limits, and what is spent or reserved under them.

const amount = (value: unknown) => (isMicroUsd(value) ? value : undefined);

/**
 * The row of an account's limits. Earlier versions had a limit per session, which ended after four hours without a run. A row that
 * still has one is read as if it were the limit per day, unless that is as low, so that nobody loses a limit. The row itself
 * changes with the next save. Until then an earlier version, in another tab or installed again, finds its limit in it.
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

/** The row of an account's reservations, read as untrusted data. */
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

/** The rows from which an edit reads the reservations and the limits of an account. */
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

/**
 * Checks a price against stored limits. `broken`: the first cap that it would break, if any. The rows come as `reservationReads`
 * names them; a row that cannot be read limits nothing. `nowMs`: the moment whose day counts.
 */
export function checkStoredLimits(
  [reserved, stored]: readonly (StoredRow | undefined)[],
  priceMicroUsd: MicroUsd,
  nowMs: number,
  projectCap: ProjectCap | undefined,
) {
  const [reservations, limits] = [readReservations(reserved), readLimits(stored)];
  const broken = findExceededLimit(limits, reservations, priceMicroUsd, dayStart(nowMs), projectCap);
  return { reservations, limits, broken };
}

/** The change that writes the reservations. Writes nothing by itself. */
export function reservationsChange(accountId: string, reservations: Reservations): RowChange {
  return putChange(reservationRows, accountId, reservationsKey(accountId), reservations);
}

/**
 * The cap of a project for one decision; undefined where it has none. The ledger is read here. What any tab spent or reserved
 * since then is in the reservations of the decision's own transaction. What is in both counts once, so that two tabs together
 * cannot pass the cap. Rejects where the database cannot be read.
 */
export async function readProjectCap(
  rows: RowStore,
  accountId: string,
  projectId: string | undefined,
): Promise<ProjectCap | undefined> {
  if (projectId === undefined) return undefined;
  const { projects } = readProjects(await rows.get("settings", projectsKey(accountId)));
  const capMicroUsd = projects.find(({ id }) => id === projectId)?.capMicroUsd;
  if (capMicroUsd === undefined) return undefined;
  const lines = await readAll(rows, ledgerRows, accountId);
  const refunded = new Set(lines.flatMap(({ kind, requestId }) => (kind === "refunded" ? (requestId ?? []) : [])));
  const spent = lines.filter((line) => line.projectId === projectId && !refunded.has(line.requestId ?? ""));
  return (reservations) => {
    const reservedIds = new Set(reservations.map(getReservationId));
    const ofProject = reservations.filter((reservation) => reservation.projectId === projectId);
    const others = spent.filter((line) => !isReserved(reservedIds, line));
    const reservedMicroUsd = sum(ofProject.map(({ amountMicroUsd }) => amountMicroUsd));
    return { capMicroUsd, spentMicroUsd: reservedMicroUsd + sum(others.map(maxMicroUsd)) };
  };
}

const sum = (amounts: readonly MicroUsd[]) => amounts.reduce((total, amount) => total + amount, 0);

/** The id under which a reservation and its line of the ledger are the same amount. */
const getReservationId = ({ intentId, requestId }: Pick<Reservation, "intentId" | "requestId">) =>
  requestId ?? intentId;

/** Whether the amount of a line is among the reservations as well. */
function isReserved(reservedIds: ReadonlySet<string>, { requestId, intentId, answerId }: LedgerLine): boolean {
  const ids = [requestId, answerId, requestId === undefined ? intentId : undefined];
  return ids.some((id) => id !== undefined && reservedIds.has(id));
}

/** How much a line counts under a cap. Where its amount is unknown, the most that it may be. Estimates do not count. */
function maxMicroUsd(line: LedgerLine): MicroUsd {
  const { kind, amountMicroUsd, mostMicroUsd, isEstimated } = line;
  const mayBeCharged = isCharge(line) || kind === "unconfirmed";
  return mayBeCharged && !isEstimated ? (amountMicroUsd ?? mostMicroUsd ?? 0) : 0;
}

/** A limit that a person sets. */
export type LimitName = Exclude<keyof SpendLimits, "dayFromSession">;

/** The limits that a person sets, in the order in which they are listed. */
export const LIMIT_LABELS: Record<LimitName, string> = {
  confirmAboveMicroUsd: "Confirm runs above",
  perRunMicroUsd: "Limit per run",
  perDayMicroUsd: "Limit per day",
};
export const LIMIT_NAMES = Object.keys(LIMIT_LABELS) as LimitName[];

/** What the limits are called, after "your". */
export const CAP_WORDS: Record<Cap, string> = {
  run: "limit per run",
  day: "limit per day",
  project: "project limit",
};

/** Said once on each screen that shows money (spec 4.1 rule 1): what is shown is not all that is spent. */
export const SHARED_BALANCE = "Other users of your organization share this balance.";
