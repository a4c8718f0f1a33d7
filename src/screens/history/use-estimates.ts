import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { useApi } from "#connection/client.ts";
import { pastPricesOf } from "#jobs/price/past-prices.ts";
import { useAreTrackedJobsRead } from "#jobs/use-tracked-jobs.ts";
import { useLedger } from "#ledger/use-ledger.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { HistoryEntry } from "./history-entry.ts";
import type { JobIndex } from "./search/job-index.ts";

interface Estimates {
  estimates: ReadonlyMap<string, MicroUsd>;
  /** Asks for what the jobs in view cost today, where their price is not known. */
  wantEstimates: (entries: readonly HistoryEntry[]) => void;
}

/** Today's prices of jobs from elsewhere, asked for as they come into view and held in the index. */
export function useEstimates(index: JobIndex): Estimates {
  const past = pastPricesOf(useApi());
  const told = useSyncExternalStore(past.subscribe, past.prices);
  const ledger = useLedger();
  // Those of imported jobs are in the ledger.
  const estimates = useMemo(() => {
    const lines = ledger.filter(({ isEstimated, kind }) => isEstimated && kind === "charged");
    const written = lines.flatMap(({ requestId, amountMicroUsd }) =>
      requestId === undefined || amountMicroUsd === undefined ? [] : [[requestId, amountMicroUsd] as const],
    );
    return written.length > 0 ? new Map([...written, ...told]) : told;
  }, [told, ledger]);
  useEffect(() => {
    const known = [...estimates].flatMap(([requestId, estimatedMicroUsd]) => {
      const entry = index.get(requestId);
      return entry && entry.estimatedMicroUsd === undefined ? [{ ...entry, estimatedMicroUsd }] : [];
    });
    if (known.length > 0) index.note(known);
  }, [index, estimates]);
  // Until this browser's own jobs are read, one of them looks like a job from elsewhere.
  const isRead = useAreTrackedJobsRead();
  const wantEstimates = useCallback(
    (entries: readonly HistoryEntry[]) => {
      if (isRead) past.want("view", entries.filter(isUnpriced));
    },
    [past, isRead],
  );
  return { estimates, wantEstimates };
}

// A failed job was refunded exactly (spec 3). An empty payload is one that the service does not tell.
function isUnpriced({ priceMicroUsd, estimatedMicroUsd, status, payload }: HistoryEntry): boolean {
  const isKnown = priceMicroUsd !== undefined || estimatedMicroUsd !== undefined;
  return !isKnown && status !== "failed" && payload !== undefined && Object.keys(payload).length > 0;
}
