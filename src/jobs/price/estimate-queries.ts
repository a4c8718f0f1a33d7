import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import type { MicroUsd } from "#lib/money.ts";
import { noteModelAnswer } from "#models/inactive-models.ts";
import { pollControlOf } from "../poll/poll-control.ts";
import { payloadKey } from "../request-key.ts";

/**
 * What is known of the price of a request. `former`: the price before the last change, of the same model. `isExact`: the
 * service told the price for this very payload, else for another one that costs the same by the rule of price groups.
 */
export type Price =
  | { state: "pricing"; formerMicroUsd?: MicroUsd | undefined }
  | { state: "priced"; priceMicroUsd: MicroUsd; isExact: boolean }
  | { state: "failed"; error: Error };

/** A price older than this is asked for again before anything is spent on it. */
export const PRICE_FRESH_MS = 60_000;

/** Who asks for a price: a form or a submit, which never wait, or something that can. */
type Pace = "unpaced" | "paced";

/**
 * The price of one exact payload, in micro-USD. Nothing is charged (spec 4.1), so it is a query. It is never aborted: a
 * form that changes must not take the price away from a submit that waits for it. Rejects with an `ApiError`.
 */
export const estimateQueries = (api: Api) => ({
  price: (request: JobRequest, pace: Pace = "unpaced") => {
    const accountId = getConnection()?.accountId ?? "";
    return queryOptions({
      queryKey: ["estimate", request.model, payloadKey(request.payload)],
      queryFn: async () => {
        const { sendPaced, sendUnpaced } = pollControlOf(api);
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
