import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { formatMicroUsd } from "#lib/money.ts";
import { safeLocalStorage } from "#lib/safe-storage.ts";
import { toast } from "#ui/toast-store.ts";
import type { LedgerLine } from "../ledger/ledger-line.ts";
import { useLedger } from "../ledger/use-ledger.ts";

const STORAGE_KEY = "safelight:told-duplicates";
const MOST_KEPT = 200;

const readTold = () => (safeLocalStorage.getItem(STORAGE_KEY) ?? "").split(" ").filter(Boolean);

/** One message for all that appeared together: they belong to one run nearly always. */
function bodyOf(lines: readonly LedgerLine[]): string {
  const [first] = lines;
  const each = lines.length === 1 ? "" : "each ";
  const price =
    first?.amountMicroUsd === undefined ? "" : `, ${each}perhaps charged ${formatMicroUsd(first.amountMicroUsd)}`;
  const jobs = lines.length === 1 ? "Another job" : `${lines.length} more jobs`;
  return `${jobs} of ${first?.model ?? "the same model"} appeared beside the one you ran${price}. Nothing was sent twice from here; a network can deliver a request twice.`;
}

/**
 * Says so, with the price, when a job appears that the network may have made a second time. Each is told once, in a tab
 * that can be seen, and stays until dismissed; the Spend page keeps it.
 */
export function useDuplicateAlerts(): void {
  const lines = useLedger();
  const navigate = useNavigate();
  useEffect(() => {
    const tell = () => {
      if (document.visibilityState === "hidden") return;
      const told = readTold();
      const fresh = lines.filter(
        ({ kind, requestId }) => kind === "possible-duplicate" && requestId !== undefined && !told.includes(requestId),
      );
      if (fresh.length === 0) return;
      const ids = fresh.flatMap(({ requestId }) => requestId ?? []);
      safeLocalStorage.setItem(STORAGE_KEY, [...told, ...ids].slice(-MOST_KEPT).join(" "));
      toast({
        tone: "warning",
        title: "Possible duplicate charge",
        body: bodyOf(fresh),
        action: { label: "Open Spend", onAct: () => void navigate({ to: "/spend" }) },
      });
    };
    tell();
    document.addEventListener("visibilitychange", tell);
    return () => document.removeEventListener("visibilitychange", tell);
  }, [lines, navigate]);
}
