import type { JobRequest } from "#api/types.ts";
import { type Batch, DEFAULT_RULES } from "#storage/stored-batches.ts";

/** A batch whose runs were all agreed to, at one price: they wait to be sent. Ids follow from that of the batch. */
export function agreedBatch(id: string, requests: readonly JobRequest[], priceMicroUsd: number): Batch {
  return {
    id,
    name: "",
    createdAtMs: Date.now(),
    groups: [{ id: `${id}-runs`, name: "Runs", kind: "runs" }],
    items: requests.map((request, index) => ({
      id: `${id}-row-${index}`,
      groupId: `${id}-runs`,
      intentId: `${id}-${index}`,
      request,
      priceMicroUsd,
    })),
    rules: { ...DEFAULT_RULES, parallel: 1 },
  };
}
