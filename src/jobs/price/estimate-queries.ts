import { queryOptions } from "@tanstack/react-query";
import { isAbort } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { isRecord } from "#lib/read.ts";
import { pollControlOf } from "../poll/poll-control.ts";
import { priceDependenceOf } from "./price-dependence.ts";

/**
 * One text per payload, whatever the order of its keys: two forms that look the same are the same request. Never throws
 * for what came from JSON.
 */
export function payloadKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(payloadKey).join(",")}]`;
  if (isRecord(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${JSON.stringify(key)}:${payloadKey(value[key])}`)
      .join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** A price older than this is asked for again before anything is spent on it. */
export const PRICE_FRESH_MS = 60_000;

/**
 * The price of one exact payload, in micro-USD. Nothing is charged (spec 4.1), so it is a query, and an older one is
 * aborted. `send` paces it. Rejects with an `ApiError`.
 */
export const estimateQueries = (api: Api) => ({
  price: (request: JobRequest, send = pollControlOf(api).sendUnpaced) =>
    queryOptions({
      queryKey: ["estimate", request.model, payloadKey(request.payload)],
      queryFn: async ({ signal }) => {
        const prices = priceDependenceOf(api);
        try {
          const estimate = await send(() => api.estimate(request, signal));
          prices.note(request, estimate.priceMicroUsd);
          return { ...estimate, model: request.model };
        } catch (error) {
          if (!isAbort(error)) prices.noteFailure(request.model);
          throw error;
        }
      },
      staleTime: PRICE_FRESH_MS,
      gcTime: 5 * PRICE_FRESH_MS,
    }),
});
