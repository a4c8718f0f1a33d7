// From the click to the answer, in order: price, baseline, row, POST, and another attempt after a definite refusal.
import { retryDelayMs } from "#api/retry-policy.ts";
import type { JobRequest } from "#api/types.ts";
import type { ProjectCap } from "#ledger/spend-limits.ts";
import type { MicroUsd } from "#lib/money.ts";
import { StorageError } from "#storage/rows.ts";
import { agreePrice, checkLimits, loadProjectCap, type NotSent, notSent } from "./before-sending.ts";
import { type ShownOf, type SubmitEffects, submitLockName } from "./effects.ts";
import type { Intent } from "./intent.ts";
import { claimedJobs, findNamedJob, listBaseline, listModelJobs, matchJobs } from "./match-jobs.ts";
import { addIntent, readBaseline, readIntent, record } from "./outbox.ts";
import { attemptIdOf, classifyError, refusalOf, type SendOutcome, withHostMemory } from "./outcome.ts";
import { type SubmitState, shownState } from "./submit-state.ts";
import type { SubmitEvent } from "./transitions.ts";

export interface SubmitOrder {
  /** One consent to spend. The same id is never sent twice, from whichever tab. */
  intentId: string;
  request: JobRequest;
  /** The price on the button. */
  agreedMicroUsd: MicroUsd;
  /** The person was asked about this very price and agreed. */
  isConfirmed?: boolean;
  /** What it is spent on. */
  projectId?: string | undefined;
  /** Ends the waiting for another attempt after a refusal. It never ends a request that was sent. */
  cancel?: AbortSignal;
}

/**
 * How a run ended. `unused`: no row was written, and the same intent may be tried again. `reconcile`: the outcome is
 * open, and recovery must poll for the job. `done`: settled.
 */
type SubmitEnd = "unused" | "reconcile" | "done";

/**
 * From the click to the ledger. Nothing is sent before its row is committed; one POST per attempt; another attempt only
 * after a definite refusal; an open outcome is left to recovery and never sent again from here. Errors are shown.
 * Rejects only when the lock cannot be asked for.
 */
export async function runSubmit(fx: SubmitEffects, order: SubmitOrder): Promise<SubmitEnd> {
  const { model } = order.request;
  const shown = shownOf(order);
  const stop = (state: NotSent): SubmitEnd => {
    fx.show(shown, state);
    return "unused";
  };
  if (!fx.isOnline()) return stop(notSent("offline"));
  if (!fx.isRecordSafe()) return stop(notSent("storage-memory"));
  fx.show(shown, { phase: "sending", startedAtMs: fx.nowMs(), step: "checking" });
  const clicked = startClock(fx);
  const price = await agreePrice(fx, order);
  if (typeof price !== "number") return stop(price);
  const projectCap = await loadProjectCap(fx, order.projectId).catch(() => notSent("storage"));
  if (projectCap && "phase" in projectCap) return stop(projectCap);
  const objection = await checkLimits(fx, order, price, projectCap);
  if (objection) return stop(objection);
  // A page that slept after the click keeps the click's time, and so does not send minutes after the person looked
  // away. It still asks the outbox, which may hold this intent from another tab.
  const started = hasSlept(fx, clicked) ? clicked : startClock(fx);
  const outcome = await fx.locks.tryHold(submitLockName(fx.accountId, model), () =>
    sendUnderLock(fx, order, price, started, projectCap),
  );
  return outcome.held ? outcome.result : stop(notSent("other-tab"));
}

const shownOf = ({ intentId, request, agreedMicroUsd }: SubmitOrder): ShownOf => ({
  intentId,
  request,
  priceMicroUsd: agreedMicroUsd,
});

/** Baseline, then the durable row, then the POST and whatever follows from it. Runs under the model's lock. */
async function sendUnderLock(
  fx: SubmitEffects,
  order: SubmitOrder,
  priceMicroUsd: MicroUsd,
  started: Started,
  projectCap: ProjectCap | undefined,
): Promise<SubmitEnd> {
  const { model } = order.request;
  const show = (state: SubmitState) => fx.show(shownOf(order), state);
  const route = fx.api.route(order.request).catch((error: unknown) => notSent("host-unavailable", { error }));
  let listed: Awaited<ReturnType<typeof listBaseline>>;
  try {
    listed = await listBaseline(fx, model);
  } catch (error) {
    show(notSent("list-unread", { error }));
    return "unused";
  }
  const way = await route;
  if ("phase" in way) {
    show(way);
    return "unused";
  }
  let row: Intent;
  try {
    const { intentId, request, projectId } = order;
    const of = projectId === undefined ? {} : { projectId };
    const { ids, ...found } = listed;
    const intent = { intentId, request, priceMicroUsd, bodyKind: way.body, hostMemory: way.memory, ...found, ...of };
    const added = await addIntent(fx, intent, ids, projectCap);
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
  first: Intent,
  firstStarted: Started,
  cancel?: AbortSignal,
): Promise<SubmitEnd> {
  let row = first;
  let started = firstStarted;
  const { intentId } = first;
  const show = (state: SubmitState) => fx.show(first, state);
  for (;;) {
    let outcome = await sendOnce(fx, row, started);
    if (outcome === "stale") {
      show(shownState({ ...row, state: "not-sent" }));
      return "done";
    }
    if (outcome.kind === "unconfirmed") {
      const { refusal, possibleJob } = outcome;
      await record(fx, intentId, { kind: "answer-lost", refusal, possibleJob }).catch(() => {});
      const named = possibleJob ? await findNamedJob(fx, row, possibleJob) : "none";
      if (typeof named === "string") {
        show(shownState({ ...row, refusal, state: "unconfirmed" }));
        return "reconcile";
      }
      outcome = { kind: "accepted", job: named };
    }
    if (outcome.kind === "accepted") {
      const { job } = outcome;
      const event: SubmitEvent = { kind: "job-known", jobs: [job], how: "answered" };
      const settled = await record(fx, intentId, event).catch(() => undefined);
      const known = settled ?? { ...row, requestIds: [job.requestId], how: "answered" };
      show(shownState({ ...known, state: "accepted" }, { job, unsaved: !settled }));
      return "done";
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

const hasSlept = (fx: SubmitEffects, { monotonicMs }: Started) => fx.monotonicMs() - monotonicMs > FRESH_MS;
/** The wall clock jumped: the machine slept, which a monotonic clock may not count, or somebody set the clock. */
const hasJumped = (fx: SubmitEffects, { wallMs }: Started) => Math.abs(fx.nowMs() - wallMs) > FRESH_MS;

/**
 * The one POST of an attempt whose row says `sending`. Nothing between the freshness check and the request waits, so a
 * frozen page that wakes up cannot send.
 */
async function sendOnce(fx: SubmitEffects, row: Intent, started: Started): Promise<SendOutcome | "stale"> {
  let from = started;
  if (hasJumped(fx, from)) {
    // A clock that was set is no reason to stop, and a sleep is one: the record says whether another tab took over.
    from = { ...started, wallMs: fx.nowMs() };
    const now = await readIntent(fx, row.intentId).catch(() => undefined);
    if (now?.state !== "sending" || now.attempt !== row.attempt) return "stale";
  }
  if (hasSlept(fx, from) || hasJumped(fx, from)) {
    await record(fx, row.intentId, { kind: "stale", attempt: row.attempt });
    return "stale";
  }
  const options = { attemptId: attemptIdOf(row), body: row.bodyKind, memory: row.hostMemory };
  const outcome = await fx.api.submit(row.request, options).then<SendOutcome, SendOutcome>(
    (job) => ({ kind: "accepted", job }),
    (error: unknown) => classifyError(error, row.bodyKind),
  );
  return withHostMemory(fx, row, outcome);
}

const OVERSLEPT_MS = 30_000;

/**
 * Waits after a definite refusal. Resolves to the row of the next attempt, committed, or to undefined when it ends
 * here.
 */
async function prepareRetry(
  fx: SubmitEffects,
  row: Intent,
  { error, readListFirst, mostAttempts }: Extract<SendOutcome, { kind: "retry" }>,
  cancel?: AbortSignal,
): Promise<{ row: Intent; started: Started } | "found" | undefined> {
  if (row.attempt >= mostAttempts) return undefined;
  const waitMs = retryDelayMs(row.attempt - 1, error, () => fx.random());
  const refusal = refusalOf(error);
  await record(fx, row.intentId, { kind: "refused-for-now", refusal });
  fx.show(row, shownState({ ...row, state: "retrying", refusal }, { nextAtMs: fx.nowMs() + waitMs }));
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

/** Whether the list shows a job for a refused attempt that no other intent has. Unread, it is unknown: nothing is sent. */
async function checkListBeforeRetry(fx: SubmitEffects, row: Intent): Promise<"clear" | "found" | "unknown"> {
  try {
    const listed = await listModelJobs(fx, row.request.model, row.listedAfterSeconds);
    const { ours, certain } = matchJobs(listed, row, await readBaseline(fx, row), await claimedJobs(fx));
    const [job, ...others] = ours;
    if (!job) return "clear";
    const how = certain ? "recovered" : "probable";
    const settled = await record(fx, row.intentId, { kind: "job-known", jobs: [job, ...others], how });
    if (settled?.state !== "accepted") return "clear";
    fx.show(settled, shownState(settled, { job }));
    return "found";
  } catch {
    return "unknown";
  }
}
