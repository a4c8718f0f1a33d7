import { create, type StoreApi } from "zustand";
import type { RowStore } from "#storage/row.ts";
import { trackedRows } from "#storage/tracked-jobs.ts";
import { readAll, readOne } from "#storage/typed-rows.ts";
import { outboxRows } from "../submit/outbox-row.ts";
import type { SubmitOrder } from "../submit/run-submit.ts";
import type { NotSentReason, SubmitState } from "../submit/submit-state.ts";
import { batchKey, batchRows } from "./batch-row.ts";
import { type ItemView, viewItems } from "./batch-states.ts";

const AGAIN_MS = 1_500;
/** Refusals that would meet every other run as well: the key, the money, the pool. */
const STOPS_ALL = new Set([401, 402, 403]);
/** The model is busy with another attempt: this one waits its turn. */
const WAITS: readonly NotSentReason[] = ["other-tab", "unsettled"];

/** How a batch stands in this tab. A batch that no tab runs is paused: nothing starts it but a person. */
export type RunState = { phase: "running" } | { phase: "paused"; reason: SubmitState | undefined };
export type RunStates = Readonly<Record<string, RunState>>;

export interface BatchRunner {
  states: StoreApi<RunStates>;
  /** Sends what waits, in order, until it is paused, done, or something stands in the way. */
  start(id: string): Promise<void>;
  pause(id: string): void;
}

export interface BatchWorld {
  accountId: string;
  rows: RowStore;
  sleep(ms: number): Promise<void>;
  /** Sends one run as its own intent. Resolves to how it stands then. */
  send(order: SubmitOrder): Promise<SubmitState>;
  locks: {
    tryHold<T>(name: string, work: () => Promise<T>): Promise<{ held: true; result: T } | { held: false }>;
  };
}

/** Sends lined-up runs. Plain code, so that leaving the screen ends nothing; one tab per batch. */
export function createBatchRunner(world: BatchWorld): BatchRunner {
  const { accountId, rows } = world;
  const states = create<RunStates>(() => ({}));
  const active = new Set<string>();
  const set = (id: string, state: RunState) => states.setState({ [id]: state });
  const isRunning = (id: string) => states.getState()[id]?.phase === "running";

  async function read(id: string): Promise<{ views: ItemView[]; concurrency: number } | undefined> {
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
      concurrency: batch.concurrency,
    };
  }

  /** One step: sends the next run when there is room. Tells what to do then. */
  async function step(id: string): Promise<"again" | "wait" | "done" | SubmitState> {
    const now = await read(id);
    const next = now?.views.find(({ state }) => state.kind === "waiting");
    if (!now || !next) return "done";
    const busy = now.views.filter(({ state }) => state.kind === "sending" || state.kind === "unconfirmed").length;
    const running = now.views.filter(({ state }) => state.kind === "sent" && state.isRunning).length;
    if (busy > 0 || running >= now.concurrency) return "wait";
    const { intentId, request, priceMicroUsd } = next.item;
    // The person saw the total and agreed to it; a price that has risen since still stops here.
    const end = await world.send({ intentId, request, agreedMicroUsd: priceMicroUsd, isConfirmed: true });
    if (end.phase === "accepted") return "again";
    if (end.phase === "rejected") return STOPS_ALL.has(end.refusal.status) ? end : "again";
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
      // Paused and started again within one step: the loop that is still there goes on.
      if (active.has(id)) return;
      active.add(id);
      try {
        const { held } = await world.locks.tryHold(`batch:${id}`, () => runAll(id));
        if (!held) set(id, { phase: "paused", reason: { phase: "not-sent", reason: "other-tab" } });
      } catch (error) {
        set(id, { phase: "paused", reason: { phase: "not-sent", reason: "storage", error } });
      } finally {
        active.delete(id);
      }
    },
    pause: (id) => set(id, { phase: "paused", reason: undefined }),
  };
}
