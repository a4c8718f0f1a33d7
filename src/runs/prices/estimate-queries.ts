import { type QueryClient, QueryObserver, type QueryState, queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import { isTransient } from "#api/retry-policy.ts";
import type { JobRequest } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import type { MicroUsd } from "#lib/money.ts";
import { noteModelAnswer } from "#models/inactive-models.ts";
import { getPollControl } from "../poll/poll-control.ts";
import { payloadKey } from "../request-key.ts";

/**
 * What is known of the price of a request. `formerMicroUsd`: the price before the last change, of the same model. `isExact`: the
 * service reported the price for this very payload, else for another one that costs the same by the rule of price groups.
 */
export type Price =
  | { state: "pricing"; formerMicroUsd?: MicroUsd | undefined }
  | { state: "priced"; priceMicroUsd: MicroUsd; isExact: boolean }
  | { state: "failed"; error: Error };

/** A price older than this is asked for again before anything is spent on it. */
export const PRICE_FRESH_MS = 60_000;

/** Who asks for a price: a form or a submit, which do not wait for the request budget, or something that can. */
type Pace = "unpaced" | "paced";

/** The client that asks for prices, and the cache that keeps the answers. */
export interface PriceAsker {
  api: Api;
  client: QueryClient;
}

/** The key of a price in the cache. */
export const estimateKey = ({ model, payload }: JobRequest) => ["estimate", model, payloadKey(payload)];

/** Why the service gives no price, where waiting does not change that. */
export const refusalIn = (state: Pick<QueryState, "error"> | undefined) =>
  state?.error && !isTransient(state.error) ? state.error : undefined;

/** Whose answers show which models are inactive: a client belongs to one account. */
const getAccountId = perConnection((_: Api) => getConnection()?.accountId ?? "");

/**
 * The price of one exact payload, in micro-USD. Nothing is charged (spec 4.1), so it is a query. One that was sent is never
 * aborted: a form that changes must not take the price away from what else waits for it. Rejects with an `ApiError`.
 */
export const estimateQueries = (api: Api) => ({
  price: (request: JobRequest, pace: Pace = "unpaced") => {
    const accountId = getAccountId(api);
    return queryOptions({
      queryKey: estimateKey(request),
      queryFn: async () => {
        const { sendPaced, sendUnpaced } = getPollControl(api);
        const send = pace === "paced" ? sendPaced : sendUnpaced;
        try {
          const { priceMicroUsd } = await send(() => api.estimate(request));
          noteModelAnswer(accountId, request.model, "estimate");
          return { request, priceMicroUsd };
        } catch (error) {
          noteModelAnswer(accountId, request.model, "estimate", error);
          throw error;
        }
      },
      staleTime: PRICE_FRESH_MS,
      gcTime: 5 * PRICE_FRESH_MS,
    });
  },
});

/**
 * The price of one payload, at most a minute old, for a run that waits for it. It is observed meanwhile: a form that goes on to
 * another payload would end the tries after a failure (React Query drops those of a query that nobody observes). Rejects with
 * the `ApiError` of the last of five tries.
 */
export async function fetchPrice({ api, client }: PriceAsker, request: JobRequest): Promise<MicroUsd> {
  const query = estimateQueries(api).price(request);
  const stop = new QueryObserver(client, { ...query, enabled: false }).subscribe(() => undefined);
  try {
    return (await client.fetchQuery(query)).priceMicroUsd;
  } finally {
    stop();
  }
}
