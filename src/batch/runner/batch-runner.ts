import { create } from "zustand";
import { createAlarm } from "#lib/delay.ts";
import type { Batch, BatchItem } from "#storage/stored-batches.ts";
import { dismissBatch, retryFailed } from "./batch-edits.ts";
import { AGAIN_MS, type BatchEffects, type BatchRun, type PauseReason, type Stored } from "./batch-effects.ts";
import { type ItemView, intentsOf, phaseOf } from "./item-states.ts";
import { createLanes } from "./run-lanes.ts";
import { createFailureCount, type Standing, standingOf } from "./stop-rules.ts";

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

/**
 * Sends what waits, until it is paused, done, or a rule or a run stops it. Resolves once nothing is on its way any more, to
 * the reason of the pause: undefined where all is done or the person paused it. Rejects where the database cannot be read or
 * written.
 */
async function runBatch(effects: BatchEffects, run: BatchRun): Promise<PauseReason | undefined> {
  const stopListening = wakeOnChanges(effects, run);
  const lanes = createLanes(effects, run);
  const countFailures = createFailureCount();
  const sendAll = async (): Promise<PauseReason | undefined> => {
    let starredBefore: ReadonlySet<string> | undefined;
    let readAnewAtMs = effects.nowMs();
    let open: readonly string[] = [];
    const known = (await effects.read(run.id)).batch?.items.flatMap(intentsOf) ?? [];
    if ((await effects.readAnew(run.id, known)).batch?.isDismissed) await dismissBatch(effects, run.id, false);
    for (;;) {
      // Taken before the read, so that a change during the read ends the wait below.
      const woken = run.alarm.signal();
      const isAnew = effects.nowMs() - readAnewAtMs >= READ_ANEW_MS;
      if (isAnew) readAnewAtMs = effects.nowMs();
      const stored = await (isAnew ? effects.readAnew(run.id, open) : effects.read(run.id));
      if (await lanes.restoreLost(stored)) continue;
      const { batch, sent } = stored;
      if (!batch || !run.isOn() || lanes.reason()) return;
      const now = standingOf(batch, sent, run.sending);
      open = now.views.filter(isOpen).flatMap(({ item }) => intentsOf(item));
      const { rules } = batch;
      const failures = countFailures(now.views, sent);
      if (rules.stopAfterFailures !== undefined && failures >= rules.stopAfterFailures)
        return { phase: "rule", rule: "failures", count: failures };
      // What had a star when the person pressed Resume does not stop the batch again.
      if (rules.stopAtStar) {
        starredBefore ??= stored.starred;
        if (hasNewStar(stored, starredBefore)) return { phase: "rule", rule: "star" };
      }
      if (await renew(effects, run, now, batch)) continue;
      if (!run.isOn() || lanes.reason()) return;
      if (lanes.sendNext(batch, now) || lanes.reason()) return;
      await effects.sleep(AGAIN_MS, woken);
    }
  };
  try {
    const reason = await sendAll().finally(lanes.ended);
    // A run that was being submitted until now may have been removed by another tab.
    await lanes.restoreLost(await effects.read(run.id));
    return reason ?? lanes.reason();
  } finally {
    stopListening();
  }
}

/** Whether a run was sent and has not ended. */
const isOpen = ({ state }: ItemView) => ["running", "unconfirmed"].includes(phaseOf(state));

/** So often a batch reads its open runs by key: a tab may have died before it announced what became of them. */
const READ_ANEW_MS = 30_000;
/** Many jobs change at once: one look is enough for all of them. */
const REST_MS = 200;

/** Ends a wait of the run early when something changes that it looks at. Returns the way to stop. */
function wakeOnChanges({ onChange, sleep }: BatchEffects, { alarm }: BatchRun): () => void {
  let isResting = false;
  const ringSoon = () => {
    if (isResting) return;
    isResting = true;
    void sleep(REST_MS).then(() => {
      isResting = false;
      alarm.ring();
    });
  };
  const stops = [onChange("batches", alarm.ring), onChange("jobs", ringSoon), onChange("marks", ringSoon)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Whether a result of the batch got a star since. */
function hasNewStar({ batch, sent, starred }: Stored, before: ReadonlySet<string>): boolean {
  const fresh = [...starred].filter((requestId) => !before.has(requestId));
  if (fresh.length === 0) return false;
  const ids = new Set((batch?.items ?? []).flatMap(intentsOf).flatMap((id) => sent.intent(id)?.requestIds ?? []));
  return fresh.some((requestId) => ids.has(requestId));
}

/** Puts every failed run that the rules retry back among the waiting ones. Resolves to whether any was put back. */
async function renew(effects: BatchEffects, { id, isOn }: BatchRun, now: Standing, { rules }: Batch): Promise<boolean> {
  let isAny = false;
  for (const { id: itemId } of now.retried) {
    if (!isOn()) return isAny;
    isAny = (await retryFailed(effects, id, itemId, rules.retries)) || isAny;
  }
  return isAny;
}
