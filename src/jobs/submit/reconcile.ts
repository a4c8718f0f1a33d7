import { claimedJobs } from "./claimed-jobs.ts";
import { findCandidates } from "./find-candidates.ts";
import { listModelJobs } from "./list-model-jobs.ts";
import { allIntents, moveIntent, readIntent } from "./outbox.ts";
import { isUnsettled, type OutboxRow } from "./outbox-row.ts";
import { markAbsent, settleAccepted } from "./settle.ts";
import { acceptedState, stateOfRow, unconfirmedState } from "./state-of-row.ts";
import { type SubmitEffects, settleLockName } from "./submit-effects.ts";

/** The list may show a job this long after it was made. An assumption, stated: a longer lag would be told wrongly. */
const ABSENT_AFTER_MS = 120_000;
const GOOD_LOOKS = 5;
const FIRST_LOOKS_MS = [2_000, 5_000];
const CLOSE_LOOK_MS = 10_000;
const CLOSE_UNTIL_MS = 180_000;
const FAR_LOOK_MS = 60_000;
/** After this much looking in vain, the looking ends. */
export const GIVE_UP_MS = 15 * 60_000;
/** After a failed look, the next one comes at most this soon. */
const FAILED_LOOK_MS = 5_000;

/** How long to wait before the next look, given how long was looked already. */
function nextLookMs(waitedMs: number, failed: boolean): number {
  if (failed) return waitedMs < CLOSE_UNTIL_MS ? FAILED_LOOK_MS : FAR_LOOK_MS;
  const first = FIRST_LOOKS_MS.find((at) => at > waitedMs);
  if (first !== undefined) return first - waitedMs;
  return waitedMs < CLOSE_UNTIL_MS ? CLOSE_LOOK_MS : FAR_LOOK_MS;
}

/** An open attempt of the same model may own what appears now: then an intent that was given up must not take it. */
async function slotIsOpen(fx: SubmitEffects, row: OutboxRow): Promise<boolean> {
  const others = (await allIntents(fx)).filter(({ intentId }) => intentId !== row.intentId);
  return others.some((other) => other.request.model === row.request.model && isUnsettled(other.state));
}

type Look = "settled" | "nothing" | "failed";

/** One look at the job list for one intent. Adopts what it finds. */
async function look(fx: SubmitEffects, row: OutboxRow): Promise<Look> {
  let listed: Awaited<ReturnType<typeof listModelJobs>>;
  try {
    listed = await listModelJobs(fx, row.request.model, row.listedAfterSeconds);
  } catch {
    return "failed";
  }
  const sets = { baseline: new Set(row.baseline), claimed: await claimedJobs(fx), payload: row.request.payload };
  const { ours, certain, foreignSeen } = findCandidates(listed, sets);
  const [job, ...others] = ours;
  if (!job || (row.state === "absent" && (await slotIsOpen(fx, row)))) return "nothing";
  const sure = certain || (others.length === 0 && !foreignSeen && !row.shared);
  const settled = await settleAccepted(fx, row.intentId, [job, ...others], sure ? "recovered" : "probable");
  if (settled)
    fx.show(row.request.model, settled.state === "accepted" ? acceptedState(settled, job) : stateOfRow(settled));
  return "settled";
}

/** Looks until the intent is settled, or long enough. Time counts only while somebody looks, by a clock that never jumps. */
async function lookUntilSettled(fx: SubmitEffects, intentId: string, poke: () => AbortSignal): Promise<void> {
  let failed = false;
  for (;;) {
    const before = await readIntent(fx, intentId);
    if (!before || !(before.state === "unconfirmed" || before.state === "absent")) return;
    if (before.waitedMs >= GIVE_UP_MS) return;
    const from = fx.monotonicMs();
    await fx.sleep(nextLookMs(before.waitedMs, failed), poke());
    const waitedMs = before.waitedMs + Math.max(0, fx.monotonicMs() - from);
    const seen = await look(fx, before);
    if (seen === "settled") return;
    failed = seen === "failed";
    const goodLooks = before.goodLooks + (failed ? 0 : 1);
    const enough = !failed && goodLooks >= GOOD_LOOKS && waitedMs >= ABSENT_AFTER_MS;
    const after =
      before.state === "unconfirmed" && enough
        ? await markAbsent(fx, intentId, goodLooks, waitedMs)
        : await moveIntent(fx, intentId, (row) =>
            row.state === before.state ? { row: { ...row, goodLooks, waitedMs } } : undefined,
          );
    if (after?.state === "unconfirmed") fx.show(after.request.model, unconfirmedState(after, failed));
    else if (after?.state === "absent" && before.state !== "absent") fx.show(after.request.model, stateOfRow(after));
  }
}

/**
 * Looks for the job of an intent whose answer was lost, by set difference against the job list. Adopts what appears;
 * says `absent` only after five good looks and 120 s of looking. Never sends anything. One tab at a time does it.
 * `poke` gives a signal that ends the wait early: after a wake-up, a focus, or the network coming back.
 */
export async function reconcile(
  fx: SubmitEffects,
  intentId: string,
  poke: () => AbortSignal = () => new AbortController().signal,
): Promise<void> {
  await fx.locks.tryHold(settleLockName(intentId), () => lookUntilSettled(fx, intentId, poke));
}
