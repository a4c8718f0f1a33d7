import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { duplicateCharge } from "#api/charge-words.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { LedgerLine } from "#runs/ledger/ledger.ts";
import { useLedger } from "#runs/ledger/use-ledger.ts";
import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { toast } from "#ui/toast-store.ts";

const MAX_STORED = 200;

/** Ids of the jobs that were shown already, in any tab. */
const readShown = () => (readText(KEYS.reportedDuplicates) ?? "").split(" ").filter(Boolean);

/** One message for all that appeared together: they belong to one run nearly always. */
function bodyOf(lines: readonly LedgerLine[]): string {
  const [first] = lines;
  const isOne = lines.length === 1;
  const jobs = isOne ? "A second identical job was created" : `${lines.length} more identical jobs were created`;
  const model = visibleLine(first?.model ?? "the same model", 60);
  const price = first?.amountMicroUsd;
  const charge = price === undefined ? "" : ` ${duplicateCharge(lines.length, price)}`;
  return `${jobs} with ${model}.${charge} The studio submitted your run once, but a network can deliver a request twice.`;
}

/**
 * A toast, with the price, when a job appears that the network may have made a second time. It comes once per job, in a
 * tab that can be seen, and stays until dismissed; the Spend page shows the job for good.
 */
export function useDuplicateAlerts(): void {
  const lines = useLedger();
  const navigate = useNavigate();
  useEffect(() => {
    const showFresh = () => {
      if (document.visibilityState === "hidden") return;
      const shown = readShown();
      const fresh = lines.filter(
        ({ kind, requestId }) => kind === "possible-duplicate" && requestId !== undefined && !shown.includes(requestId),
      );
      if (fresh.length === 0) return;
      const ids = fresh.flatMap(({ requestId }) => requestId ?? []);
      writeText(KEYS.reportedDuplicates, [...shown, ...ids].slice(-MAX_STORED).join(" "));
      toast({
        tone: "warning",
        title: "Possible duplicate charge",
        body: bodyOf(fresh),
        action: { label: "Open Spend", onAct: () => void navigate({ to: "/spend" }) },
      });
    };
    showFresh();
    document.addEventListener("visibilitychange", showFresh);
    return () => document.removeEventListener("visibilitychange", showFresh);
  }, [lines, navigate]);
}
