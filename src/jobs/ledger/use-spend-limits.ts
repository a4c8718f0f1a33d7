import { useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { readLimits, readReservations, reservationsKey, spentThisSession, spentToday } from "./reservations.ts";
import { limitRows, limitsKey, NO_LIMITS, type SpendLimits } from "./spend-limits.ts";

export interface SpendState {
  limits: SpendLimits;
  /** What the limits of the day and the session count: charged and held. */
  todayMicroUsd: number;
  sessionMicroUsd: number;
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
