import type { Api } from "#api/create-api.ts";
import { isTransient } from "#api/retry-policy.ts";
import type { JobRequest } from "#api/types.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import { getPollControl } from "../poll/poll-control.ts";
import { requestKey } from "../request-key.ts";
import { estimateQueries, type PriceAsker, refusalIn } from "./estimate-queries.ts";

/** How long to wait before the next try: nobody sees the page, polls are paused, or the service gave no answer in five tries. */
const PAUSE_MS = 5_000;
/** After this many refusals and no price, a model counts as having none. It is asked about again once the cache drops them. */
const MAX_REFUSED = 3;
/** A payload with more characters contains whole files, and is not sent for an estimate. */
const MAX_PAYLOAD_CHARS = 32_000;

/**
 * Asks what past jobs, whose records have no price (spec 2), cost today, one after the other, and lets submits, the form's
 * estimates and polls go first (spec 4.1: nothing is charged). The same payload is asked for once, and not again where the
 * service refused. `onPrice` is called with each price. Resolves when all were asked for. Rejects with the signal's reason,
 * or as `onPrice` does.
 */
export async function askPastPrices(
  asker: PriceAsker,
  jobs: readonly (JobRequest & { requestId: string })[],
  onPrice: (requestId: string, priceMicroUsd: MicroUsd) => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (const { requestId, model, payload } of jobs) {
    const priceMicroUsd = await todaysPrice(asker, { model, payload }, signal);
    signal.throwIfAborted();
    if (priceMicroUsd !== undefined) await onPrice(requestId, priceMicroUsd);
  }
}

/** Resolves to undefined where the service refuses, and for a payload that contains whole files. */
async function todaysPrice({ api, client }: PriceAsker, request: JobRequest, signal: AbortSignal) {
  if (requestKey(request).length > MAX_PAYLOAD_CHARS) return undefined;
  const query = estimateQueries(api).price(request, "paced");
  for (;;) {
    while (isPaused(api)) await abortableDelay(PAUSE_MS, signal);
    signal.throwIfAborted();
    const pricesOfModel = client.getQueryCache().findAll({ queryKey: ["estimate", request.model] });
    const refused = pricesOfModel.filter(({ state }) => refusalIn(state));
    const hasNoPrices = refused.length >= MAX_REFUSED && pricesOfModel.every(({ state }) => state.data === undefined);
    if (hasNoPrices || refusalIn(client.getQueryState(query.queryKey))) return;
    try {
      return (await client.fetchQuery({ ...query, staleTime: Number.POSITIVE_INFINITY })).priceMicroUsd;
    } catch (error) {
      if (!isTransient(error)) return;
    }
    await abortableDelay(PAUSE_MS, signal);
  }
}

const isPaused = (api: Api) =>
  getPollControl(api).isPaused() || document.visibilityState === "hidden" || navigator.onLine === false;
