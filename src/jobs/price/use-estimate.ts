import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import type { MicroUsd } from "#lib/money.ts";
import { noteModelAnswer } from "#models/inactive-models.ts";
import { estimateQueries, payloadKey } from "./estimate-queries.ts";
import { priceDependenceOf } from "./price-dependence.ts";

/** A form rests after this long without a change. */
const REST_MS = 300;
/** As long as a person rests between two thoughts: for changes that most likely leave the price as it is. */
const LONG_REST_MS = 2000;
const NOTHING: JobRequest = { model: "", payload: {} };

export interface EstimateState {
  /** The newest price known for this model; with `isStale` it belongs to an older payload. */
  priceMicroUsd: MicroUsd | undefined;
  isStale: boolean;
  /** The service told this price for this very payload. Otherwise it is the price that is expected of it. */
  isExact: boolean;
  /** Why the newest payload has no price. It never blocks the form. */
  error: Error | null;
  retry: () => void;
}

/** A text, once it has rested for so long. */
function useRested(text: string, restMs: number): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const wait = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(wait);
  }, [text, restMs]);
  return rested;
}

/**
 * The live price of a request, for the Run button: asked for when the form rests, the newest answer wins, and the last
 * price of the model stays, marked stale, until the next one is known. Where only parameters changed that never moved
 * the price, it stays as the expected one and is asked for after a longer rest; a run asks for the exact price in any
 * case. Whole micro-USD (spec 2). Never throws: a failure is `error`.
 */
export function useEstimate(request: JobRequest | undefined): EstimateState {
  const api = useApi();
  const wanted = request ?? NOTHING;
  const key = payloadKey([wanted.model, wanted.payload]);
  const expected = request && priceDependenceOf(api).expectedMicroUsd(request);
  const isResting = useRested(key, expected === undefined ? REST_MS : LONG_REST_MS) === key;
  const query = useQuery({
    ...estimateQueries(api).price(wanted),
    enabled: request !== undefined && isResting,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const accountId = useConnection()?.accountId;
  useEffect(() => {
    const isAnswered = query.data !== undefined && !query.isPlaceholderData;
    if (accountId === undefined || (query.error === null && !isAnswered)) return;
    noteModelAnswer(accountId, wanted.model, "estimate", query.error ?? undefined);
  }, [accountId, wanted.model, query.error, query.data, query.isPlaceholderData]);
  // A price of another model is no hint for this one.
  const data = query.data?.model === wanted.model ? query.data : undefined;
  const isStale = !isResting || query.isPlaceholderData || query.isError || (query.isFetching && query.isStale);
  const isExpected = isStale && expected !== undefined && !query.isError;
  return {
    priceMicroUsd: isExpected ? expected : data?.priceMicroUsd,
    isStale: isStale && !isExpected,
    isExact: !isStale,
    error: request !== undefined && isResting && !query.isFetching ? query.error : null,
    retry: () => void query.refetch(),
  };
}
