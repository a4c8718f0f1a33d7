import { create, type StoreApi } from "zustand";
import { RefusedError } from "#api/api-error.ts";
import { hasNoResult, isFinal } from "#api/final-status.ts";
import type { RowStore } from "#storage/rows.ts";
import { type TrackedJob, trackedRows } from "#storage/tracked-jobs.ts";
import { readAll, readOne } from "#storage/typed-rows.ts";
import { hasDeletedInput } from "../job-inputs.ts";
import { type Batch, type BatchItem, batchKey, batchRows } from "../stored-batches.ts";
import { outboxRows } from "../submit/outbox-rows.ts";
import type { SubmitOrder } from "../submit/run.ts";
import type { NotSentReason, OutboxRow, SubmitState } from "../submit/submit-state.ts";
import { GONE } from "../track-job.ts";

/** The state of one run of a batch. It follows from the outbox alone, whichever page sent it. */
export type ItemState =
  | { kind: "waiting" }
  /** Not sent, and it is not going to be: the file at one of its addresses was deleted from this browser. */
  | { kind: "input-deleted" }
  | { kind: "sending" }
  /** The service's word of its job, and whether that is still under way. */
  | { kind: "sent"; requestId: string; status: string; isRunning: boolean }
  | { kind: "unconfirmed" }
  /** Searched for, and no job was found. */
  | { kind: "absent" }
  | { kind: "refused"; message: string };

export interface ItemView {
  item: BatchItem;
  state: ItemState;
}

function stateOf(row: OutboxRow | undefined, statusOf: (requestId: string) => string | undefined): ItemState {
  switch (row?.state) {
    case undefined:
    case "not-sent":
      return { kind: "waiting" };
    case "sending":
    case "retrying":
      return { kind: "sending" };
    case "accepted": {
      const [requestId = ""] = row.requestIds;
      const status = statusOf(requestId) ?? "queued";
      return { kind: "sent", requestId, status, isRunning: !isFinal(status) && status !== GONE };
    }
    case "unconfirmed":
      return { kind: "unconfirmed" };
    case "absent":
      return { kind: "absent" };
    case "rejected":
      return { kind: "refused", message: row.refusal?.message ?? "" };
  }
}

/** Every item of a batch with its state. Never throws. */
export function viewItems(batch: Batch, outbox: readonly OutboxRow[], tracked: readonly TrackedJob[]): ItemView[] {
  const rows = new Map(outbox.map((row) => [row.intentId, row]));
  const statuses = new Map(tracked.map(({ requestId, status }) => [requestId, status]));
  return batch.items.map((item) => {
    const state = stateOf(rows.get(item.intentId), (requestId) => statuses.get(requestId));
    const isGone = state.kind === "waiting" && hasDeletedInput(item.request.payload);
    return { item, state: isGone ? { kind: "input-deleted" } : state };
  });
}

/** What the runs of a batch have come to. */
export interface BatchSums {
  /** Not submitted yet. */
  waiting: number;
  submitted: number;
  done: number;
  /** Refused, failed, or with a deleted input. */
  failed: number;
  /** What the waiting ones would cost, in micro-USD. */
  waitingMicroUsd: number;
  /** Nothing waits and nothing is under way. */
  isOver: boolean;
}

/** Counts the runs of a batch. Never throws. */
export function batchSums(views: readonly ItemView[]): BatchSums {
  const count = (test: (state: ItemState) => boolean) => views.filter(({ state }) => test(state)).length;
  const waiting = views.filter(({ state }) => state.kind === "waiting");
  return {
    waiting: waiting.length,
    submitted: count(({ kind }) => kind === "sent"),
    done: count((state) => state.kind === "sent" && state.status === "success"),
    failed: count((state) => itemTone(state) === "failed"),
    waitingMicroUsd: waiting.reduce((total, { item }) => total + item.priceMicroUsd, 0),
    isOver:
      waiting.length === 0 &&
      count((state) => state.kind === "sending" || state.kind === "unconfirmed" || itemTone(state) === "queued") === 0,
  };
}

/** The colour of a run's state: `cancelled`, grey, for what is not submitted. Never throws. */
export function itemTone(state: ItemState): "queued" | "success" | "failed" | "cancelled" | "unconfirmed" {
  switch (state.kind) {
    case "waiting":
      return "cancelled";
    case "input-deleted":
    case "refused":
      return "failed";
    case "sending":
      return "queued";
    case "unconfirmed":
    case "absent":
      return "unconfirmed";
    case "sent":
      if (state.isRunning) return "queued";
      if (state.status === "success") return "success";
      return hasNoResult(state.status) && state.status !== "cancelled" ? "failed" : "cancelled";
  }
}

const AGAIN_MS = 1_500;
/** The key, the balance, the pool of providers. */
const STOPS_ALL = new Set([401, 402, 403]);

/** Whether a refusal is one that every other run would get as well; whatever the studio's own host refuses is one. */
function stopsAll({ refusal, error }: Extract<SubmitState, { phase: "rejected" }>): boolean {
  return STOPS_ALL.has(refusal.status) || (error instanceof RefusedError && error.hostReason !== undefined);
}

/** The model is busy with another attempt: this one waits its turn. */
const WAITS: readonly NotSentReason[] = ["other-tab", "unsettled"];

/** The state of a batch in this tab. A batch that no tab runs is paused: only a person starts it. */
export type RunState = { phase: "running" } | { phase: "paused"; reason: SubmitState | undefined };
type RunStates = Readonly<Record<string, RunState>>;

export interface BatchRunner {
  states: StoreApi<RunStates>;
  /** Sends what waits, in order, until it is paused, done, or a run cannot be sent. Never rejects. */
  start(id: string): Promise<void>;
  /** No further run is sent; one that is on its way goes on. */
  pause(id: string): void;
  /** Whether this tab still has the batch: also for a moment after it was paused. */
  isActive(id: string): boolean;
  /** The run that is on its way to the service now: it may become a job, whatever is cancelled meanwhile. */
  sendingNow(id: string): string | undefined;
}

/** The name of a lock: one tab per batch. */
export const batchLockName = (id: string) => `batch:${id}`;

interface BatchWorld {
  accountId: string;
  rows: RowStore;
  sleep(ms: number): Promise<void>;
  /** Sends one run as its own intent. Resolves to its state afterwards. */
  send(order: SubmitOrder): Promise<SubmitState>;
  locks: {
    tryHold<T>(name: string, work: () => Promise<T>): Promise<{ held: true; result: T } | { held: false }>;
  };
}

/** Sends the runs of batches. Outside React, so that leaving the screen ends nothing; one tab per batch. Never throws. */
export function createBatchRunner(world: BatchWorld): BatchRunner {
  const { accountId, rows } = world;
  const states = create<RunStates>(() => ({}));
  const active = new Set<string>();
  const sendingNow = new Map<string, string>();
  const set = (id: string, state: RunState) => states.setState({ [id]: state });
  const isRunning = (id: string) => states.getState()[id]?.phase === "running";

  async function read(id: string): Promise<{ views: ItemView[]; batch: Batch } | undefined> {
    const batch = await readOne(rows, batchRows, batchKey(accountId, id));
    if (!batch) return undefined;
    const outbox = await Promise.all(batch.items.map(({ intentId }) => readOne(rows, outboxRows, intentId)));
    const tracked = await readAll(rows, trackedRows, accountId);
    return {
      views: viewItems(
        batch,
        outbox.flatMap((row) => row ?? []),
        tracked,
      ),
      batch,
    };
  }

  /** One step: sends the next run when there is room. Returns what to do next, or why the batch stops. */
  async function step(id: string): Promise<"again" | "wait" | "done" | SubmitState> {
    const now = await read(id);
    const next = now?.views.find(({ state }) => state.kind === "waiting");
    if (!now || !next) return "done";
    const busy = now.views.filter(({ state }) => state.kind === "sending" || state.kind === "unconfirmed").length;
    const running = now.views.filter(({ state }) => state.kind === "sent" && state.isRunning).length;
    if (busy > 0 || running >= now.batch.concurrency) return "wait";
    const { intentId, request, priceMicroUsd } = next.item;
    const { projectId } = now.batch;
    // It was paused while the rows were read.
    if (!isRunning(id)) return "wait";
    sendingNow.set(id, intentId);
    // The person saw the total and agreed to it; a price that has risen since still stops here.
    const end = await world
      .send({ intentId, request, agreedMicroUsd: priceMicroUsd, isConfirmed: true, projectId })
      .finally(() => sendingNow.delete(id));
    if (end.phase === "accepted") return "again";
    if (end.phase === "rejected") return stopsAll(end) ? end : "again";
    if (end.phase === "not-sent") return WAITS.includes(end.reason) ? "wait" : end;
    return "wait";
  }

  async function runAll(id: string): Promise<void> {
    while (isRunning(id)) {
      const then = await step(id);
      if (then === "wait") await world.sleep(AGAIN_MS);
      else if (then !== "again") return set(id, { phase: "paused", reason: then === "done" ? undefined : then });
    }
  }

  return {
    states,
    async start(id) {
      set(id, { phase: "running" });
      // Paused and started again within one step: the loop that still runs goes on.
      if (active.has(id)) return;
      active.add(id);
      try {
        const { held } = await world.locks.tryHold(batchLockName(id), () => runAll(id));
        if (!held) set(id, { phase: "paused", reason: { phase: "not-sent", reason: "other-tab" } });
      } catch (error) {
        set(id, { phase: "paused", reason: { phase: "not-sent", reason: "storage", error } });
      } finally {
        active.delete(id);
      }
    },
    pause: (id) => set(id, { phase: "paused", reason: undefined }),
    isActive: (id) => active.has(id),
    sendingNow: (id) => sendingNow.get(id),
  };
}
