// From the click to the answer, in order: price, baseline, row, POST, and another attempt after a definite refusal.
import { type ApiError, isApiError, RefusedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import type { Job, JobRequest } from "#api/types.ts";
import { fullJitterMs } from "#lib/delay.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { StorageError } from "#storage/rows.ts";
import { asksFirst, limitsKey, readLimits } from "../ledger/spend-limits.ts";
import { type SubmitEffects, submitLockName } from "./effects.ts";
import { claimedJobs, listModelJobs, matchJobs, readBaseline } from "./match-jobs.ts";
import { addIntent, readIntent, record } from "./outbox.ts";
import type { BodyKind, NotSentReason, OutboxRow, Refusal, SubmitState } from "./submit-state.ts";
import { type SubmitEvent, shownState } from "./transitions.ts";

export interface SubmitOrder {
  /** One consent to spend. The same id is never sent twice, from whichever tab. */
  intentId: string;
  request: JobRequest;
  /** The price on the button. */
  agreedMicroUsd: MicroUsd;
  /** The person was asked about this very price and agreed. */
  isConfirmed?: boolean;
  /** Ends the waiting for another attempt after a refusal. It never ends a request that was sent. */
  cancel?: AbortSignal;
}

/**
 * How a run ended. `unused`: no row was written, and the same intent may be tried again. `reconcile`: the outcome is
 * open, and recovery must poll for the job. `done`: settled.
 */
type SubmitEnd = "unused" | "reconcile" | "done";

type NotSent = Extract<SubmitState, { phase: "not-sent" }>;

function notSent(reason: NotSentReason, more: Partial<NotSent> = {}): NotSent {
  return { phase: "not-sent", reason, ...more };
}

/**
 * From the click to the ledger. Nothing is sent before its row is committed; one POST per attempt; another attempt only
 * after a definite refusal; an open outcome is left to recovery and never sent again from here. Errors are shown.
 * Rejects only when the lock cannot be asked for.
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

/** The price must be known, exact, and not above what was agreed: a higher price asks again, a lower one does not. */
async function agreePrice(fx: SubmitEffects, order: SubmitOrder): Promise<MicroUsd | NotSent> {
  try {
    const price = await fx.api.price(order.request);
    if (!isMicroUsd(price)) return notSent("price-unknown");
    return price > order.agreedMicroUsd ? notSent("price-rose", { priceMicroUsd: price }) : price;
  } catch (error) {
    return notSent("price-unknown", { error });
  }
}

/** A run above the person's own mark asks once more. Limits that cannot be read ask too. */
async function needsConfirmation(fx: SubmitEffects, priceMicroUsd: MicroUsd): Promise<boolean> {
  try {
    return asksFirst(readLimits(await fx.rows.get("settings", limitsKey(fx.accountId))), priceMicroUsd);
  } catch {
    return true;
  }
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
  let row: OutboxRow;
  try {
    const added = await addIntent(fx, {
      intentId: order.intentId,
      request: order.request,
      priceMicroUsd,
      bodyKind,
      ...found,
    });
    if (added.kind !== "added") {
      const { kind, ...more } = added;
      show(notSent(kind, more));
      return kind === "already-sent" ? "done" : "unused";
    }
    row = added.row;
  } catch (error) {
    show(notSent("storage", { error: error instanceof StorageError ? undefined : error }));
    return "unused";
  }
  show(shownState(row));
  try {
    return await attemptUntilSettled(fx, row, started, order.cancel);
  } catch {
    // Whatever broke after the row was written, something may have been sent.
    show(shownState({ ...row, state: "unconfirmed" }));
    return "reconcile";
  }
}

/** Sends, and sends again only after a definite refusal, until the outcome is settled or open. */
async function attemptUntilSettled(
  fx: SubmitEffects,
  first: OutboxRow,
  firstStarted: Started,
  cancel?: AbortSignal,
): Promise<SubmitEnd> {
  let row = first;
  let started = firstStarted;
  const { intentId } = first;
  const show = (state: SubmitState) => fx.show(first.request.model, state);
  for (;;) {
    const outcome = await sendOnce(fx, row, started);
    if (outcome === "stale") {
      show(shownState({ ...row, state: "not-sent" }));
      return "done";
    }
    if (outcome.kind === "accepted") {
      const { job } = outcome;
      const event: SubmitEvent = { kind: "job-known", jobs: [job], how: "answered" };
      const settled = await record(fx, intentId, event).catch(() => undefined);
      const known = settled ?? { ...row, requestIds: [job.requestId], how: "answered" };
      show(shownState({ ...known, state: "accepted" }, { job, unsaved: !settled }));
      return "done";
    }
    if (outcome.kind === "unconfirmed") {
      const { surelyCharged } = outcome;
      await record(fx, intentId, { kind: "answer-lost", surelyCharged }).catch(() => {});
      show(shownState({ ...row, state: "unconfirmed", surelyCharged }));
      return "reconcile";
    }
    if (outcome.kind === "retry") {
      const next = await prepareRetry(fx, row, outcome, cancel).catch(() => undefined);
      if (next === "found") return "done";
      if (next) {
        ({ row, started } = next);
        show(shownState(row));
        continue;
      }
      const now = await readIntent(fx, intentId).catch(() => undefined);
      if (now && now.state !== "retrying" && now.state !== "sending") {
        show(shownState(now));
        return "done";
      }
    }
    const refusal = refusalOf(outcome.error);
    await record(fx, intentId, { kind: "refused", refusal }).catch(() => {});
    show(shownState({ ...row, state: "rejected", refusal }, { error: outcome.error }));
    return "done";
  }
}

/**
 * A page that slept between reading the list and its POST may have been given up by another tab, and knows an old list:
 * it must not send any more.
 */
const FRESH_MS = 30_000;

interface Started {
  monotonicMs: number;
  wallMs: number;
}

function startClock(fx: SubmitEffects): Started {
  return { monotonicMs: fx.monotonicMs(), wallMs: fx.nowMs() };
}

function isStale(fx: SubmitEffects, started: Started): boolean {
  return fx.monotonicMs() - started.monotonicMs > FRESH_MS || fx.nowMs() - started.wallMs > FRESH_MS;
}

/**
 * The one POST of an attempt whose row says `sending`. Nothing between the freshness check and the request waits, so a
 * frozen page that wakes up cannot send.
 */
async function sendOnce(fx: SubmitEffects, row: OutboxRow, started: Started): Promise<SendOutcome | "stale"> {
  if (isStale(fx, started)) {
    await record(fx, row.intentId, { kind: "stale", attempt: row.attempt });
    return "stale";
  }
  try {
    const options = { attemptId: `${row.intentId}.${row.attempt}`, body: row.bodyKind };
    return classifyAnswer(await fx.api.submit(row.request, options));
  } catch (error) {
    return classifyError(error);
  }
}

/** What the one POST came to. Nothing here reads an error's text: browsers give the same one for everything. */
type SendOutcome =
  | { kind: "accepted"; job: Job }
  | { kind: "rejected"; error: RefusedError }
  /** A definite refusal that the specification asks to try again (spec 7 rule 1). */
  | { kind: "retry"; error: RefusedError; readListFirst: boolean; mostAttempts: number }
  | { kind: "unconfirmed"; surelyCharged: boolean; error: ApiError | undefined };

/** Refusals by the service itself, after which no job exists (spec 7). */
const DEFINITE = new Set([400, 401, 402, 403, 404, 405, 413, 415, 422]);
const MOST_RATE_LIMITED = 6;
const MOST_UNAVAILABLE = 4;

const refusalOf = ({ status, message }: RefusedError): Refusal => ({ status, message });

/** Classes an error of the submit POST. Whatever is not surely a refusal is unconfirmed. Never throws. */
export function classifyError(error: unknown): SendOutcome {
  if (error instanceof RefusedError) {
    if (DEFINITE.has(error.status)) return { kind: "rejected", error };
    if (error.status === 429) return { kind: "retry", error, readListFirst: false, mostAttempts: MOST_RATE_LIMITED };
    if ((error.status === 502 || error.status === 503) && error.hasEnvelope) {
      return { kind: "retry", error, readListFirst: true, mostAttempts: MOST_UNAVAILABLE };
    }
    return { kind: "unconfirmed", surelyCharged: false, error };
  }
  const surelyCharged = error instanceof UnreadableAnswerError || error instanceof UnusableIdError;
  return { kind: "unconfirmed", surelyCharged, error: isApiError(error) ? error : undefined };
}

/** Classes a readable answer: accepted, with an id that can be used. */
function classifyAnswer(job: Job): SendOutcome {
  return job.requestId === ""
    ? { kind: "unconfirmed", surelyCharged: true, error: undefined }
    : { kind: "accepted", job };
}

const SHORTEST_RETRY_MS = 250;
const OVERSLEPT_MS = 30_000;

/**
 * Waits after a definite refusal. Resolves to the row of the next attempt, committed, or to undefined when it ends
 * here.
 */
async function prepareRetry(
  fx: SubmitEffects,
  row: OutboxRow,
  { error, readListFirst, mostAttempts }: Extract<SendOutcome, { kind: "retry" }>,
  cancel?: AbortSignal,
): Promise<{ row: OutboxRow; started: Started } | "found" | undefined> {
  if (row.attempt >= mostAttempts) return undefined;
  const waitMs = Math.max(SHORTEST_RETRY_MS, fullJitterMs({ attempt: row.attempt - 1, random: () => fx.random() }));
  const refusal = refusalOf(error);
  await record(fx, row.intentId, { kind: "refused-for-now", refusal });
  fx.show(row.request.model, shownState({ ...row, state: "retrying", refusal }, { nextAtMs: fx.nowMs() + waitMs }));
  const from = fx.monotonicMs();
  await fx.sleep(waitMs, cancel);
  // A page that slept far longer than it meant to does not send minutes after the person looked away.
  if (cancel?.aborted || fx.monotonicMs() - from > waitMs + OVERSLEPT_MS) return undefined;
  const started = startClock(fx);
  if (readListFirst) {
    const seen = await checkListBeforeRetry(fx, row);
    if (seen !== "clear") return seen === "found" ? "found" : undefined;
  }
  const next = await record(fx, row.intentId, { kind: "next-attempt" });
  return next?.state === "sending" && next.attempt === row.attempt + 1 ? { row: next, started } : undefined;
}

/**
 * Whether the list shows a job for an attempt that was refused with 502 or 503. A list that cannot be read counts as
 * unknown, and then nothing is sent again.
 */
async function checkListBeforeRetry(fx: SubmitEffects, row: OutboxRow): Promise<"clear" | "found" | "unknown"> {
  try {
    const listed = await listModelJobs(fx, row.request.model, row.listedAfterSeconds);
    const sets = { baseline: new Set(row.baseline), claimed: await claimedJobs(fx), payload: row.request.payload };
    const { ours, certain } = matchJobs(listed, sets);
    const [job, ...others] = ours;
    if (!job) return "clear";
    const how = certain ? "recovered" : "probable";
    const settled = await record(fx, row.intentId, { kind: "job-known", jobs: [job, ...others], how });
    if (settled) fx.show(row.request.model, shownState(settled, { job }));
    return "found";
  } catch {
    return "unknown";
  }
}
