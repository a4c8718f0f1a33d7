import type { JobRequest } from "#api/types.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { isRecord } from "#lib/read.ts";
import { ROW_VERSIONS } from "#storage/keys.ts";
import { liveRowsOf } from "#storage/live-rows.ts";
import type { RowKind } from "#storage/typed-rows.ts";

/** One run of a batch. Its intent id makes sure that it is sent once, whichever tab sends it and after whatever crash. */
export interface BatchItem {
  intentId: string;
  request: JobRequest;
  /** The exact price that the person agreed to: never more is spent on it. */
  priceMicroUsd: MicroUsd;
}

/** Several runs of one model, sent one after the other while at most `concurrency` of their jobs run. */
export interface Batch {
  id: string;
  createdAtMs: number;
  concurrency: number;
  /** In the order in which they are sent. What was sent stays where it was. */
  items: BatchItem[];
  /** What its runs are spent on, as it was chosen when the batch was made. */
  projectId?: string;
}

export const MOST_ITEMS = 100;
export const MOST_AT_ONCE = 8;

function readItem(raw: unknown): BatchItem | undefined {
  if (!isRecord(raw) || typeof raw.intentId !== "string" || !isMicroUsd(raw.priceMicroUsd)) return undefined;
  const { request } = raw;
  if (!isRecord(request) || typeof request.model !== "string" || !isRecord(request.payload)) return undefined;
  return {
    intentId: raw.intentId,
    request: { model: request.model, payload: request.payload },
    priceMicroUsd: raw.priceMicroUsd,
  };
}

/** How a batch is stored. One with a run that cannot be read is not read at all: a run must not vanish silently. */
export const batchRows: RowKind<Batch> = {
  store: "batches",
  version: ROW_VERSIONS.batches,
  read: (raw) => {
    if (!isRecord(raw) || typeof raw.id !== "string" || typeof raw.createdAtMs !== "number") return undefined;
    if (!Array.isArray(raw.items)) return undefined;
    const items = raw.items.map(readItem);
    if (items.some((item) => item === undefined)) return undefined;
    const concurrency = typeof raw.concurrency === "number" ? Math.round(raw.concurrency) : 1;
    return {
      id: raw.id,
      createdAtMs: raw.createdAtMs,
      concurrency: Math.min(MOST_AT_ONCE, Math.max(1, concurrency)),
      items: items as BatchItem[],
      ...(typeof raw.projectId === "string" ? { projectId: raw.projectId } : {}),
    };
  },
};

/** The key of a batch's row: account and id. */
export const batchKey = (accountId: string, id: string) => `${accountId}|${id}`;

/** The batches of one account that this browser stores, newest first. */
export const batchesOf = liveRowsOf(batchRows, (batches): readonly Batch[] =>
  batches.sort((a, b) => b.createdAtMs - a.createdAtMs),
);
