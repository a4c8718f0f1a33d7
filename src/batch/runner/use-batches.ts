// The stored batches as React state, and the runner that this browser gives each account.

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import { isJobRunning } from "#api/jobs.ts";
import { useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { readRowsNow, storedRowsQuery } from "#connection/stored-rows.ts";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { marksQuery } from "#results/marks/marks.ts";
import { type TrackedJob, trackedQuery, useAreTrackedJobsRead, useTrackedJobs } from "#runs/poll/use-jobs.ts";
import type { Intent } from "#runs/rules/intent.ts";
import { browserRunEffects } from "#runs/submit/effects.ts";
import { intentRows } from "#runs/submit/outbox.ts";
import { type Submissions, useSubmissions } from "#runs/submit/submissions.ts";
import { noteMissedChanges, onChange } from "#storage/changes.ts";
import { browserRows } from "#storage/database.ts";
import { trackedKey } from "#storage/job-records.ts";
import { LOCKS } from "#storage/keys.ts";
import { type Batch, batchKey, batchRows } from "#storage/stored-batches.ts";
import type { BatchStorage } from "./batch-edits.ts";
import { type BatchRunner, batchLockName, createBatchRunner, type RunState, type Stored } from "./batch-runner.ts";
import { createBatchViews, indexSent, type Sent, type StoredView } from "./batch-views.ts";

const getBatchRunner = perConnection((submissions: Submissions, accountId: string, client: QueryClient) =>
  createBatchRunner({
    ...browserRunEffects(accountId),
    read: (id) => readStored(client, accountId, id),
    readAnew: (id, intentIds) => readAnew(client, accountId, id, intentIds),
    send: submissions.send,
    onChange,
  }),
);

const batchesQuery = (accountId: string) =>
  storedRowsQuery(batchRows, accountId, (batches): readonly Batch[] =>
    batches.sort((a, b) => b.createdAtMs - a.createdAtMs),
  );

/** The batches of the current account in this browser, newest first. */
export function useStoredBatches(): readonly Batch[] {
  return useQuery(batchesQuery(useConnection()?.accountId ?? "")).data ?? NO_BATCHES;
}

const intentsQuery = (accountId: string) =>
  storedRowsQuery(intentRows, accountId, (intents): readonly Intent[] => intents);

/** Looks up intents and jobs. The same object until a row changes. The client only says whose object it is. */
const getSent = perConnection((_client: QueryClient) => {
  let last: { intents: readonly Intent[]; tracked: readonly TrackedJob[]; sent: Sent } | undefined;
  return (intents: readonly Intent[], tracked: readonly TrackedJob[]): Sent => {
    if (last?.intents !== intents || last.tracked !== tracked)
      last = { intents, tracked, sent: indexSent(intents, tracked) };
    return last.sent;
  };
});

/**
 * Reads a batch, and these intents with their jobs, from the database even if no tab announced a change of them
 * (`BatchEffects.readAnew`). Reads twice, because only the intents say which jobs they have. Exported for
 * tests.
 */
export async function readAnew(
  client: QueryClient,
  accountId: string,
  id: string,
  intentIds: readonly string[],
): Promise<Stored> {
  // Marks rows as changed in this page, so that the next read takes them from the database.
  noteMissedChanges({ batches: [batchKey(accountId, id)], outbox: intentIds });
  const { sent } = await readStored(client, accountId, id);
  const jobs = intentIds.flatMap((intentId) => sent.intent(intentId)?.requestIds ?? []);
  // Finished jobs do not change. A job without a row may still run.
  const mayRun = jobs.filter((requestId) => isJobRunning(sent.job(requestId) ?? QUEUED));
  noteMissedChanges({ jobs: mayRun.map((requestId) => trackedKey(accountId, requestId)) });
  return readStored(client, accountId, id);
}

/** Reads a batch, and the intents, jobs and stars of all batches: see `BatchEffects.read`. Exported for tests. */
export async function readStored(client: QueryClient, accountId: string, id: string): Promise<Stored> {
  const [batches, intents, tracked, marks] = await Promise.all([
    readRowsNow(client, batchesQuery(accountId)),
    readRowsNow(client, intentsQuery(accountId)),
    readRowsNow(client, trackedQuery(accountId)),
    readRowsNow(client, marksQuery(accountId)),
  ]);
  return {
    batch: batches.find((batch) => batch.id === id),
    sent: getSent(client)(intents, tracked),
    starred: new Set([...marks.values()].flatMap(({ requestId, isStarred }) => (isStarred ? [requestId] : []))),
  };
}

/** The views of a connection, which stay the same objects while they do not change. */
const getBatchViews = perConnection((_submissions: Submissions) => createBatchViews());

export interface BatchView extends StoredView {
  /** `elsewhere`: another tab runs the batch. */
  run: RunState | { phase: "elsewhere" };
}

interface BatchTools {
  runner: BatchRunner;
  /** The first argument of the functions of `batch-edits.ts`. */
  storage: BatchStorage;
}

export interface Batches extends BatchTools {
  /** Newest first. Empty until batches, intents and jobs are all read. */
  views: readonly BatchView[];
}

const PAUSED: RunState = { phase: "paused", reason: undefined };
const NO_VIEWS: readonly StoredView[] = [];
const NO_BATCHES: readonly Batch[] = [];
const NO_INTENTS: readonly Intent[] = [];
const QUEUED = { status: "queued" };

/** The stored batches, and which of them this tab runs. */
function useStored() {
  const accountId = useConnection()?.accountId ?? "";
  const submissions = useSubmissions();
  const client = useQueryClient();
  const runner = getBatchRunner(submissions, accountId, client);
  const runs = useStore(runner.states);
  const { data: batches = NO_BATCHES, isFetched: areBatchesRead } = useQuery(batchesQuery(accountId));
  const { data: intents = NO_INTENTS, isFetched: areIntentsRead } = useQuery(intentsQuery(accountId));
  const tracked = useTrackedJobs();
  const areJobsRead = useAreTrackedJobsRead();
  const deleted = useDeletedMedia();
  const isRead = areBatchesRead && areIntentsRead && areJobsRead;
  const views = isRead
    ? getBatchViews(submissions)({ batches, sent: getSent(client)(intents, tracked), deleted })
    : NO_VIEWS;
  return { isRead, views, runs, runner, storage: { rows: browserRows, accountId } };
}

/**
 * The last `BatchView` of each `StoredView`, so that it stays the same object while nothing changes. The run is added to a view
 * that is complete, because the sums of the view help to decide whether another tab runs the batch.
 */
const lastBatchViews = new WeakMap<StoredView, BatchView>();

function withRun(view: StoredView, run: BatchView["run"]): BatchView {
  const known = lastBatchViews.get(view);
  if (known?.run === run) return known;
  const batchView = { ...view, run };
  lastBatchViews.set(view, batchView);
  return batchView;
}

const ELSEWHERE = { phase: "elsewhere" } as const;

function useRuns(views: readonly StoredView[], { runs, runner }: ReturnType<typeof useStored>): readonly BatchView[] {
  const getRun = ({ batch }: StoredView) => runs[batch.id] ?? PAUSED;
  const mayBeElsewhere = (view: StoredView) =>
    getRun(view).phase === "paused" && !view.sums.isOver && !runner.isActive(view.batch.id);
  const takenLocks = useTakenLocks(views.some(mayBeElsewhere));
  return views.map((view) => {
    const isElsewhere = mayBeElsewhere(view) && takenLocks.includes(LOCKS.work(batchLockName(view.batch.id)));
    return withRun(view, isElsewhere ? ELSEWHERE : getRun(view));
  });
}

/** All batches of the current account, newest first, with their states. */
export function useBatches(): Batches {
  const stored = useStored();
  return { views: useRuns(stored.views, stored), runner: stored.runner, storage: stored.storage };
}

interface OneBatch extends BatchTools {
  view: BatchView | undefined;
  /** Whether the batches were read. Until then a missing view does not mean that the batch is missing. */
  isRead: boolean;
}

/** One batch of the current account. Its view and each of its items stay the same objects while they do not change. */
export function useBatch(id: string | undefined): OneBatch {
  const stored = useStored();
  const matching = stored.views.filter(({ batch }) => batch.id === id);
  const [view] = useRuns(matching, stored);
  return { view, isRead: stored.isRead, runner: stored.runner, storage: stored.storage };
}

/** Browsers have no event for locks of other tabs, so they are listed again this often, in milliseconds. */
const LOCKS_INTERVAL_MS = 1500;

/** The names of all locks that are taken now, in any tab, refreshed while they are wanted. None without Web Locks. */
function useTakenLocks(isWanted: boolean): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ["taken-locks"],
    async queryFn() {
      const { held: taken = [] } = (await navigator.locks?.query?.()) ?? {};
      return taken.flatMap(({ name }) => name ?? []);
    },
    enabled: isWanted,
    refetchInterval: LOCKS_INTERVAL_MS,
    staleTime: 0,
    retry: false,
  });
  return data;
}
