import { useMemo } from "react";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import type { MicroUsd } from "#lib/money.ts";

/** The exact prices that this browser knows, by job: those of jobs it submitted. */
export function useKnownPrices(): ReadonlyMap<string, MicroUsd> {
  const tracked = useTrackedJobs();
  return useMemo(() => {
    const prices = new Map<string, MicroUsd>();
    for (const { requestId, priceMicroUsd } of tracked) {
      if (priceMicroUsd !== undefined) prices.set(requestId, priceMicroUsd);
    }
    return prices;
  }, [tracked]);
}
