import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { abortableDelay } from "#lib/delay.ts";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { browserRows } from "#storage/database.ts";
import { LOCKS } from "#storage/keys.ts";
import { liveRowsOf } from "#storage/live-rows.ts";
import type { RowStore } from "#storage/rows.ts";
import { type Batch, batchesOf } from "../stored-batches.ts";
import { browserLocks } from "../submit/effects.ts";
import { outboxRows } from "../submit/outbox-rows.ts";
import type { Submissions } from "../submit/submissions.ts";
import type { OutboxRow } from "../submit/submit-state.ts";
import { useSubmissions } from "../submit/use-submit.ts";
import { useTrackedJobs } from "../use-tracked-jobs.ts";
import {
  type BatchRunner,
  batchLockName,
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
  /** `elsewhere`: another tab sends it. */
  run: RunState | { phase: "elsewhere" };
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
  const own = batches.map((batch) => {
    const items = viewItems(batch, outbox, tracked);
    return { batch, items, run: runs[batch.id] ?? PAUSED, sums: batchSums(items) };
  });
  const mayBeElsewhere = ({ batch, run, sums }: (typeof own)[number]) =>
    run.phase === "paused" && sums.waiting > 0 && !runner.isActive(batch.id);
  const held = useHeldLocks(own.some(mayBeElsewhere));
  const views = own.map((view): BatchView => {
    const isElsewhere = mayBeElsewhere(view) && held.includes(LOCKS.work(batchLockName(view.batch.id)));
    return isElsewhere ? { ...view, run: { phase: "elsewhere" } } : view;
  });
  return { views, runner, where: { rows: browserRows, accountId } };
}

/** No event tells that another tab has taken a lock or let it go: they are listed again this often, ms. */
const LOOK_MS = 1500;

/** The names of all locks that are held now, in any tab; kept up to date while they are wanted. None without Web Locks. */
function useHeldLocks(isWanted: boolean): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ["held-locks"],
    async queryFn() {
      const { held = [] } = (await navigator.locks?.query?.()) ?? {};
      return held.flatMap(({ name }) => name ?? []);
    },
    enabled: isWanted,
    refetchInterval: LOOK_MS,
    staleTime: 0,
    retry: false,
  });
  return data;
}
