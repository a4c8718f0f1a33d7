import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import { estimateQueries, payloadKey } from "../price/estimate-queries.ts";
import type { BatchItem } from "../stored-batches.ts";
import { newItem } from "./batch-edits.ts";

/** A request with the exact price that was asked for it. */
export interface PricedRun {
  request: JobRequest;
  priceMicroUsd: MicroUsd;
}

/**
 * Requests with their exact prices in micro-USD, each distinct payload asked for once (free, spec 4.1). Rejects with the
 * `ApiError` of the first estimate that fails, or with the signal's reason.
 */
export async function priceRuns(
  api: Api,
  queryClient: QueryClient,
  requests: readonly JobRequest[],
  signal?: AbortSignal,
): Promise<PricedRun[]> {
  const prices = new Map<string, number>();
  const items: PricedRun[] = [];
  for (const request of requests) {
    signal?.throwIfAborted();
    const key = payloadKey(request.payload);
    const known = prices.get(key);
    const price = known ?? (await queryClient.fetchQuery(estimateQueries(api).price(request))).priceMicroUsd;
    prices.set(key, price);
    items.push({ request, priceMicroUsd: price });
  }
  return items;
}

/** The same request `times` times. Never throws. */
export function repeated(request: JobRequest, times: number): JobRequest[] {
  return Array.from({ length: times }, () => request);
}

/** One request per line of a text, each line in the place of the prompt. Empty lines are left out. Never throws. */
export function onePerLine(request: JobRequest, promptKey: string, text: string): JobRequest[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .map((line) => ({ ...request, payload: { ...request.payload, [promptKey]: line } }));
}

/** Runs of a group that the person agreed to, each with an intent of its own. Never throws. */
export function batchItems(runs: readonly PricedRun[], groupId: string): BatchItem[] {
  return runs.map(({ request, priceMicroUsd }) => newItem(request, groupId, { priceMicroUsd }));
}
