import type { Batch } from "../stored-batches.ts";
import { dismissBatch, retryFailed } from "./batch-edits.ts";
import { createLanes } from "./run-lanes.ts";
import { openMemory } from "./run-memory.ts";
import { createReader } from "./run-reader.ts";
import { createFailureCount, type FailureCount, type Standing, standingOf } from "./run-rules.ts";
import { AGAIN_MS, type BatchRun, type BatchWorld, type PauseReason } from "./run-world.ts";

/**
 * Sends what waits, until it is paused, done, or a rule or a run stops it. Resolves to why, undefined where nothing is left
 * or the person paused it, once nothing is on its way any more. Rejects where the database cannot be read or written.
 */
export async function runBatch(world: BatchWorld, run: BatchRun): Promise<PauseReason | undefined> {
  const memory = await openMemory(world.rows, world.accountId, run.id);
  const reader = createReader(world, run, memory);
  const lanes = createLanes(world, run, memory);
  const failures = createFailureCount(memory);
  const sendAll = async (): Promise<PauseReason | undefined> => {
    if (memory.batch()?.isDismissed) await dismissBatch(world, run.id, false);
    for (;;) {
      const woken = run.wake.wait();
      await reader.refresh();
      if (await lanes.restoreLost()) reader.noteBatchChanged();
      const batch = memory.batch();
      if (!batch || !run.isOn() || lanes.reason()) return;
      const now = standingOf(batch, memory, run.sending);
      const broken = brokenRule(batch, now, failures, reader.hasNewStar());
      if (broken) return broken;
      if (await renew(world, run, now, batch)) {
        reader.noteBatchChanged();
        continue;
      }
      if (!run.isOn() || lanes.reason()) return;
      if (lanes.sendNext(batch, now) || lanes.reason()) return;
      await Promise.race([woken, world.sleep(AGAIN_MS)]);
    }
  };
  try {
    const reason = await sendAll().finally(lanes.ended);
    // What was on its way to the end may have been taken out meanwhile.
    await reader.refresh();
    await lanes.restoreLost();
    return reason ?? lanes.reason();
  } finally {
    reader.close();
  }
}

function brokenRule(
  { rules }: Batch,
  { views }: Standing,
  failures: FailureCount,
  hasNewStar: boolean,
): PauseReason | undefined {
  const count = failures.note(views);
  if (rules.stopAfterFailures !== undefined && count >= rules.stopAfterFailures)
    return { phase: "rule", rule: "failures", count };
  return rules.stopAtStar && hasNewStar ? { phase: "rule", rule: "star" } : undefined;
}

/** Makes another attempt of every run that the rules submit anew. Resolves to whether there is one now. */
async function renew(world: BatchWorld, { id, isOn }: BatchRun, now: Standing, { rules }: Batch): Promise<boolean> {
  let isAny = false;
  for (const { id: itemId } of now.retried) {
    if (!isOn()) return isAny;
    isAny = (await retryFailed(world, id, itemId, rules.retries)) || isAny;
  }
  return isAny;
}
