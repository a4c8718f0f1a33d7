import type { JobRequest } from "#api/types.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { StorageError } from "#storage/row.ts";
import { readLimits } from "../ledger/reservations.ts";
import { limitsKey } from "../ledger/spend-limits.ts";
import { attemptUntilSettled } from "./attempt.ts";
import { claimedJobs } from "./claimed-jobs.ts";
import { listModelJobs, listWindowStart } from "./list-model-jobs.ts";
import { addIntent } from "./outbox.ts";
import type { OutboxRow } from "./outbox-row.ts";
import { startClock } from "./send-once.ts";
import { unconfirmedState } from "./state-of-row.ts";
import { type BodyKind, type SubmitEffects, submitLockName } from "./submit-effects.ts";
import type { NotSentReason, SubmitState } from "./submit-state.ts";

export interface SubmitOrder {
  /** One consent to spend. The same id is never sent twice, from whichever tab. */
  intentId: string;
  request: JobRequest;
  /** The price on the button. */
  agreedMicroUsd: MicroUsd;
  /** The person was asked about this very price and said yes. */
  isConfirmed?: boolean;
  /** Ends the waiting for another try after a refusal. It never ends a request that was sent. */
  cancel?: AbortSignal;
}

/**
 * How a run ended. `unused`: no row was written, and the same intent may be tried again. `reconcile`: the outcome is
 * open, and `reconcile` must look for it. `done`: settled.
 */
export type SubmitEnd = "unused" | "reconcile" | "done";

type NotSent = Extract<SubmitState, { phase: "not-sent" }>;

function notSent(reason: NotSentReason, more: Partial<NotSent> = {}): NotSent {
  return { phase: "not-sent", reason, ...more };
}

/** The price must be known, exact, and not above what was agreed: a rise asks again, a fall does not. */
async function agreePrice(fx: SubmitEffects, order: SubmitOrder): Promise<MicroUsd | NotSent> {
  try {
    const price = await fx.api.price(order.request);
    if (!isMicroUsd(price)) return notSent("price-unknown");
    return price > order.agreedMicroUsd ? notSent("price-rose", { priceMicroUsd: price }) : price;
  } catch (error) {
    return notSent("price-unknown", { error });
  }
}

/** A run above the price that the person chose asks once more. Limits that cannot be read ask too. */
async function needsConfirmation(fx: SubmitEffects, priceMicroUsd: MicroUsd): Promise<boolean> {
  try {
    const limits = readLimits(await fx.rows.get("settings", limitsKey(fx.accountId)));
    const { confirmAboveMicroUsd, perRunMicroUsd } = limits;
    // Above the limit of one run no yes would send it: that is said at once.
    if (perRunMicroUsd !== undefined && priceMicroUsd > perRunMicroUsd) return false;
    return confirmAboveMicroUsd !== undefined && priceMicroUsd > confirmAboveMicroUsd;
  } catch {
    return true;
  }
}

/** What the list shows before anything is sent. Without it a lost answer could never be told apart, so nothing is sent. */
async function readBaseline(fx: SubmitEffects, model: string) {
  const listedAfterSeconds = listWindowStart(fx.nowMs());
  const listed = await listModelJobs(fx, model, listedAfterSeconds);
  const claimed = await claimedJobs(fx);
  const baseline = listed.map(({ requestId }) => requestId);
  return { baseline, listedAfterSeconds, shared: baseline.some((id) => !claimed.has(id)) };
}

/** Baseline, then the durable row, then the POST and whatever follows from it. Runs under the model's lock. */
async function sendUnderLock(fx: SubmitEffects, order: SubmitOrder, priceMicroUsd: MicroUsd): Promise<SubmitEnd> {
  const { model } = order.request;
  const show = (state: SubmitState) => fx.show(model, state);
  const started = startClock(fx);
  let found: Awaited<ReturnType<typeof readBaseline>>;
  let bodyKind: BodyKind;
  try {
    [found, bodyKind] = await Promise.all([readBaseline(fx, model), fx.api.bodyKind(order.request)]);
  } catch (error) {
    show(notSent("list-unread", { error }));
    return "unused";
  }
  const row: OutboxRow = {
    intentId: order.intentId,
    request: order.request,
    priceMicroUsd,
    state: "sending",
    attempt: 1,
    bodyKind,
    sentAtMs: fx.nowMs(),
    ...found,
    goodLooks: 0,
    waitedMs: 0,
    surelyCharged: false,
    dismissed: false,
    requestIds: [],
    how: undefined,
    refusal: undefined,
    auditDueAtMs: undefined,
    settledAtMs: undefined,
  };
  try {
    const added = await addIntent(fx, row);
    if (added.kind !== "added") {
      const { kind, ...more } = added;
      show(notSent(kind, more));
      return kind === "already-sent" ? "done" : "unused";
    }
  } catch (error) {
    show(notSent("storage", { error: error instanceof StorageError ? undefined : error }));
    return "unused";
  }
  show({ phase: "sending", startedAtMs: row.sentAtMs, step: "sent" });
  try {
    return await attemptUntilSettled(fx, row, started, order.cancel);
  } catch {
    // Whatever broke after the row was written, something may have been sent.
    show(unconfirmedState(row));
    return "reconcile";
  }
}

/**
 * From the click to the ledger. Nothing is sent before its row is committed; one POST per attempt; another attempt only
 * after a definite refusal; an open outcome is looked for in the job list and never sent again from here.
 */
export async function runSubmit(fx: SubmitEffects, order: SubmitOrder): Promise<SubmitEnd> {
  const { model } = order.request;
  const stop = (state: NotSent): SubmitEnd => {
    fx.show(model, state);
    return "unused";
  };
  if (!fx.isOnline()) return stop(notSent("offline"));
  if (!fx.isRecordSafe()) return stop(notSent("storage-memory"));
  fx.show(model, { phase: "sending", startedAtMs: fx.nowMs(), step: "checking" });
  const price = await agreePrice(fx, order);
  if (typeof price !== "number") return stop(price);
  if (!order.isConfirmed && (await needsConfirmation(fx, price))) {
    return stop(notSent("needs-confirmation", { priceMicroUsd: price }));
  }
  const outcome = await fx.locks.tryHold(submitLockName(fx.accountId, model), () => sendUnderLock(fx, order, price));
  return outcome.held ? outcome.result : stop(notSent("other-tab"));
}
