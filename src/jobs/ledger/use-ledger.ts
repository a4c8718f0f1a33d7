import { useEffect, useState, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { liveRowsOf } from "../live-rows.ts";
import { type LedgerLine, ledgerRows } from "./ledger.ts";
import {
  limitRows,
  limitsKey,
  NO_LIMITS,
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
  /** What the limits of the day and the session count: charged and held. */
  todayMicroUsd: number;
  sessionMicroUsd: number;
  /** Rejects with a `StorageError` when nothing was written. */
  save: (limits: SpendLimits) => Promise<void>;
}

/** The limits of the current key and what counts against them, over all tabs. */
export function useSpendLimits(): SpendState {
  const accountId = useConnection()?.accountId ?? "";
  const [state, setState] = useState({ limits: NO_LIMITS, todayMicroUsd: 0, sessionMicroUsd: 0 });
  useEffect(() => {
    let current = true;
    const read = async () => {
      const rows = await openRows();
      const limits = readLimits(await rows.get("settings", limitsKey(accountId)));
      const held = readReservations(await rows.get("settings", reservationsKey(accountId)));
      const now = Date.now();
      if (!current) return;
      setState({ limits, todayMicroUsd: spentToday(held, now), sessionMicroUsd: spentThisSession(held, now) });
    };
    const load = () => void read().catch(() => {});
    load();
    const stop = onChange("settings", load);
    return () => {
      current = false;
      stop();
    };
  }, [accountId]);
  return { ...state, save: (limits) => saveOne(limitRows, accountId, limitsKey(accountId), limits) };
}
