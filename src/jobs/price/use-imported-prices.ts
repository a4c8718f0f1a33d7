import { useEffect, useEffectEvent } from "react";
import type { Api } from "#api/create-api.ts";
import type { TrackedJob } from "../use-tracked-jobs.ts";
import { estimateImported } from "./imported-prices.ts";

/** Estimates the prices of imported jobs in the background, in one tab. */
export function useImportedPrices(api: Api, accountId: string, tracked: readonly TrackedJob[], leads: boolean): void {
  const imported = leads ? tracked.filter(({ origin }) => origin === "imported") : [];
  const failed = imported.filter(({ status }) => status === "failed").length;
  // Every poll gives a new array: only these say that there is something to do.
  const news = imported.length > 0 ? `${imported.length} ${failed}` : undefined;
  const estimate = useEffectEvent(() => estimateImported(api, accountId, tracked));
  useEffect(() => (news === undefined ? undefined : estimate()), [news]);
}
