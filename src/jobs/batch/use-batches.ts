import { useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { RowStore } from "#storage/row.ts";
import { browserRows } from "../browser-rows.ts";
import { liveRowsOf } from "../live-rows.ts";
import { browserLocks } from "../submit/browser-locks.ts";
import { type OutboxRow, outboxRows } from "../submit/outbox-row.ts";
import type { Submissions } from "../submit/submissions.ts";
import { useDesk } from "../use-desk.ts";
import { useTrackedJobs } from "../use-tracked-jobs.ts";
import type { Batch } from "./batch-row.ts";
import { type BatchRunner, createBatchRunner, type RunState } from "./batch-runner.ts";
import { batchSums, type ItemView, viewItems } from "./batch-states.ts";
import { batchesOf } from "./stored-batches.ts";

const outboxOf = liveRowsOf(outboxRows, (a: OutboxRow, b: OutboxRow) => a.sentAtMs - b.sentAtMs);

const runnerOf = perConnection((desk: Submissions, accountId: string) =>
  createBatchRunner({
    accountId,
    rows: browserRows,
    sleep: (ms) => abortableDelay(ms),
    send: desk.send,
    locks: browserLocks,
  }),
);

export interface BatchView {
  batch: Batch;
  items: ItemView[];
  run: RunState;
  sums: ReturnType<typeof batchSums>;
}

export interface Batches {
  views: readonly BatchView[];
  runner: BatchRunner;
  /** For the edits of `batch-edits.ts`. */
  where: { rows: RowStore; accountId: string };
}

const PAUSED: RunState = { phase: "paused", reason: undefined };

/** Every line of runs of the current key, newest first, with exactly what was sent of it. */
export function useBatches(): Batches {
  const accountId = useConnection()?.accountId ?? "";
  const runner = runnerOf(useDesk(), accountId);
  const runs = useStore(runner.states);
  const stored = batchesOf(accountId);
  const batches = useSyncExternalStore(stored.subscribe, stored.snapshot);
  const sent = outboxOf(accountId);
  const outbox = useSyncExternalStore(sent.subscribe, sent.snapshot);
  const tracked = useTrackedJobs();
  const views = batches.map((batch) => {
    const items = viewItems(batch, outbox, tracked);
    return { batch, items, run: runs[batch.id] ?? PAUSED, sums: batchSums(items) };
  });
  return { views, runner, where: { rows: browserRows, accountId } };
}
