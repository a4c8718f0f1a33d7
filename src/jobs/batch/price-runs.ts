import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { randomId } from "#lib/random-id.ts";
import { estimateQueries } from "../estimate-queries.ts";
import { payloadKey } from "../payload-key.ts";
import type { BatchItem } from "./batch-row.ts";

/** Requests with their exact prices, each distinct payload asked for once (free, spec 4.1). Rejects when one has none. */
export async function priceRuns(
  api: Api,
  queryClient: QueryClient,
  requests: readonly JobRequest[],
): Promise<BatchItem[]> {
  const prices = new Map<string, number>();
  const items: BatchItem[] = [];
  for (const request of requests) {
    const key = payloadKey(request.payload);
    const known = prices.get(key);
    const price = known ?? (await queryClient.fetchQuery(estimateQueries(api).price(request))).priceMicroUsd;
    prices.set(key, price);
    items.push({ intentId: randomId(), request, priceMicroUsd: price });
  }
  return items;
}

/** The same request several times over. */
export function repeated(request: JobRequest, times: number): JobRequest[] {
  return Array.from({ length: times }, () => request);
}

/** One request per line of a text, each line in the place of the prompt. Empty lines are left out. */
export function onePerLine(request: JobRequest, promptKey: string, text: string): JobRequest[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .map((line) => ({ ...request, payload: { ...request.payload, [promptKey]: line } }));
}
