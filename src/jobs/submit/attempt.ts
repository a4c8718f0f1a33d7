import { fullJitterMs } from "#lib/backoff.ts";
import { claimedJobs } from "./claimed-jobs.ts";
import type { SendOutcome } from "./classify-outcome.ts";
import { findCandidates } from "./find-candidates.ts";
import { listModelJobs } from "./list-model-jobs.ts";
import { moveIntent, readIntent } from "./outbox.ts";
import type { OutboxRow } from "./outbox-row.ts";
import { type Started, sendOnce, startClock } from "./send-once.ts";
import { markUnconfirmed, settleAccepted, settleRejected } from "./settle.ts";
import { acceptedState, stateOfRow, unconfirmedState } from "./state-of-row.ts";
import type { SubmitEffects } from "./submit-effects.ts";
import type { Refusal } from "./submit-state.ts";

const SHORTEST_RETRY_MS = 250;
const OVERSLEPT_MS = 30_000;

type Retry = Extract<SendOutcome, { kind: "retry" }>;

const refusalOf = ({ error }: { error: Refusal }): Refusal => ({ status: error.status, message: error.message });

/** The definite no, recorded and shown. */
async function endRejected(
  fx: SubmitEffects,
  row: OutboxRow,
  outcome: Exclude<SendOutcome, { kind: "accepted" | "unconfirmed" }>,
) {
  const refusal = refusalOf(outcome);
  await settleRejected(fx, row.intentId, refusal).catch(() => {});
  fx.show(row.request.model, { phase: "rejected", refusal, error: outcome.error, attempts: row.attempt });
  return "done" as const;
}

/**
 * Whether the list shows a job for an attempt that was refused with 502 or 503. A list that cannot be read counts as
 * unknown, and then nothing is sent again.
 */
async function lookBeforeRetry(fx: SubmitEffects, row: OutboxRow): Promise<"clear" | "found" | "unknown"> {
  try {
    const listed = await listModelJobs(fx, row.request.model, row.listedAfterSeconds);
    const sets = { baseline: new Set(row.baseline), claimed: await claimedJobs(fx), payload: row.request.payload };
    const { ours, certain } = findCandidates(listed, sets);
    const [job, ...others] = ours;
    if (!job) return "clear";
    const settled = await settleAccepted(fx, row.intentId, [job, ...others], certain ? "recovered" : "probable");
    if (settled) fx.show(row.request.model, acceptedState(settled, job));
    return "found";
  } catch {
    return "unknown";
  }
}

/** Waits after a definite refusal. Gives the row of the next attempt, committed, or undefined when it ends here. */
async function prepareRetry(fx: SubmitEffects, row: OutboxRow, outcome: Retry, cancel?: AbortSignal) {
  if (row.attempt >= outcome.mostAttempts) return undefined;
  const waitMs = Math.max(SHORTEST_RETRY_MS, fullJitterMs({ attempt: row.attempt - 1, random: () => fx.random() }));
  const refusal = refusalOf(outcome);
  await moveIntent(fx, row.intentId, (now) => ({ row: { ...now, state: "retrying", refusal } }));
  fx.show(row.request.model, { phase: "retrying", attempt: row.attempt, nextAtMs: fx.nowMs() + waitMs, refusal });
  const from = fx.monotonicMs();
  await fx.sleep(waitMs, cancel);
  // A page that slept far longer than it meant to does not send minutes after the person looked away.
  if (cancel?.aborted || fx.monotonicMs() - from > waitMs + OVERSLEPT_MS) return undefined;
  const started = startClock(fx);
  if (outcome.lookFirst) {
    const seen = await lookBeforeRetry(fx, row);
    if (seen !== "clear") return seen === "found" ? ("found" as const) : undefined;
  }
  const next = await moveIntent(fx, row.intentId, (now) =>
    now.state === "retrying"
      ? { row: { ...now, state: "sending", attempt: now.attempt + 1, sentAtMs: fx.nowMs() } }
      : undefined,
  );
  return next?.state === "sending" && next.attempt === row.attempt + 1 ? { row: next, started } : undefined;
}

/** Sends, and sends again only after a definite refusal, until the outcome is settled or open. */
export async function attemptUntilSettled(
  fx: SubmitEffects,
  first: OutboxRow,
  firstStarted: Started,
  cancel?: AbortSignal,
): Promise<"reconcile" | "done"> {
  let row = first;
  let started = firstStarted;
  for (;;) {
    const { model } = row.request;
    const outcome = await sendOnce(fx, row, started);
    if (outcome === "stale") {
      fx.show(model, { phase: "not-sent", reason: "stale" });
      return "done";
    }
    if (outcome.kind === "accepted") {
      const settled = await settleAccepted(fx, row.intentId, [outcome.job], "answered").catch(() => undefined);
      const kept = settled ?? { ...row, requestIds: [outcome.job.requestId], how: "answered" as const };
      fx.show(model, { ...acceptedState(kept, outcome.job), ...(settled ? {} : { unsaved: true }) });
      return "done";
    }
    if (outcome.kind === "rejected") return endRejected(fx, row, outcome);
    if (outcome.kind === "unconfirmed") {
      await markUnconfirmed(fx, row.intentId, outcome.surelyCharged).catch(() => {});
      fx.show(model, unconfirmedState({ ...row, surelyCharged: outcome.surelyCharged }));
      return "reconcile";
    }
    const next = await prepareRetry(fx, row, outcome, cancel).catch(() => undefined);
    if (next === "found") return "done";
    if (next === undefined) {
      const now = await readIntent(fx, row.intentId).catch(() => undefined);
      if (now && now.state !== "retrying" && now.state !== "sending") {
        fx.show(model, stateOfRow(now));
        return "done";
      }
      return endRejected(fx, row, outcome);
    }
    ({ row, started } = next);
    fx.show(model, { phase: "sending", startedAtMs: row.sentAtMs, step: "sent" });
  }
}
