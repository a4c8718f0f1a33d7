// What goes on after a lost answer or a reload: the polls until an intent is settled, the audit, which searches the list for jobs
// that the network made beside an intent's own, and the pruning of old rows. `run.ts` has what the submit itself asks for, too.
// Nothing here sends anything (invariant: no POST on boot, focus, reconnect, reload or a timer).
import type { Job } from "#api/types.ts";
import { asNumber } from "#lib/read.ts";
import { GIVE_UP_MS, MIN_BETWEEN_POLLS_MS, mayStillArrive, nextPollMs, provesAbsence } from "#runs/rules/absence.ts";
import {
  type AcceptedOrigin,
  AUDIT_AFTER_MS,
  type Intent,
  isUnsettled,
  type SubmitEvent,
  shownState,
} from "#runs/rules/intent.ts";
import { type AnswerEvent, type AnswerLost, findClaim, isNeverSent, jobsBeside } from "#runs/rules/proofs.ts";
import { trackedRows } from "#storage/job-records.ts";
import { type RowChange, SlotTakenError } from "#storage/rows.ts";
import { batchRows } from "#storage/stored-batches.ts";
import { putChange, type RowKind, readAll, readOne } from "#storage/typed-rows.ts";
import { auditLockBefore, auditLockName, type SubmitEffects, settleLockName, submitLockName } from "./effects.ts";
import {
  BASELINE_ROW_VERSION,
  baselineScope,
  intentOfBaseline,
  readBaseline,
  readIntent,
  readIntents,
  readMovable,
  record,
  removeBaseline,
} from "./outbox.ts";
import { askHost, findNamedJob, listModelJobs, matchListed } from "./run.ts";

/**
 * Moves on the intents of pages that were closed while they sent them, and resolves to the rows that are to be polled for, the
 * latest first. Rejects when the store cannot be read or written.
 */
export async function resumeIntents(effects: SubmitEffects): Promise<Intent[]> {
  const toPoll: Intent[] = [];
  for (const row of await readIntents(effects)) {
    if (row.state === "sending" || row.state === "retrying") {
      await effects.locks.tryHold(submitLockName(effects.accountId, row.request.model), () =>
        takeOver(effects, row.intentId),
      );
    }
    const moved = await readIntent(effects, row.intentId);
    if (moved?.state === "unconfirmed" || moved?.state === "absent") toPoll.push(moved);
  }
  return toPoll.sort((a, b) => b.sentAtMs - a.sentAtMs);
}

/** Moves on an intent that a closed page left open. Call it under the lock that the page had. */
async function takeOver(effects: SubmitEffects, intentId: string): Promise<void> {
  const row = await readIntent(effects, intentId);
  if (row?.state !== "sending" && row?.state !== "retrying") return;
  await record(effects, intentId, { kind: "page-lost" }).catch((error: unknown) => {
    // An imported row has no slot, and another intent may have that of its model. Then this row waits, and the others go on.
    if (!(error instanceof SlotTakenError)) throw error;
  });
}

/** The longest time that a job was looked for in vain before the list showed it, per account, in ms. */
const lagRows: RowKind<number> = { store: "settings", version: 1, read: asNumber };
const lagKey = (accountId: string) => `list-lag|${accountId}`;

async function readLongestLag({ rows, accountId }: SubmitEffects): Promise<number> {
  return (await readOne(rows, lagRows, lagKey(accountId)).catch(() => undefined)) ?? 0;
}

async function noteLag({ rows, accountId }: SubmitEffects, lagMs: number): Promise<void> {
  const key = lagKey(accountId);
  await rows.edit({ store: "settings", key }, (row) => {
    const known = (row && lagRows.read(row.body, row)) ?? 0;
    return { result: undefined, changes: lagMs > known ? [putChange(lagRows, accountId, key, lagMs)] : [] };
  });
}

/**
 * Finds out what became of an intent whose outcome is open: asks the host what it remembers of the attempt, and polls the
 * job list by set difference. Claims what appears; settles as `absent` only after five good polls, at least 5 s apart,
 * and 120 s of polling. One tab at a time does it. `wake` gives a signal that ends a long wait early: after a wake-up, a
 * focus, or the network coming back. Rejects when the store cannot be read or written, and where another intent has got the
 * model's slot meanwhile; a list that cannot be read is polled again.
 */
export async function reconcile(effects: SubmitEffects, intentId: string, wake: () => AbortSignal): Promise<void> {
  await effects.locks.tryHold(settleLockName(intentId), () => pollUntilSettled(effects, intentId, wake));
}

/** Polls until the intent is settled or given up. Time counts only while some page polls, by a clock that never jumps. */
async function pollUntilSettled(effects: SubmitEffects, intentId: string, wake: () => AbortSignal): Promise<void> {
  let failed = false;
  let isHostDone = false;
  let isAskingHost = false;
  for (;;) {
    const row = await readIntent(effects, intentId);
    if (!row || !(row.state === "unconfirmed" || row.state === "absent")) return;
    if (row.state === "absent" && row.waitedMs >= GIVE_UP_MS) return;
    const waitFromMs = effects.monotonicMs();
    await sleepForPoll(effects, nextPollMs(row, failed), row.waitedMs === 0, wake);
    const waitedMs = row.waitedMs + Math.max(0, effects.monotonicMs() - waitFromMs);
    // A host is asked only where the row names its memory: another memory has no record of the attempt.
    isHostDone ||= row.bodyKind !== "relay" || row.hostMemory === undefined;
    if (row.state === "unconfirmed" && !isHostDone && !isAskingHost) {
      isAskingHost = true;
      // Not awaited: the host may wait for the service longer than the list takes to show the job. A later round reads what it said.
      void settleByHost(effects, row).then((hasSaidAll) => {
        isHostDone = hasSaidAll;
        isAskingHost = false;
      });
    }
    const mayArrive = mayStillArrive(isHostDone, waitedMs);
    const seen = await pollList(effects, row, waitedMs, mayArrive);
    if (seen === "settled") return;
    failed = seen === "failed";
    const isGood = !failed && seen !== "slot-taken";
    const goodPolls = row.goodPolls + (isGood ? 1 : 0);
    const wasIdAsked = seen !== "not-asked";
    const isEnough =
      row.state === "unconfirmed" &&
      isGood &&
      provesAbsence({ goodPolls, waitedMs, mayArrive, wasIdAsked, longestLagMs: await readLongestLag(effects) });
    const after = await record(
      effects,
      intentId,
      isEnough ? { kind: "not-found", goodPolls, waitedMs } : { kind: "polled", seen: row.state, goodPolls, waitedMs },
    );
    if (after?.state === "unconfirmed" || (after?.state === "absent" && row.state !== "absent"))
      effects.show(after, shownState(after, { pollFailed: failed }));
  }
}

/** Waits for the next poll. A wake-up ends the wait, but not before the list may have changed since the last poll. */
async function sleepForPoll(
  effects: SubmitEffects,
  ms: number,
  isFirst: boolean,
  wake: () => AbortSignal,
): Promise<void> {
  const minMs = isFirst ? 0 : Math.min(ms, MIN_BETWEEN_POLLS_MS);
  const signal = wake();
  await effects.sleep(minMs);
  if (ms > minMs) await effects.sleep(ms - minMs, signal);
}

/** Settles an intent by what the host remembers of its attempt. Resolves to whether it has said all it knows. Never rejects. */
async function settleByHost(effects: SubmitEffects, row: Intent): Promise<boolean> {
  const event = await askHost(effects, row);
  if (event.kind === "answer-lost") {
    if (event.refusal) await record(effects, row.intentId, event).catch(() => {});
    return event.isHostDone;
  }
  const settled = await record(effects, row.intentId, asFinalEvent(event)).catch(() => undefined);
  if (settled)
    effects.show(
      settled,
      shownState(settled, event.kind === "job-known" ? { job: event.jobs[0] } : { error: event.error }),
    );
  return settled !== undefined;
}

/** Recovery makes no attempt, so a refusal that could be tried again is final here, and so is an attempt that never left. */
function asFinalEvent(event: Exclude<AnswerEvent, AnswerLost>): SubmitEvent {
  if (event.kind === "job-known") return event;
  return isNeverSent(event) ? { kind: "never-left" } : { ...event, kind: "refused" };
}

/**
 * One poll: asks for the id that the answer named, if any, then reads the list. `not-asked`: the list shows nothing, and the
 * service could not be asked for the id. `slot-taken`: see `matchListed`.
 */
async function pollList(
  effects: SubmitEffects,
  row: Intent,
  waitedMs: number,
  mayArrive: boolean,
): Promise<"settled" | "nothing" | "not-asked" | "slot-taken" | "failed"> {
  const named = row.possibleJob ? await findNamedJob(effects, row, row.possibleJob) : "none";
  if (typeof named !== "string") return (await settleBy(effects, row, [named], "recovered")) ? "settled" : "nothing";
  const nothing = named === "unknown" ? "not-asked" : "nothing";
  let listed: Job[];
  try {
    listed = await listModelJobs(effects, row.request.model, row.listedAfterSeconds);
  } catch {
    return "failed";
  }
  const matches = await matchListed(effects, row, listed);
  if (matches === "slot-taken") return matches;
  const claim = findClaim(matches, row, { waitedMs, mayArrive });
  if (!claim) return nothing;
  const { jobs, isSure } = claim;
  const how = isSure ? "recovered" : "probable";
  if (!(await settleBy(effects, row, jobs, how))) return nothing;
  if (isSure) await noteLag(effects, waitedMs).catch(() => {});
  return "settled";
}

/** Records and shows that jobs belong to an intent. Resolves to whether it is accepted now. */
async function settleBy(
  effects: SubmitEffects,
  row: Intent,
  jobs: [Job, ...Job[]],
  how: AcceptedOrigin,
): Promise<boolean> {
  const settled = await record(effects, row.intentId, { kind: "job-known", jobs, how });
  if (settled?.state !== "accepted") return false;
  effects.show(settled, shownState(settled, { job: jobs[0] }));
  return true;
}

/** How long after a failure an audit is made again. */
const AGAIN_AFTER_FAILURE_MS = 5_000;
/** An audit that is due this close to a full audit time from now was planned by this page, just now. */
const SAME_MOMENT_MS = 2_000;
/** Audits that are due almost at once share one reading of the rows. */
const MIN_WAIT_MS = 50;
/** After this long the rows are read again: another tab may have settled one, and the wall clock may have jumped. */
const MAX_WAIT_MS = 30_000;

/** When a row is to be audited, by this page's own monotonic clock, and whether that is its last audit. */
interface Due {
  atMs: number;
  isLast: boolean;
}

/**
 * The audits of one page. The wall clock may have jumped since an earlier page wrote a row, so such a row is audited
 * when the wall clock reaches its time, and again a full audit time after this page first saw it.
 */
export type AuditPlan = Map<string, Due[]>;

/**
 * Searches the job list for duplicates `AUDIT_AFTER_MS` after the attempt of an intent ended, since the network may have
 * delivered the request twice, and puts them into the ledger as possible duplicates. Lists each model once in a round. One tab
 * audits at a time. Ends when no audit is left, or when another tab has the lock. `nextWakeSignal` is called before each
 * reading of the rows; aborting its signal cuts the wait after that reading short. Rejects when the store cannot be read; an
 * audit whose list or record fails is made again.
 */
export async function runAudits(
  effects: SubmitEffects,
  plan: AuditPlan,
  nextWakeSignal: () => AbortSignal,
): Promise<void> {
  await effects.locks.tryHold(auditLockName(effects.accountId), async () => {
    for (;;) {
      const wakeSignal = nextWakeSignal();
      // While a tab of version 2 audits the rows of its version, this one leaves them alone.
      const allVersions = await effects.locks.tryHold(auditLockBefore(effects.accountId), () =>
        auditDue(effects, plan, 0),
      );
      const waitMs = allVersions.isAcquired ? allVersions.result : await auditDue(effects, plan, BASELINE_ROW_VERSION);
      if (waitMs === undefined) return;
      await effects.sleep(Math.min(Math.max(waitMs, MIN_WAIT_MS), MAX_WAIT_MS), wakeSignal);
    }
  });
}

/**
 * Audits what is due, in rows from a version on. Resolves to the time in ms until something is due again, or
 * undefined when nothing is.
 */
async function auditDue(effects: SubmitEffects, plan: AuditPlan, fromVersion: number): Promise<number | undefined> {
  const stored = await effects.rows.all("outbox", effects.accountId);
  const rows = stored
    .flatMap((row) => (row.v < fromVersion ? [] : (readMovable(row) ?? [])))
    .filter((row) => row.auditDueAtMs !== undefined);
  const stillDue = new Set(rows.map(({ intentId }) => intentId));
  // Another tab has made the last audit of the others.
  for (const intentId of plan.keys()) if (!stillDue.has(intentId)) plan.delete(intentId);
  const listings = new Map<string, Promise<Job[]>>();
  for (const row of rows) {
    const dues = plan.get(row.intentId) ?? planFor(effects, row.auditDueAtMs ?? effects.nowMs());
    plan.set(row.intentId, dues);
    const [due] = dues;
    if (!due || due.atMs > effects.monotonicMs()) continue;
    const { model } = row.request;
    const earliestSeconds = Math.min(
      ...rows.filter((other) => other.request.model === model).map((other) => other.listedAfterSeconds),
    );
    const listing = listings.get(model) ?? listModelJobs(effects, model, earliestSeconds);
    listings.set(model, listing);
    try {
      await auditRow(effects, row, await listing, due.isLast);
      dues.shift();
      if (due.isLast) plan.delete(row.intentId);
    } catch {
      due.atMs = effects.monotonicMs() + AGAIN_AFTER_FAILURE_MS;
    }
  }
  const times = [...plan.values()].flatMap((dues) => dues.map(({ atMs }) => atMs));
  return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - effects.monotonicMs());
}

/** One audit for a row of this page; two for a row of an earlier page, whose wall clock may have been another. */
function planFor(effects: SubmitEffects, dueAtMs: number): Due[] {
  const startMs = effects.monotonicMs();
  const remainingMs = Math.min(AUDIT_AFTER_MS, Math.max(0, dueAtMs - effects.nowMs()));
  const last = { atMs: startMs + AUDIT_AFTER_MS, isLast: true };
  return AUDIT_AFTER_MS - remainingMs <= SAME_MOMENT_MS
    ? [last]
    : [{ atMs: startMs + remainingMs, isLast: false }, last];
}

async function auditRow(effects: SubmitEffects, row: Intent, listed: Job[], isLast: boolean): Promise<void> {
  const tracked = await readAll(effects.rows, trackedRows, effects.accountId);
  const known = new Set(tracked.filter(({ origin }) => origin !== "imported").map(({ requestId }) => requestId));
  const extraJobs = jobsBeside(row, await readBaseline(effects, row), listed, known);
  await record(effects, row.intentId, { kind: "audited", extraJobs, isLast, ofJob: row.requestIds[0] });
}

/** How long, and how many, settled intents stay stored: see `pruneOutbox`. */
const STORED_MS = 30 * 86_400_000;
const MAX_STORED = 1000;
const ROWS_PER_TRANSACTION = 100;

/** Whether an intent is neither polled for nor audited any more. */
function isOver(row: Intent): boolean {
  if (isUnsettled(row.state) || row.auditDueAtMs !== undefined) return false;
  return row.state !== "absent" || row.waitedMs >= GIVE_UP_MS;
}

/**
 * Removes intents that were settled and audited more than 30 days ago, or before the newest 1,000. Their ledger lines
 * and jobs stay. One that is open, or to be audited, or part of a batch is never removed: the batch reads there
 * what was sent. The baseline of an intent that is over goes at once. Rejects with a `StorageError` when the store
 * cannot be read or written; what was removed stays removed.
 */
export async function pruneOutbox(effects: SubmitEffects): Promise<void> {
  const newestFirst = (await readIntents(effects)).sort((a, b) => b.sentAtMs - a.sentAtMs);
  const batches = await readAll(effects.rows, batchRows, effects.accountId);
  const inBatches = new Set(
    batches.flatMap(({ items }) =>
      items.flatMap(({ intentId, earlierIntentIds = [] }) => [intentId, ...earlierIntentIds]),
    ),
  );
  const oldestSentAtMs = effects.nowMs() - STORED_MS;
  const oldIds = new Set(
    newestFirst
      .filter(
        ({ intentId, sentAtMs }, index) =>
          !inBatches.has(intentId) && (sentAtMs < oldestSentAtMs || index >= MAX_STORED),
      )
      .map(({ intentId }) => intentId),
  );
  const baselines = await effects.rows.all("outbox", baselineScope(effects.accountId));
  const rowById = new Map(newestFirst.map((row) => [row.intentId, row]));
  const withBaseline = baselines.map(({ key }) => intentOfBaseline(key));
  const removable = [...new Set([...oldIds, ...withBaseline])].filter((intentId) => {
    const row = rowById.get(intentId);
    return row === undefined || isOver(row);
  });
  for (let from = 0; from < removable.length; from += ROWS_PER_TRANSACTION) {
    const portion = removable.slice(from, from + ROWS_PER_TRANSACTION);
    const [first, ...reads] = portion.map((key) => ({ store: "outbox" as const, key }));
    if (!first) return;
    await effects.rows.edit({ ...first, reads }, (current, others) => ({
      result: undefined,
      changes: [current, ...others].flatMap((stored, index): RowChange[] => {
        const intentId = portion[index] ?? "";
        const row = stored && readMovable(stored);
        if (stored && !(row && isOver(row))) return [];
        const withoutBaseline = removeBaseline(intentId);
        return stored && oldIds.has(intentId)
          ? [{ kind: "remove", store: "outbox", key: intentId }, withoutBaseline]
          : [withoutBaseline];
      }),
    }));
  }
}
