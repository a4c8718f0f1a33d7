import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { currentProjectOf, projectsKey } from "#ledger/spend-limits.ts";
import { randomId } from "#lib/random-id.ts";
import type { RowStore } from "#storage/rows.ts";
import { putChange, readOne, refuseNewer } from "#storage/typed-rows.ts";
import { estimateQueries, payloadKey } from "../price/estimate-queries.ts";
import { type Batch, type BatchItem, batchKey, batchRows } from "../stored-batches.ts";
import { outboxRows } from "../submit/outbox-rows.ts";

/** A request with the exact price that was asked for it. */
export type PricedRun = Pick<BatchItem, "request" | "priceMicroUsd">;

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

type Where = { rows: RowStore; accountId: string };

async function change(
  { rows, accountId }: Where,
  id: string,
  next: (batch: Batch) => Batch | undefined,
): Promise<void> {
  const key = batchKey(accountId, id);
  await rows.edit({ store: "batches", key }, (row) => {
    refuseNewer(batchRows, row);
    const batch = row && batchRows.read(row.body, row);
    const after = batch && next(batch);
    return { changes: after ? [putChange(batchRows, accountId, key, after)] : [], result: undefined };
  });
}

/** Each run with an intent of its own: made once for each batch, so that nothing is sent twice. */
export function batchItems(runs: readonly PricedRun[]): BatchItem[] {
  return runs.map((run) => ({ ...run, intentId: randomId() }));
}

/** Stores a new batch under the current project. Nothing is sent by it. Rejects with `StorageError` where nothing was written. */
export async function addBatch({ rows, accountId }: Where, batch: Batch): Promise<void> {
  const key = batchKey(accountId, batch.id);
  const reads = [{ store: "settings" as const, key: projectsKey(accountId) }];
  await rows.edit({ store: "batches", key, reads }, (_current, [projects]) => {
    const projectId = currentProjectOf(projects);
    const spent = projectId === undefined ? batch : { ...batch, projectId };
    return { changes: [putChange(batchRows, accountId, key, spent)], result: undefined };
  });
}

/**
 * Takes a run out that was not sent yet. One with a row in the outbox stays: it may have become a job. Rejects with
 * `StorageError`.
 */
export async function removeItem(where: Where, id: string, intentId: string): Promise<void> {
  const row = await where.rows.get("outbox", intentId);
  if (row && outboxRows.read(row.body, row)?.state !== "not-sent") return;
  await change(where, id, (batch) => ({ ...batch, items: batch.items.filter((item) => item.intentId !== intentId) }));
}

/**
 * Takes out every run that was not sent yet, except one that is on its way. What was sent stays, and the batch goes with
 * its last run. Rejects with `StorageError`.
 */
export async function cancelWaiting(where: Where, id: string, sendingNow: string | undefined): Promise<void> {
  const batch = await readOne(where.rows, batchRows, batchKey(where.accountId, id));
  const kept = new Set<string>();
  for (const { intentId } of batch?.items ?? []) {
    const row = await where.rows.get("outbox", intentId);
    const isSent = row !== undefined && outboxRows.read(row.body, row)?.state !== "not-sent";
    if (isSent || intentId === sendingNow) kept.add(intentId);
  }
  if (kept.size === 0) await removeBatch(where, id);
  else await change(where, id, (now) => ({ ...now, items: now.items.filter((item) => kept.has(item.intentId)) }));
}

/** Moves a run one place up or down; at the end nothing moves. Rejects with `StorageError`. */
export async function moveItem(where: Where, id: string, intentId: string, by: -1 | 1): Promise<void> {
  await change(where, id, (batch) => {
    const from = batch.items.findIndex((item) => item.intentId === intentId);
    const to = from + by;
    const moved = batch.items[from];
    if (!moved || to < 0 || to >= batch.items.length) return undefined;
    const items = batch.items.filter((item) => item !== moved);
    return { ...batch, items: [...items.slice(0, to), moved, ...items.slice(to)] };
  });
}

/** Removes a batch. Its jobs stay. Rejects with `StorageError`. */
export async function removeBatch({ rows, accountId }: Where, id: string): Promise<void> {
  const key = batchKey(accountId, id);
  await rows.edit({ store: "batches", key }, (row) => {
    refuseNewer(batchRows, row);
    return { changes: [{ kind: "remove", store: "batches", key }], result: undefined };
  });
}
