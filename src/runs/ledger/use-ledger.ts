import { useQuery } from "@tanstack/react-query";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowQuery, storedRowsQuery } from "#connection/stored-rows.ts";
import { dayStart } from "#lib/time.ts";
import { NO_LIMITS, type SpendLimits, spentSince } from "#runs/rules/limits.ts";
import { openRows } from "#storage/database.ts";
import { putChange, refuseNewer } from "#storage/typed-rows.ts";
import { useToday } from "#ui/use-today.ts";
import { type LedgerLine, ledgerRows } from "./ledger.ts";
import { limitRows, limitsKey, readLimits, reservationRows, reservationsKey } from "./spend-limits.ts";

const ledgerQuery = (accountId: string) =>
  storedRowsQuery(ledgerRows, accountId, (lines): readonly LedgerLine[] => lines.sort((a, b) => b.atMs - a.atMs));

const NO_LINES: readonly LedgerLine[] = [];

/** The ledger of the current key, newest first: every charge and refund that this browser has seen, and how. */
export function useLedger(): readonly LedgerLine[] {
  return useQuery(ledgerQuery(useConnection()?.accountId ?? "")).data ?? NO_LINES;
}

/** Whether the ledger of the current key was read. Until then it is empty, which does not mean that nothing was spent. */
export function useIsLedgerRead(): boolean {
  return useQuery(ledgerQuery(useConnection()?.accountId ?? "")).isFetched;
}

export interface SpendState {
  limits: SpendLimits;
  /** What the limit of the day counts: charged and reserved, without what answers may cost at most. */
  todayMicroUsd: number;
  /** What it also counts: the most that answers of an unknown cost may have cost. */
  todayMaxMicroUsd: number;
  /** Until then, and where they cannot be read, no limit is shown, which does not mean that none is set. */
  isRead: boolean;
  /**
   * Changes these limits; the others stay as they are stored. A limit that was one per session is stored as the limit per
   * day. Rejects with a `StorageError` when nothing was written.
   */
  save: (changes: Partial<SpendLimits>) => Promise<void>;
}

/** The limits of the current key and what counts against them, over all tabs. */
export function useSpendLimits(): SpendState {
  const accountId = useConnection()?.accountId ?? "";
  const limitsRead = useQuery(storedRowQuery(limitRows, limitsKey(accountId)));
  const reservationsRead = useQuery(storedRowQuery(reservationRows, reservationsKey(accountId)));
  const { data: limits = NO_LIMITS } = limitsRead;
  const { data: reservations = [] } = reservationsRead;
  // A limit is shown together with what counts under it.
  const isRead = limitsRead.isFetched && reservationsRead.isFetched;
  // What counts for a day ends with it, also where nothing is written.
  useToday();
  const fromMs = dayStart(Date.now());
  const known = reservations.filter(({ isBound }) => !isBound);
  const todayMicroUsd = spentSince(known, fromMs);
  return {
    limits: isRead ? limits : NO_LIMITS,
    todayMicroUsd,
    todayMaxMicroUsd: spentSince(reservations, fromMs) - todayMicroUsd,
    isRead,
    save: (changes) => saveLimits(accountId, changes),
  };
}

/** In one transaction over all tabs, so that what another tab changed meanwhile stays. */
async function saveLimits(accountId: string, changes: Partial<SpendLimits>): Promise<void> {
  const rows = await openRows();
  const key = limitsKey(accountId);
  await rows.edit({ store: limitRows.store, key }, (row) => {
    refuseNewer(limitRows, row);
    const limits = { ...readLimits(row), ...changes };
    return { changes: [putChange(limitRows, accountId, key, limits)], result: undefined };
  });
}
