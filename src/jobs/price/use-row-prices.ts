import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { abortableDelay } from "#lib/delay.ts";
import { requestKey } from "../request-key.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";
import type { Price } from "./estimate-queries.ts";
import { type PriceGroup, priceGroups } from "./price-groups.ts";
import {
  askPrices,
  checkPrices,
  forgetPrices,
  observedQueries,
  type PriceAsker,
  type PriceProgress,
  readPrices,
} from "./row-prices.ts";

export interface RowPrices {
  /** Never throws; of a request that is not among the rows it is `pricing`. */
  of(request: JobRequest): Price;
  progress: PriceProgress;
  /**
   * Checks every price group of these requests, and asks anew for prices older than a minute. `changed`: how many of them
   * have another price than was shown, or none any more. Rejects with the `ApiError` of the first estimate that fails.
   */
  check(requests: readonly JobRequest[]): Promise<{ changed: number }>;
  /** Asks for all prices again. */
  refresh(): void;
}

/** After five tries without an answer. */
const REST_MS = 30_000;

/**
 * The prices of many rows, live: rows that differ only in what does not move the price share one estimate. The rows may be
 * another list with each render. Never throws.
 */
export function useRowPrices(requests: readonly JobRequest[], schemas: ModelSchemas): RowPrices {
  const api = useApi();
  const client = useQueryClient();
  const rows = useSameRows(requests);
  const groups = useMemo(() => priceGroups(rows, schemas), [rows, schemas]);
  const [answers, noteAnswer] = useReducer((count: number) => count + 1, 0);
  const [refreshes, noteRefresh] = useReducer((count: number) => count + 1, 0);
  const asker = useMemo((): PriceAsker => ({ api, client, onAnswer: noteAnswer }), [api, client]);
  useEffect(() => {
    // Read for its change alone.
    void refreshes;
    const abort = new AbortController();
    void keepAsking(asker, groups, abort.signal);
    return () => abort.abort();
  }, [asker, groups, refreshes]);

  // Observed, so that the cache keeps them for as long as they are shown. They are asked for above, a few at a time.
  const queries = useMemo(() => {
    void answers;
    const options = { enabled: false, notifyOnChangeProps: [...OBSERVED_PROPS] };
    return observedQueries(api, client, groups).map((query) => ({ ...query, ...options }));
  }, [api, client, groups, answers]);
  const results = useQueries({ queries });
  return useMemo(() => {
    void results;
    const { of, progress } = readPrices(client, groups);
    let read: PriceProgress | undefined;
    return {
      of,
      get progress() {
        read ??= progress(rows, schemas);
        return read;
      },
      check: (some) => checkPrices(asker, priceGroups(some, schemas), of, some),
      refresh: () => {
        forgetPrices(asker, groups);
        noteRefresh();
      },
    };
  }, [client, asker, groups, rows, schemas, results]);
}

const OBSERVED_PROPS = ["data", "error", "failureReason"] as const;

/** Asks until all is known; where the service does not answer, again and again with a rest. */
async function keepAsking(asker: PriceAsker, groups: readonly PriceGroup[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await askPrices(asker, groups, { signal });
    } catch {
      await abortableDelay(REST_MS, signal).catch(() => undefined);
    }
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
