import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import type { MicroUsd } from "#lib/money.ts";
import { estimateQueries, payloadKey } from "./estimate-queries.ts";

const DEBOUNCE_MS = 300;
const NOTHING: JobRequest = { model: "", payload: {} };

export interface EstimateState {
  /** The newest price known for this model; with `isStale` it belongs to an older payload. */
  priceMicroUsd: MicroUsd | undefined;
  isStale: boolean;
  /** Why the newest payload has no price. It never blocks the form. */
  error: Error | null;
  retry: () => void;
}

/** A text, once it has rested for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const wait = setTimeout(() => setRested(text), DEBOUNCE_MS);
    return () => clearTimeout(wait);
  }, [text]);
  return rested;
}

/**
 * The live price of a request, for the Run button: asked for when the form rests, the newest answer wins, and the last
 * price of the model stays, marked stale, until the next one is known. Whole micro-USD (spec 2). Never throws: a
 * failure is `error`.
 */
export function useEstimate(request: JobRequest | undefined): EstimateState {
  const api = useApi();
  const wanted = request ?? NOTHING;
  const key = payloadKey([wanted.model, wanted.payload]);
  const isResting = useRested(key) === key;
  const query = useQuery({
    ...estimateQueries(api).price(wanted),
    enabled: request !== undefined && isResting,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  // A price of another model is no hint for this one.
  const data = query.data?.model === wanted.model ? query.data : undefined;
  return {
    priceMicroUsd: data?.priceMicroUsd,
    isStale: !isResting || query.isPlaceholderData || query.isError || (query.isFetching && query.isStale),
    error: request !== undefined && isResting && !query.isFetching ? query.error : null,
    retry: () => void query.refetch(),
  };
}
