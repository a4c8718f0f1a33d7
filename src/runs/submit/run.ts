// From the press to the answer, in order: price, limits, baseline, row, POST, and another attempt after a definite refusal. What
// is shown follows from the event, also where the row could not be written: what is shown may be ahead of what is stored. The last
// part asks the host and the job list what became of an attempt. `recovery.ts` uses it, too.
import { asApiError, RefusedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import { asSentence } from "#api/explain-error.ts";
import { MAX_PAGE_JOBS, mayHaveMore } from "#api/job-list.ts";
import { isRecordOf } from "#api/jobs.ts";
import { retryDelayMs } from "#api/retry-policy.ts";
import type { Job, JobListParams, JobPage, JobRequest } from "#api/types.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { checkStoredLimits, readProjectCap, reservationReads } from "#runs/ledger/spend-limits.ts";
import {
  type Intent,
  type NotSentReason,
  type PossibleJob,
  type Refusal,
  type SubmitState,
  shownState,
} from "#runs/rules/intent.ts";
import { asksFirst, type ProjectCap } from "#runs/rules/limits.ts";
import {
  type AnswerEvent,
  eventOfError,
  eventOfHostMemory,
  fitsNamedJob,
  jobKnown,
  type Matches,
  matchJobs,
  windowFrom,
  withHostMemory,
} from "#runs/rules/proofs.ts";
import { isClaim, trackedRows } from "#storage/job-records.ts";
import { StorageError } from "#storage/rows.ts";
import { readAll } from "#storage/typed-rows.ts";
import { getAttemptId, type RunIdentity, type SubmitEffects, submitLockName } from "./effects.ts";
import { addIntent, getAttemptSlot, readBaseline, readIntent, record } from "./outbox.ts";

/** One run, as somebody wants it sent. */
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
 * From the click to the ledger. Nothing is sent before its row is committed; one POST per attempt; another attempt only
 * after a definite refusal; an open outcome is left to recovery and never sent again from here. Errors are shown. Resolves to
 * the state that was shown last. Rejects only when the lock cannot be asked for.
 */
export async function runSubmit(effects: SubmitEffects, order: SubmitOrder): Promise<SubmitState> {
  const { model } = order.request;
  const show = createShow(effects, getRunIdentity(order));
  if (!effects.isOnline()) return show(notSent("offline"));
  if (!effects.isRecordSafe()) return show(notSent("storage-memory"));
  show({ phase: "sending", startedAtMs: effects.nowMs(), step: "checking" });
  const clicked = startClock(effects);
  const price = await agreePrice(effects, order);
  if (typeof price !== "number") return show(price);
  const projectCap = await loadProjectCap(effects, order);
  if (projectCap && "phase" in projectCap) return show(projectCap);
  const objection = await checkLimits(effects, order, price, projectCap);
  if (objection) return show(objection);
  // After a sleep the time of the click is passed on, so that `sendOnce` refuses to send. The outbox is asked all the same: it
  // may say that another tab has sent this intent.
  const started = hasSlept(effects, clicked) ? clicked : startClock(effects);
  const outcome = await effects.locks.tryHold(submitLockName(effects.accountId, model), () =>
    sendUnderLock(effects, order, price, started, projectCap),
  );
  return outcome.isAcquired ? outcome.result : show(notSent("other-tab"));
}

/** Reasons for which a press sent nothing although the outbox has a row with its id. */
const REASONS_WITH_ROW: readonly NotSentReason[] = ["already-sent", "stale", "never-left"];

/** Whether a run ended before its row was written: then its id is not spent, and the same intent may be tried again. */
export const isUnspent = (state: SubmitState) => state.phase === "not-sent" && !REASONS_WITH_ROW.includes(state.reason);

const getRunIdentity = ({ intentId, request, agreedMicroUsd }: SubmitOrder): RunIdentity => ({
  intentId,
  request,
  priceMicroUsd: agreedMicroUsd,
});

/** Returns a function that shows a state of a run and returns that state. */
function createShow(effects: SubmitEffects, run: RunIdentity) {
  return <State extends SubmitState>(state: State): State => {
    effects.show(run, state);
    return state;
  };
}

type NotSent = Extract<SubmitState, { phase: "not-sent" }>;

/** The state of a run that was not submitted. */
function notSent(reason: NotSentReason, more: Partial<NotSent> = {}): NotSent {
  return { phase: "not-sent", reason, ...more };
}

/** The limit of a run's project, if it has one. Where the database cannot be read, nothing is sent. */
async function loadProjectCap(
  { rows, accountId }: SubmitEffects,
  { projectId }: SubmitOrder,
): Promise<ProjectCap | NotSent | undefined> {
  if (projectId === undefined) return undefined;
  return readProjectCap(rows, accountId, projectId).catch(() => notSent("storage"));
}

/** The exact price, if it is not above what was agreed. The person is asked again about a higher one. */
async function agreePrice(effects: SubmitEffects, order: SubmitOrder): Promise<MicroUsd | NotSent> {
  try {
    const price = await effects.api.price(order.request);
    if (!isMicroUsd(price)) return notSent("price-unknown");
    return price > order.agreedMicroUsd ? notSent("price-rose", { priceMicroUsd: price }) : price;
  } catch (error) {
    return notSent("price-unknown", { error });
  }
}

/**
 * Why a run of this price may not go on: it would break a limit, which no consent lifts, or it needs the person's
 * confirmation. Where the limits cannot be read, it needs one as well. After a confirmation `addIntent` decides then.
 */
async function checkLimits(
  effects: SubmitEffects,
  order: SubmitOrder,
  priceMicroUsd: MicroUsd,
  projectCap: ProjectCap | undefined,
): Promise<NotSent | undefined> {
  const needsConfirmation = notSent("needs-confirmation", { priceMicroUsd });
  try {
    const reads = reservationReads(effects.accountId);
    const stored = await Promise.all(reads.map(({ store, key }) => effects.rows.get(store, key)));
    const { limits, broken } = checkStoredLimits(stored, priceMicroUsd, effects.nowMs(), projectCap);
    if (broken) return notSent("over-cap", broken);
    return !order.isConfirmed && asksFirst(limits, priceMicroUsd) ? needsConfirmation : undefined;
  } catch {
    return order.isConfirmed ? undefined : needsConfirmation;
  }
}

/** A model with fewer jobs than this is listed whole, in one page. Of others only a window of time is listed. */
const MAX_LISTED_WHOLE = 200;

/**
 * What the list shows before anything is sent. Without it the job of a lost answer could not be recognized, so nothing is
 * sent: rejects when the list or the store cannot be read. Later polls of the list use the same window (`windowFrom`), which
 * is open where the model has few jobs.
 */
async function listBaseline(effects: SubmitEffects, model: string) {
  const first = await readModelPages(effects, { model_id: model }, { pageSize: MAX_LISTED_WHOLE, maxPages: 1 });
  const listedAfterSeconds = first.isWhole ? 0 : windowFrom(first.jobs, effects.api.serviceSeconds());
  const more = first.isWhole ? [] : await listModelJobs(effects, model, listedAfterSeconds);
  const claimed = await readClaimedIds(effects);
  const ids = new Set([...first.jobs, ...more].map(({ requestId }) => requestId));
  return { ids, listedAfterSeconds, shared: [...ids].some((id) => !claimed.has(id)) };
}

/** Baseline, then the durable row, then the POST and whatever follows from it. Runs under the model's lock. */
async function sendUnderLock(
  effects: SubmitEffects,
  order: SubmitOrder,
  priceMicroUsd: MicroUsd,
  started: Started,
  projectCap: ProjectCap | undefined,
): Promise<SubmitState> {
  const { model } = order.request;
  const show = createShow(effects, getRunIdentity(order));
  const routePromise = effects.api
    .route(order.request)
    .catch((error: unknown) => notSent("host-unavailable", { error }));
  let listed: Awaited<ReturnType<typeof listBaseline>>;
  try {
    listed = await listBaseline(effects, model);
  } catch (error) {
    return show(notSent("list-unread", { error }));
  }
  const route = await routePromise;
  if ("phase" in route) return show(route);
  let row: Intent;
  try {
    const { intentId, request, projectId } = order;
    const project = projectId === undefined ? {} : { projectId };
    const { ids, ...baselineFacts } = listed;
    const intent = {
      intentId,
      request,
      priceMicroUsd,
      bodyKind: route.body,
      hostMemory: route.memory,
      ...baselineFacts,
      ...project,
    };
    const added = await addIntent(effects, intent, ids, projectCap);
    if (added.kind !== "added") {
      const { kind, ...more } = added;
      return show(notSent(kind, more));
    }
    row = added.row;
  } catch (error) {
    return show(notSent("storage", { error: error instanceof StorageError ? undefined : error }));
  }
  show(shownState(row));
  try {
    return await attemptUntilSettled(effects, row, started, order.cancel);
  } catch {
    // Whatever broke after the row was written, something may have been sent.
    return show(shownState({ ...row, state: "unconfirmed" }));
  }
}

/** Sends, and sends again only after a definite refusal, until the outcome is settled or open. */
async function attemptUntilSettled(
  effects: SubmitEffects,
  first: Intent,
  firstStarted: Started,
  cancel?: AbortSignal,
): Promise<SubmitState> {
  let row = first;
  let started = firstStarted;
  const { intentId } = first;
  const show = createShow(effects, first);
  for (;;) {
    let event = await sendOnce(effects, row, started);
    if (event === "stale") return show(shownState({ ...row, state: "not-sent" }));
    if (event.kind === "answer-lost") {
      const { refusal, possibleJob } = event;
      await record(effects, intentId, event).catch(() => {});
      const named = possibleJob ? await findNamedJob(effects, row, possibleJob) : "none";
      if (typeof named === "string") return show(shownState({ ...row, refusal, state: "unconfirmed" }));
      event = jobKnown(named);
    }
    if (event.kind === "job-known") {
      const [job] = event.jobs;
      const settled = await record(effects, intentId, event).catch(() => undefined);
      const accepted = settled ?? { ...row, requestIds: [job.requestId], how: "answered" };
      return show(shownState({ ...accepted, state: "accepted" }, { job, unsaved: !settled }));
    }
    if (event.kind === "refused-for-now") {
      const next = await prepareRetry(effects, row, event, cancel).catch(() => undefined);
      if (next && "phase" in next) return next;
      if (next) {
        ({ row, started } = next);
        show(shownState(row));
        continue;
      }
      const stored = await readIntent(effects, intentId).catch(() => undefined);
      if (stored && stored.state !== "retrying" && stored.state !== "sending") return show(shownState(stored));
    }
    const { refusal, error } = event;
    await record(effects, intentId, { kind: "refused", refusal }).catch(() => {});
    return show(shownState({ ...row, state: "rejected", refusal }, { error }));
  }
}

/**
 * The longest time from reading the list to the POST. Where a page slept for longer, another tab may have taken its run over,
 * and its list is old: it must not send any more.
 */
const FRESH_MS = 30_000;

/** When the checks before a POST began, by both clocks, in ms. */
interface Started {
  monotonicMs: number;
  wallMs: number;
}

function startClock(effects: SubmitEffects): Started {
  return { monotonicMs: effects.monotonicMs(), wallMs: effects.nowMs() };
}

const hasSlept = (effects: SubmitEffects, { monotonicMs }: Started) => effects.monotonicMs() - monotonicMs > FRESH_MS;
/** The wall clock jumped: the machine slept, which a monotonic clock may not count, or somebody set the clock. */
const hasJumped = (effects: SubmitEffects, { wallMs }: Started) => Math.abs(effects.nowMs() - wallMs) > FRESH_MS;

/**
 * The one POST of an attempt whose row says `sending`. Nothing between the freshness check and the request waits, so a
 * frozen page that wakes up cannot send.
 */
async function sendOnce(effects: SubmitEffects, row: Intent, started: Started): Promise<AnswerEvent | "stale"> {
  let since = started;
  if (hasJumped(effects, since)) {
    // Somebody may have set the clock, which is no reason to stop, or the machine slept: then another tab may have moved the row.
    since = { ...started, wallMs: effects.nowMs() };
    const stored = await readIntent(effects, row.intentId).catch(() => undefined);
    if (stored?.state !== "sending" || stored.attempt !== row.attempt) return "stale";
  }
  if (hasSlept(effects, since) || hasJumped(effects, since)) {
    await record(effects, row.intentId, { kind: "stale", attempt: row.attempt });
    return "stale";
  }
  const options = { attemptId: getAttemptId(row), body: row.bodyKind, memory: row.hostMemory };
  const answer = await effects.api
    .submit(row.request, options)
    .then(jobKnown, (error: unknown) => eventOfError(asApiError(error), row.bodyKind));
  return askHostIfOpen(effects, row, answer);
}

/** A wait for another attempt that ends this much too late shows that the page slept. Independent of `FRESH_MS`. */
const MAX_LATE_MS = 30_000;

/**
 * Waits after a definite refusal. Resolves to the row of the next attempt, committed; to what is shown where the list has the
 * job after all; or to undefined where no attempt follows.
 */
async function prepareRetry(
  effects: SubmitEffects,
  row: Intent,
  { refusal, error, readListFirst, maxAttempts }: Extract<AnswerEvent, { kind: "refused-for-now" }>,
  cancel?: AbortSignal,
): Promise<{ row: Intent; started: Started } | SubmitState | undefined> {
  const show = createShow(effects, row);
  if (row.attempt >= maxAttempts) return undefined;
  const waitMs = retryDelayMs(row.attempt - 1, error, () => effects.random());
  await record(effects, row.intentId, { kind: "refused-for-now", refusal });
  show(shownState({ ...row, state: "retrying", refusal }, { nextAtMs: effects.nowMs() + waitMs }));
  const waitFromMs = effects.monotonicMs();
  await effects.sleep(waitMs, cancel);
  // After a sleep nothing is sent: the person may have looked away minutes ago.
  if (cancel?.aborted || effects.monotonicMs() - waitFromMs > waitMs + MAX_LATE_MS) return undefined;
  const started = startClock(effects);
  if (readListFirst) {
    const seen = await checkListBeforeRetry(effects, row);
    if (seen === "unknown") return undefined;
    if (seen !== "clear") return show(seen);
  }
  const next = await record(effects, row.intentId, { kind: "next-attempt" });
  return next?.state === "sending" && next.attempt === row.attempt + 1 ? { row: next, started } : undefined;
}

/**
 * Looks in the list for a job that a refused attempt made after all. Resolves to the state to show where there is one, and to
 * `clear` where there is none. `unknown`: the list cannot be read, or another intent may own what it shows; nothing is sent.
 */
async function checkListBeforeRetry(effects: SubmitEffects, row: Intent): Promise<"clear" | "unknown" | SubmitState> {
  try {
    const listed = await listModelJobs(effects, row.request.model, row.listedAfterSeconds);
    const matches = await matchListed(effects, row, listed);
    if (matches === "slot-taken") return "unknown";
    const { ours, certain } = matches;
    const [job, ...others] = ours;
    if (!job) return "clear";
    const how = certain ? "recovered" : "probable";
    const settled = await record(effects, row.intentId, { kind: "job-known", jobs: [job, ...others], how });
    return settled?.state === "accepted" ? shownState(settled, { job }) : "clear";
  } catch {
    return "unknown";
  }
}

/**
 * What the host knows of an attempt whose answer says neither yes nor no. The host never sends an attempt that it was asked
 * about: what has not left it by then never will. Never rejects.
 */
export async function askHost(effects: SubmitEffects, row: Intent): Promise<AnswerEvent> {
  try {
    const options = { attemptId: getAttemptId(row), memory: row.hostMemory };
    return jobKnown(await effects.api.withdraw(row.request, options));
  } catch (error) {
    return eventOfHostMemory(asApiError(error), row, effects.nowMs());
  }
}

/** The event of an attempt, with what the host knows of it where the answer said neither yes nor no. Never rejects. */
async function askHostIfOpen(effects: SubmitEffects, row: Intent, event: AnswerEvent): Promise<AnswerEvent> {
  if (row.bodyKind !== "relay" || event.kind !== "answer-lost" || event.isHostDone) return event;
  const known = withHostMemory(event, await askHost(effects, row));
  return known.kind === "refused" && known.blockedBy ? withReplyOf(known.blockedBy, known) : known;
}

/** The refusal by the host's word that nothing was sent, with the words of the answer that stopped the attempt. */
function withReplyOf(answer: Refusal, { refusal, error }: Extract<AnswerEvent, { kind: "refused" }>): AnswerEvent {
  const words = answer.message === "" ? "" : ` ${asSentence(answer.message)}`;
  const message = `${error.message} The response was ${answer.status}.${words}`;
  const { status, hostReason } = error;
  return {
    kind: "refused",
    refusal: { ...refusal, message },
    error: new RefusedError({ status, hostReason, message }),
  };
}

/** At most this many pages of a model are read, which are 10,000 jobs. Older jobs are not compared. */
const MAX_PAGES = 10;

/**
 * The jobs of a model since a moment in Unix seconds of the service's clock, each once, up to `MAX_PAGES` pages (spec 4.1: at
 * most 1000 jobs each). 0: from the first job on. Rejects with an `ApiError` when a page cannot be read.
 */
export async function listModelJobs(
  effects: Pick<SubmitEffects, "api">,
  model: string,
  createdAfterSeconds: number,
): Promise<Job[]> {
  const query = { model_id: model, ...(createdAfterSeconds > 0 ? { created_after: createdAfterSeconds } : {}) };
  return (await readModelPages(effects, query, { pageSize: MAX_PAGE_JOBS, maxPages: MAX_PAGES })).jobs;
}

/**
 * The newest jobs of one model, up to a number of pages; `isWhole` where these are all. Not by `readJobPage`, which reads a list
 * over many visits: this one is read as a whole, before anything is sent. Rejects with an `ApiError` when a page cannot be read.
 */
async function readModelPages(
  { api }: Pick<SubmitEffects, "api">,
  query: JobListParams,
  { pageSize, maxPages }: { pageSize: number; maxPages: number },
): Promise<{ jobs: Job[]; isWhole: boolean }> {
  const jobs = new Map<string, Job>();
  let readCount = 0;
  let place: JobListParams = { offset: 0 };
  let previousPage: JobPage | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await api.listJobs({ ...query, limit: pageSize, ...place });
    const knownCount = jobs.size;
    for (const job of page.jobs) jobs.set(job.requestId, job);
    readCount += page.jobs.length;
    const isRepeated = jobs.size === knownCount;
    // A page without a new job is the last one, unless the service ignores offsets and names another place to go on from.
    if (isRepeated && place.next === undefined && previousPage?.next !== undefined) place = { next: previousPage.next };
    else if (isRepeated || !mayHaveMore(page, pageSize, readCount)) return { jobs: [...jobs.values()], isWhole: true };
    else place = nextListPlace(place, page, readCount);
    previousPage = page;
  }
  return { jobs: [...jobs.values()], isWhole: false };
}

/** The parameters of the next page: the offset or cursor that the service named, else the number of jobs read so far. */
function nextListPlace(place: JobListParams, { next }: JobPage, readCount: number): JobListParams {
  if (next?.offset !== undefined && /^\d+$/.test(next.offset)) return { offset: Number(next.offset) };
  return place.next !== undefined && next !== undefined ? { next } : { offset: readCount };
}

/** The ids of all jobs that belong to some intent. Rejects when the store cannot be read. */
async function readClaimedIds({ rows, accountId }: Pick<SubmitEffects, "rows" | "accountId">): Promise<Set<string>> {
  const tracked = await readAll(rows, trackedRows, accountId);
  const claimed = tracked.filter(({ origin }) => isClaim(origin));
  return new Set(claimed.map(({ requestId }) => requestId));
}

/**
 * The listed jobs that can be those of an intent. `slot-taken`: there are some, but another intent has the slot of the model by
 * now and may own them. That happens where this intent was given up or imported, or its row was lost. Then the list proves
 * nothing about this intent. Rejects when the store cannot be read.
 */
export async function matchListed(effects: SubmitEffects, row: Intent, listed: Job[]): Promise<Matches | "slot-taken"> {
  const matches = matchJobs(listed, row, await readBaseline(effects, row), await readClaimedIds(effects));
  if (matches.ours.length === 0) return matches;
  const slot = getAttemptSlot(effects.accountId, row.request.model);
  const stored = await effects.rows.all("outbox", effects.accountId);
  return stored.some((other) => other.slot === slot && other.key !== row.intentId) ? "slot-taken" : matches;
}

/**
 * The job that an unproven answer named. `none`: the service has no record of it, or it is the job of somebody else, because
 * it was there before, belongs to another intent, or does not fit (`fitsNamedJob`). `unknown`: the service could not be
 * asked. Never rejects.
 */
export async function findNamedJob(
  effects: SubmitEffects,
  row: Intent,
  possible: PossibleJob,
): Promise<Job | "none" | "unknown"> {
  const { id } = possible;
  try {
    if ((await readBaseline(effects, row)).ids.has(id)) return "none";
    const job = await effects.api.getJob(id);
    if (!isRecordOf(job.raw, id) || !fitsNamedJob(job, row, possible)) return "none";
    return (await readClaimedIds(effects)).has(id) ? "none" : job;
  } catch (error) {
    if (error instanceof UnreadableAnswerError || error instanceof UnusableIdError) return "none";
    return error instanceof RefusedError && NO_SUCH_JOB.has(error.status) ? "none" : "unknown";
  }
}

/** Statuses that say that the service has no record of an id, whatever the body. The next poll asks again all the same. */
const NO_SUCH_JOB = new Set([400, 404, 410, 422]);
