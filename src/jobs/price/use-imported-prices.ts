import { useEffect, useEffectEvent } from "react";
import type { Api } from "#api/create-api.ts";
import type { TrackedJob } from "../use-tracked-jobs.ts";

/** Estimates the prices of imported jobs in the background, in one tab. */
export function useImportedPrices(api: Api, accountId: string, tracked: readonly TrackedJob[], leads: boolean): void {
  const imported = leads ? tracked.filter(({ origin }) => origin === "imported") : [];
  const failed = imported.filter(({ status }) => status === "failed").length;
  // Every poll gives a new array: only these say that there is something to do.
  const news = imported.length > 0 ? `${imported.length} ${failed}` : undefined;
  const start = useEffectEvent((begin: (jobs: readonly TrackedJob[]) => () => void) => begin(tracked));
  useEffect(() => {
    if (news === undefined) return;
    let stop: (() => void) | undefined;
    let isEnded = false;
    // Code that few people need.
    void import("./imported-prices.ts").then(({ estimateImported }) => {
      if (!isEnded) stop = start((jobs) => estimateImported(api, accountId, jobs));
    });
    return () => {
      isEnded = true;
      stop?.();
    };
  }, [news, api, accountId]);
}
