import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { payloadKey } from "./payload-key.ts";
import { watchControlOf } from "./watch/watch-control.ts";

/** A price older than this is asked for again before anything is spent on it. */
export const PRICE_FRESH_MS = 60_000;

/** The price of one exact payload. Nothing is charged (spec 4.1), so it is a query, and an older one is aborted. */
export const estimateQueries = (api: Api) => ({
  price: (request: JobRequest) =>
    queryOptions({
      queryKey: ["estimate", request.model, payloadKey(request.payload)],
      queryFn: async ({ signal }) => {
        const estimate = await watchControlOf(api).watchLimit(() => api.estimate(request, signal));
        return { ...estimate, model: request.model };
      },
      staleTime: PRICE_FRESH_MS,
      gcTime: 5 * PRICE_FRESH_MS,
    }),
});
