import { useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { liveRowsOf } from "../live-rows.ts";
import { type LedgerLine, ledgerRows } from "./ledger-line.ts";

const ledgerOf = liveRowsOf(ledgerRows, (a: LedgerLine, b: LedgerLine) => b.atMs - a.atMs);

/** The ledger of the current key, newest first: every charge and refund that this browser has seen, and how. */
export function useLedger(): readonly LedgerLine[] {
  const ledger = ledgerOf(useConnection()?.accountId ?? "");
  return useSyncExternalStore(ledger.subscribe, ledger.snapshot);
}
