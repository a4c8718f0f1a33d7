import { create, type StoreApi } from "zustand";
import { RefusedError } from "#api/api-error.ts";
import type { StoreName } from "#storage/keys.ts";
import type { RowStore } from "#storage/rows.ts";
import { trackedRows } from "#storage/tracked-jobs.ts";
import { readAll, readOne } from "#storage/typed-rows.ts";
import { type Batch, batchKey, batchRows, isAgreed } from "../stored-batches.ts";
import { outboxRows } from "../submit/outbox-rows.ts";
import type { SubmitOrder } from "../submit/run.ts";
import type { NotSentReason, SubmitState } from "../submit/submit-state.ts";
import { type ItemView, viewItems } from "./item-states.ts";

export { batchSums, type ItemState, type ItemView, itemTone, viewItems } from "./item-states.ts";

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
  /** The intents that are on their way to the service now: they may become jobs, whatever is cancelled meanwhile. */
  sendingNow(id: string): ReadonlySet<string>;
}

/** The name of a lock: one tab per batch. */
export const batchLockName = (id: string) => `batch:${id}`;

interface BatchWorld {
  accountId: string;
  rows: RowStore;
  sleep(ms: number): Promise<void>;
  nowMs(): number;
  /** Sends one run as its own intent. Resolves to its state afterwards. */
  send(order: SubmitOrder): Promise<SubmitState>;
  /** Calls back after rows of a store changed, in any tab. Returns the way to stop. */
  onChange(store: StoreName, listener: () => void): () => void;
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
    if (busy > 0 || running >= now.batch.rules.parallel) return "wait";
    if (!isAgreed(next.item)) return "done";
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
    sendingNow: (id) => new Set(sendingNow.get(id)?.split(" ") ?? []),
  };
}
