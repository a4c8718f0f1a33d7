import { useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { abortableDelay } from "#lib/delay.ts";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { browserRows } from "#storage/database.ts";
import type { RowStore } from "#storage/rows.ts";
import { liveRowsOf } from "../live-rows.ts";
import { type Batch, batchesOf } from "../stored-batches.ts";
import { browserLocks } from "../submit/effects.ts";
import { outboxRows } from "../submit/outbox-rows.ts";
import type { Submissions } from "../submit/submissions.ts";
import type { OutboxRow } from "../submit/submit-state.ts";
import { useSubmissions } from "../submit/use-submit.ts";
import { useTrackedJobs } from "../use-tracked-jobs.ts";
import {
  type BatchRunner,
  batchSums,
  createBatchRunner,
  type ItemView,
  type RunState,
  viewItems,
} from "./batch-runner.ts";

const outboxOf = liveRowsOf(outboxRows, (rows): readonly OutboxRow[] => rows);

const runnerOf = perConnection((submissions: Submissions, accountId: string) =>
  createBatchRunner({
    accountId,
    rows: browserRows,
    sleep: (ms) => abortableDelay(ms),
    send: submissions.send,
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

/** Every batch of the current key, newest first, with exactly what was sent of it. */
export function useBatches(): Batches {
  const accountId = useConnection()?.accountId ?? "";
  const runner = runnerOf(useSubmissions(), accountId);
  const runs = useStore(runner.states);
  const stored = batchesOf(accountId);
  const batches = useSyncExternalStore(stored.subscribe, stored.snapshot);
  const sent = outboxOf(accountId);
  const outbox = useSyncExternalStore(sent.subscribe, sent.snapshot);
  const tracked = useTrackedJobs();
  // A run whose file was deleted waits no longer.
  useDeletedMedia();
  const views = batches.map((batch) => {
    const items = viewItems(batch, outbox, tracked);
    return { batch, items, run: runs[batch.id] ?? PAUSED, sums: batchSums(items) };
  });
  return { views, runner, where: { rows: browserRows, accountId } };
}
