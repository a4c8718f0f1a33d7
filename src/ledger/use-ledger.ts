import { useEffect, useState, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { liveRowsOf } from "#storage/live-rows.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { useToday } from "#ui/use-today.ts";
import { type LedgerLine, ledgerRows } from "./ledger.ts";
import {
  limitRows,
  limitsKey,
  NO_LIMITS,
  type Reservation,
  type Reservations,
  readLimits,
  readReservations,
  reservationsKey,
  type SpendLimits,
  spentThisSession,
  spentToday,
} from "./spend-limits.ts";

const ledgerOf = liveRowsOf(ledgerRows, (lines): readonly LedgerLine[] => lines.sort((a, b) => b.atMs - a.atMs));

/** The ledger of the current key, newest first: every charge and refund that this browser has seen, and how. */
export function useLedger(): readonly LedgerLine[] {
  const ledger = ledgerOf(useConnection()?.accountId ?? "");
  return useSyncExternalStore(ledger.subscribe, ledger.snapshot);
}

/** Whether the ledger of the current key was read. Until then it is empty, which does not mean that nothing was spent. */
export function useIsLedgerRead(): boolean {
  const ledger = ledgerOf(useConnection()?.accountId ?? "");
  return useSyncExternalStore(ledger.subscribe, ledger.isRead);
}

export interface SpendState {
  limits: SpendLimits;
  /** What the limits of the day and the session count: charged and held, without what answers may cost at most. */
  todayMicroUsd: number;
  sessionMicroUsd: number;
  /** What they count besides: the most that answers of an unknown cost may have cost. */
  todayMostMicroUsd: number;
  sessionMostMicroUsd: number;
  /** Rejects with a `StorageError` when nothing was written. */
  save: (limits: SpendLimits) => Promise<void>;
}

function spentOf(held: Reservations, nowMs: number) {
  const todayMicroUsd = spentToday(held.filter(isKnown), nowMs);
  const sessionMicroUsd = spentThisSession(held, nowMs, isKnown);
  return {
    todayMicroUsd,
    sessionMicroUsd,
    todayMostMicroUsd: spentToday(held, nowMs) - todayMicroUsd,
    sessionMostMicroUsd: spentThisSession(held, nowMs) - sessionMicroUsd,
  };
}

const isKnown = ({ isBound }: Reservation) => !isBound;

const NOTHING = { limits: NO_LIMITS, held: [] };

/** The limits of the current key and what counts against them, over all tabs. */
export function useSpendLimits(): SpendState {
  const accountId = useConnection()?.accountId ?? "";
  const [{ limits, held }, setState] = useState<{ limits: SpendLimits; held: Reservations }>(NOTHING);
  // What counts for a day ends with it, also where nothing is written.
  useToday();
  useEffect(() => {
    let current = true;
    const read = async () => {
      const rows = await openRows();
      const limits = readLimits(await rows.get("settings", limitsKey(accountId)));
      const held = readReservations(await rows.get("settings", reservationsKey(accountId)));
      if (current) setState({ limits, held });
    };
    const load = () => void read().catch(() => {});
    load();
    const stop = onChange("settings", load);
    return () => {
      current = false;
      stop();
    };
  }, [accountId]);
  return {
    limits,
    ...spentOf(held, Date.now()),
    save: (limits) => saveOne(limitRows, accountId, limitsKey(accountId), limits),
  };
}
