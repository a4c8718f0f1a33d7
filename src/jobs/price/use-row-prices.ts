import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { abortableDelay } from "#lib/delay.ts";
import { noteModelAnswer } from "#models/inactive-models.ts";
import { pollControlOf } from "../poll/poll-control.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";
import { estimateQueries, PRICE_FRESH_MS } from "./estimate-queries.ts";
import { priceDependenceOf } from "./price-dependence.ts";
import { createRowPrices, type PriceProgress, type RowPrice } from "./row-prices.ts";

export type { PriceProgress, RowPrice } from "./row-prices.ts";

export interface RowPrices {
  /** Never throws; of a request that is not among the rows it is `pricing`. */
  of(request: JobRequest): RowPrice;
  progress: PriceProgress;
  /**
   * Checks what these requests' shared prices assume, each group of rows by a second estimate, and asks anew for prices
   * older than a minute. `changed`: how many of them have another price than was shown, or none any more. Rejects with the
   * `ApiError` of the first estimate that fails.
   */
  check(requests: readonly JobRequest[]): Promise<{ changed: number }>;
  /** Asks for all prices again. */
  refresh(): void;
}

/** The prices of many rows of one connection: see `createRowPrices`. */
const rowPricesOf = perConnection((api: Api, queryClient: QueryClient, accountId: string) => {
  const control = pollControlOf(api);
  return createRowPrices({
    dependence: priceDependenceOf(api),
    wait: (ms) => abortableDelay(ms),
    async estimate(request, isForced) {
      const query = estimateQueries(api).price(request, control.sendPaced);
      try {
        const options = { ...query, retry: false, staleTime: isForced ? 0 : PRICE_FRESH_MS };
        const { priceMicroUsd } = await queryClient.fetchQuery(options);
        noteModelAnswer(accountId, request.model, "estimate");
        return { priceMicroUsd, atMs: queryClient.getQueryState(query.queryKey)?.dataUpdatedAt ?? Date.now() };
      } catch (error) {
        noteModelAnswer(accountId, request.model, "estimate", error);
        throw error;
      }
    },
  });
});

/**
 * The prices of many rows, live: rows that differ only in what never moves the price share one estimate. The rows may be
 * another list with each render. Renders at most four times a second. Never throws.
 */
export function useRowPrices(requests: readonly JobRequest[], schemas: ModelSchemas): RowPrices {
  const store = rowPricesOf(useApi(), useQueryClient(), useConnection()?.accountId ?? "");
  const [asker] = useState(() => ({}));
  useEffect(() => store.want(asker, requests, schemas), [store, asker, requests, schemas]);
  useEffect(() => () => store.want(asker, [], new Map()), [store, asker]);
  const version = useSyncExternalStore(store.subscribe, store.version);
  return useMemo(() => {
    // Read for its change alone: the prices are in the store.
    void version;
    let progress: PriceProgress | undefined;
    return {
      of: store.of,
      get progress() {
        progress ??= store.progress(requests);
        return progress;
      },
      check: (some) => store.check(some, schemas),
      refresh: () => store.refresh(requests),
    };
  }, [store, requests, schemas, version]);
}
