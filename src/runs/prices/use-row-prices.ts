import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { requestKey } from "../request-key.ts";
import type { Price, PriceAsker } from "./estimate-queries.ts";
import { type PriceGroup, priceGroups } from "./price-groups.ts";
import {
  askPrices,
  checkPrices,
  forgetModelErrors,
  holdsPrice,
  type PriceProgress,
  readPrices,
  renewPrices,
} from "./row-prices.ts";

export interface RowPrices {
  /** Never throws; of a request that is not among the rows it is `pricing`. */
  of(request: JobRequest): Price;
  progress: PriceProgress;
  /**
   * What has to hold before these requests are agreed to (`checkPrices`). `changed`: how many of them have another price than
   * was shown, or none any more. Rejects with the `ApiError` of the first estimate that got no answer in five tries.
   */
  check(requests: readonly JobRequest[]): Promise<{ changed: number }>;
  /** Asks for all prices again. */
  refresh(): void;
}

/** How often it is looked whether something is to be asked for: what got no answer, or was found to be wrong meanwhile. */
const REST_MS = 30_000;
/** Answers that come together are shown together. */
const TOGETHER_MS = 100;

/**
 * The prices of many rows, live: rows that differ only in what does not move the price share one estimate. The rows may be
 * another list with each render. `countsNumbers`: numbers move the price, too.
 */
export function useRowPrices(requests: readonly JobRequest[], schemas: ModelSchemas, countsNumbers = false): RowPrices {
  const api = useApi();
  const client = useQueryClient();
  const rows = useSameRows(requests);
  const groups = useMemo(() => priceGroups(rows, schemas, countsNumbers), [rows, schemas, countsNumbers]);
  const asker = useMemo((): PriceAsker => ({ api, client }), [api, client]);
  const [starts, start] = useReducer((count: number) => count + 1, 0);
  const changes = usePriceChanges(client, start);
  useEffect(() => {
    // Read for its change alone.
    void starts;
    const abort = new AbortController();
    void keepAsking(asker, groups, abort.signal);
    return () => abort.abort();
  }, [asker, groups, starts]);

  return useMemo(() => {
    void changes;
    const { of, progress } = readPrices(client, groups);
    let read: PriceProgress | undefined;
    return {
      of,
      get progress() {
        read ??= progress(rows, schemas);
        return read;
      },
      check: (some) => checkPrices(asker, priceGroups(some, schemas, countsNumbers), of, some).finally(start),
      refresh: () => {
        renewPrices(asker, groups);
        start();
      },
    };
  }, [client, asker, groups, rows, schemas, countsNumbers, changes]);
}

/** Counts up when a price in the cache has changed, whoever asked for it; `onDropped`: the cache keeps one no longer. */
function usePriceChanges(client: QueryClient, onDropped: () => void): number {
  const [changes, note] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Prices that came since it was read.
    note();
    const stop = client.getQueryCache().subscribe(({ type, query }) => {
      if ((type !== "updated" && type !== "removed") || !holdsPrice(query)) return;
      if (type === "removed") onDropped();
      timer ??= setTimeout(() => {
        timer = undefined;
        note();
      }, TOGETHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, onDropped]);
  return changes;
}

async function keepAsking(asker: PriceAsker, groups: readonly PriceGroup[], signal: AbortSignal): Promise<void> {
  forgetModelErrors(asker, groups);
  while (!signal.aborted) {
    // What got no answer is shown by the prices, and has its next turn.
    await askPrices(asker, groups, { signal }).catch(() => undefined);
    await abortableDelay(REST_MS, signal).catch(() => undefined);
  }
}

/** The same list as long as it asks for the same. */
function useSameRows(requests: readonly JobRequest[]): readonly JobRequest[] {
  const [rows, setRows] = useState(requests);
  const isSame =
    rows === requests ||
    (rows.length === requests.length &&
      requests.every((request, at) => {
        const row = rows[at];
        return row === request || (row !== undefined && requestKey(row) === requestKey(request));
      }));
  if (!isSame) setRows(requests);
  return isSame ? rows : requests;
}
