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

// Stored rows for the rules of `#runs/rules/limits.ts`: a person's limits, and what is spent or reserved under them.

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
 * What stored limits say of a price: the first cap that it would break, if any. The rows as `reservationReads` names them; what
 * cannot be read limits nothing. `nowMs`: the moment whose day counts.
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
 * The cap of a project for one decision; undefined where it has none. The ledger is read here, and what was spent or reserved
 * since then by any tab is in the reservations of the decision's own transaction: what both know counts once, so that two
 * tabs cannot pass together. Rejects where the database cannot be read.
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
    const own = reservations.filter((one) => one.projectId === projectId);
    const reserved = new Map(reservations.map((one) => [idOf(one), one]));
    const before = spent.filter((line) => !isReserved(reserved, line));
    return { capMicroUsd, spentMicroUsd: sum(own.map((one) => one.amountMicroUsd)) + sum(before.map(maxMicroUsd)) };
  };
}

const sum = (amounts: readonly MicroUsd[]) => amounts.reduce((total, amount) => total + amount, 0);

const idOf = ({ intentId, requestId }: Pick<Reservation, "intentId" | "requestId">) => requestId ?? intentId;

function isReserved(
  reserved: ReadonlyMap<string, Reservation>,
  { requestId, intentId, answerId }: LedgerLine,
): boolean {
  const ids = [requestId, answerId, requestId === undefined ? intentId : undefined];
  return ids.some((id) => id !== undefined && reserved.has(id));
}

/** What a line counts for under a cap: of an unknown amount the most that it may be. Estimates count for nothing. */
function maxMicroUsd(line: LedgerLine): MicroUsd {
  const { kind, amountMicroUsd, mostMicroUsd, isEstimated } = line;
  const mayBeCharged = isCharge(line) || kind === "unconfirmed";
  return mayBeCharged && !isEstimated ? (amountMicroUsd ?? mostMicroUsd ?? 0) : 0;
}

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
  project: "limit of this project",
};

/** Said once on each screen that shows money (spec 4.1 rule 1): what is shown is not all that is spent. */
export const SHARED_BALANCE = "Other users of your organization share this balance.";
