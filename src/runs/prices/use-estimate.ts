import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { requestKey } from "../request-key.ts";
import { estimateQueries, type Price } from "./estimate-queries.ts";
import { costsTheSame } from "./price-rule.ts";

/** A form rests after this long without a change. */
const REST_MS = 300;
/** As long as a person rests between two thoughts: for changes that leave the price as it is. */
const LONG_REST_MS = 2000;
const NOTHING: JobRequest = { model: "", payload: {} };

/**
 * The live price of a request, for the Run button: asked for when the form rests, and the newest answer wins. Where only
 * words, seeds or images changed, the last price stays as the expected one and is asked for after a longer rest; a run asks
 * for the exact price in any case. Never throws: `failed` says why the newest payload has no price.
 */
export function useEstimate(request: JobRequest | undefined, schema: FormSchema): { price: Price; retry: () => void } {
  const wanted = request ?? NOTHING;
  const key = requestKey(wanted);
  const [rested, setRested] = useState(key);
  const isResting = rested === key;
  const query = useQuery({
    ...estimateQueries(useApi()).price(wanted),
    enabled: request !== undefined && isResting,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  // A price of another model is no hint for this one.
  const last = query.data?.request.model === wanted.model ? query.data : undefined;
  // After the newest payload was refused no price is expected, until one comes.
  const [wasRefused, setWasRefused] = useState(false);
  const isRefused = query.isError || (wasRefused && (query.isPending || query.isPlaceholderData));
  if (isRefused !== wasRefused) setWasRefused(isRefused);
  const isExpected = last !== undefined && !isRefused && costsTheSame(last.request, wanted, schema);
  const restMs = isExpected ? LONG_REST_MS : REST_MS;
  useEffect(() => {
    const wait = setTimeout(() => setRested(key), restMs);
    return () => clearTimeout(wait);
  }, [key, restMs]);

  const retry = () => void query.refetch();
  if (request !== undefined && isResting && !query.isFetching && query.error !== null) {
    return { price: { state: "failed", error: query.error }, retry };
  }
  const isExact = isResting && !query.isPlaceholderData && !query.isError && !(query.isFetching && query.isStale);
  if (last !== undefined && (isExact || isExpected)) {
    return { price: { state: "priced", priceMicroUsd: last.priceMicroUsd, isExact }, retry };
  }
  return { price: { state: "pricing", formerMicroUsd: last?.priceMicroUsd }, retry };
}
