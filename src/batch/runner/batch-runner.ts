import { create } from "zustand";
import { createAlarm } from "#lib/delay.ts";
import type { BatchItem } from "#storage/stored-batches.ts";
import type { BatchEffects, BatchRun, PauseReason } from "./batch-effects.ts";
import { runBatch } from "./run-batch.ts";

/** The state of a batch in this tab. A batch that no tab runs is paused: only a person starts it. */
export type RunState = { phase: "running" } | { phase: "paused"; reason: PauseReason | undefined };
type RunStates = Readonly<Record<string, RunState>>;

export type BatchRunner = ReturnType<typeof createBatchRunner>;

/** The name of a lock: one tab per batch. */
export const batchLockName = (id: string) => `batch:${id}`;

/** Sends the runs of batches. Outside React, so that leaving the screen ends nothing; one tab per batch. */
export function createBatchRunner(effects: BatchEffects) {
  const states = create<RunStates>(() => ({}));
  /** The runs of this tab, also while they end. */
  const active = new Map<string, BatchRun>();
  /** A symbol for each Resume: an earlier run of the batch that still ends sees by it that it was replaced. */
  const wanted = new Map<string, symbol>();
  const set = (id: string, state: RunState) => states.setState({ [id]: state });

  /** From Resume to a pause, under the lock of the batch. */
  async function runOnce(id: string): Promise<PauseReason | undefined> {
    const token = wanted.get(id);
    const sending = new Map<string, BatchItem>();
    const run: BatchRun = { id, isOn: () => wanted.get(id) === token, sending, alarm: createAlarm() };
    active.set(id, run);
    const end = await effects.locks.tryHold(batchLockName(id), () => runBatch(effects, run));
    // Where another tab holds it, that is seen by the lock itself.
    return end.isAcquired ? end.result : undefined;
  }

  return {
    states,
    /** Sends what waits, until it is paused, done, or something stops it. Never rejects. */
    async start(id: string): Promise<void> {
      if (wanted.has(id)) return;
      const isEnding = active.has(id);
      wanted.set(id, Symbol(id));
      set(id, { phase: "running" });
      // The run before was paused and has not ended yet. Its loop below starts the next one.
      if (isEnding) return;
      while (wanted.has(id)) {
        const token = wanted.get(id);
        const reason = await runOnce(id).catch((): PauseReason => ({ phase: "storage-failed" }));
        if (wanted.get(id) !== token) continue;
        wanted.delete(id);
        set(id, { phase: "paused", reason });
      }
      active.delete(id);
    },
    /** No further run is sent; those that are on their way go on. */
    pause(id: string): void {
      wanted.delete(id);
      set(id, { phase: "paused", reason: undefined });
      active.get(id)?.alarm.ring();
    },
    /** Whether this tab still has the batch: also for a moment after it was paused. */
    isActive: (id: string): boolean => active.has(id),
    /**
     * The intents of a batch that are on their way to the service now: they may become jobs, whatever is cancelled meanwhile.
     */
    sendingNow: (id: string): ReadonlySet<string> => new Set(active.get(id)?.sending.keys()),
  };
}
