import type { RowStore } from "#storage/row.ts";
import { putChange } from "#storage/typed-rows.ts";
import { outboxRows } from "../submit/outbox-row.ts";
import { type Batch, batchKey, batchRows } from "./batch-row.ts";

type Where = { rows: RowStore; accountId: string };

async function change({ rows, accountId }: Where, id: string, next: (batch: Batch) => Batch | undefined): Promise<void> {
  const key = batchKey(accountId, id);
  await rows.edit({ store: "batches", key }, (row) => {
    const batch = row && batchRows.read(row.body, row);
    const after = batch && next(batch);
    return { changes: after ? [putChange(batchRows, accountId, key, after)] : [], result: undefined };
  });
}

/** Keeps a new batch. Nothing is sent by it. */
export async function addBatch({ rows, accountId }: Where, batch: Batch): Promise<void> {
  const key = batchKey(accountId, batch.id);
  await rows.edit({ store: "batches", key }, () => ({
    changes: [putChange(batchRows, accountId, key, batch)],
    result: undefined,
  }));
}

/** Takes a run out that was not sent yet. One that has a record stays: it may have become a job. */
export async function removeItem(where: Where, id: string, intentId: string): Promise<void> {
  const row = await where.rows.get("outbox", intentId);
  if (row && outboxRows.read(row.body, row)?.state !== "not-sent") return;
  await change(where, id, (batch) => ({ ...batch, items: batch.items.filter((item) => item.intentId !== intentId) }));
}

/** Moves a run one place up or down. */
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

export async function setConcurrency(where: Where, id: string, concurrency: number): Promise<void> {
  await change(where, id, (batch) => ({ ...batch, concurrency }));
}

/** Forgets a batch. Its jobs stay where they are. */
export async function removeBatch({ rows, accountId }: Where, id: string): Promise<void> {
  const key = batchKey(accountId, id);
  await rows.edit({ store: "batches", key }, () => ({
    changes: [{ kind: "remove", store: "batches", key }],
    result: undefined,
  }));
}
