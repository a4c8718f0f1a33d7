import { queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import type { MicroUsd } from "#lib/money.ts";
import { isRecord } from "#lib/read.ts";
import { noteModelAnswer } from "#models/inactive-models.ts";
import { pollControlOf } from "../poll/poll-control.ts";

/**
 * What is known of the price of a request. `former`: the price before the last change, of the same model. `isExact`: the
 * service told the price for this very payload, else for another one that costs the same by the rule of price groups.
 */
export type Price =
  | { state: "pricing"; formerMicroUsd?: MicroUsd | undefined }
  | { state: "priced"; priceMicroUsd: MicroUsd; isExact: boolean }
  | { state: "failed"; error: Error };

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

const requestKeys = new WeakMap<JobRequest, string>();

/** One text per model and payload. Never throws for what came from JSON. */
export function requestKey(request: JobRequest): string {
  const key = requestKeys.get(request) ?? payloadKey([request.model, request.payload]);
  requestKeys.set(request, key);
  return key;
}

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
