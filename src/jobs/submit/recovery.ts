// After a lost answer or a reload: what dead pages left behind, polls of the job list, the audit for duplicates, and the
// pruning of old rows.
// Nothing here sends anything (invariant: no POST on boot, focus, reconnect, reload or a timer).
import type { Job } from "#api/types.ts";
import type { RowChange } from "#storage/rows.ts";
import { trackedRows } from "#storage/tracked-jobs.ts";
import { readAll } from "#storage/typed-rows.ts";
import { batchRows } from "../stored-batches.ts";
import { auditLockName, type SubmitEffects, settleLockName, submitLockName } from "./effects.ts";
import { claimedJobs, listModelJobs, matchJobs, payloadFit } from "./match-jobs.ts";
import { allIntents, outboxChange, outboxRows, readIntent, record } from "./outbox.ts";
import { isUnsettled, type OutboxRow } from "./submit-state.ts";
import { AUDIT_AFTER_MS, shownState } from "./transitions.ts";

/**
 * Finds intents that no living page is sending, and resolves to the ids of those that are to be reconciled. Rejects
 * when the store cannot be read or written.
 */
export async function resumeIntents(fx: SubmitEffects): Promise<string[]> {
  const open: string[] = [];
  for (const row of await allIntents(fx)) {
    if (row.state === "sending" || row.state === "retrying") {
      await fx.locks.tryHold(submitLockName(fx.accountId, row.request.model), () => takeOver(fx, row.intentId));
    }
    const now = await readIntent(fx, row.intentId);
    if (!now) continue;
    if (now.state === "unconfirmed" || now.state === "absent") open.push(now.intentId);
    if (now.state === "unconfirmed" || (now.state === "absent" && !now.dismissed))
      fx.show(now.request.model, shownState(now));
  }
  return open;
}

/** Moves on what a page that was closed left open, under the lock that the page held. */
async function takeOver(fx: SubmitEffects, intentId: string): Promise<void> {
  const row = await readIntent(fx, intentId);
  if (row?.state === "sending" || row?.state === "retrying") await record(fx, intentId, { kind: "page-lost" });
}

/** The list may show a job this long after it was made. An assumption, stated: a longer lag would be reported wrongly. */
const ABSENT_AFTER_MS = 120_000;
const GOOD_POLLS = 5;
const FIRST_POLLS_MS = [2_000, 5_000];
const CLOSE_POLL_MS = 10_000;
const CLOSE_UNTIL_MS = 180_000;
const FAR_POLL_MS = 60_000;
/** After this much polling in vain, the polling for an intent ends. */
const GIVE_UP_MS = 15 * 60_000;
/** After a failed poll, the next one comes at most this soon. */
const FAILED_POLL_MS = 5_000;

/** How long to wait before the next poll, given how long was waited already. */
function nextPollMs(waitedMs: number, failed: boolean): number {
  if (failed) return waitedMs < CLOSE_UNTIL_MS ? FAILED_POLL_MS : FAR_POLL_MS;
  const first = FIRST_POLLS_MS.find((at) => at > waitedMs);
  if (first !== undefined) return first - waitedMs;
  return waitedMs < CLOSE_UNTIL_MS ? CLOSE_POLL_MS : FAR_POLL_MS;
}

/**
 * Polls for the job of an intent whose answer was lost, by set difference against the job list. Claims what appears;
 * settles as `absent` only after five good polls and 120 s of polling. One tab at a time does it. `wake` gives a signal
 * that ends the wait early: after a wake-up, a focus, or the network coming back. Rejects when the store cannot be read
 * or written; a list that cannot be read is polled again.
 */
export async function reconcile(fx: SubmitEffects, intentId: string, wake: () => AbortSignal): Promise<void> {
  await fx.locks.tryHold(settleLockName(intentId), () => pollUntilSettled(fx, intentId, wake));
}

/** Polls until the intent is settled, or long enough. Time counts only while somebody polls, by a clock that never jumps. */
async function pollUntilSettled(fx: SubmitEffects, intentId: string, wake: () => AbortSignal): Promise<void> {
  let failed = false;
  for (;;) {
    const before = await readIntent(fx, intentId);
    if (!before || !(before.state === "unconfirmed" || before.state === "absent")) return;
    if (before.waitedMs >= GIVE_UP_MS) return;
    const from = fx.monotonicMs();
    await fx.sleep(nextPollMs(before.waitedMs, failed), wake());
    const waitedMs = before.waitedMs + Math.max(0, fx.monotonicMs() - from);
    const seen = await pollList(fx, before);
    if (seen === "settled") return;
    failed = seen === "failed";
    const goodPolls = before.goodLooks + (failed ? 0 : 1);
    const isEnough =
      before.state === "unconfirmed" && !failed && goodPolls >= GOOD_POLLS && waitedMs >= ABSENT_AFTER_MS;
    const after = await record(
      fx,
      intentId,
      isEnough
        ? { kind: "not-found", goodPolls, waitedMs }
        : { kind: "polled", seen: before.state, goodPolls, waitedMs },
    );
    if (after?.state === "unconfirmed" || (after?.state === "absent" && before.state !== "absent"))
      fx.show(after.request.model, shownState(after, { pollFailed: failed }));
  }
}

/** One poll of the job list for one intent. Claims what it finds. */
async function pollList(fx: SubmitEffects, row: OutboxRow): Promise<"settled" | "nothing" | "failed"> {
  let listed: Job[];
  try {
    listed = await listModelJobs(fx, row.request.model, row.listedAfterSeconds);
  } catch {
    return "failed";
  }
  const sets = { baseline: new Set(row.baseline), claimed: await claimedJobs(fx), payload: row.request.payload };
  const { ours, certain, foreignSeen } = matchJobs(listed, sets);
  const [job, ...others] = ours;
  if (!job || (row.state === "absent" && (await slotIsOpen(fx, row)))) return "nothing";
  const isSure = certain || (others.length === 0 && !foreignSeen && !row.shared);
  const how = isSure ? "recovered" : "probable";
  const settled = await record(fx, row.intentId, { kind: "job-known", jobs: [job, ...others], how });
  if (settled) fx.show(row.request.model, shownState(settled, { job }));
  return "settled";
}

/** An open attempt of the same model may own what appears now: then an intent that was given up must not take it. */
async function slotIsOpen(fx: SubmitEffects, row: OutboxRow): Promise<boolean> {
  const others = (await allIntents(fx)).filter(({ intentId }) => intentId !== row.intentId);
  return others.some((other) => other.request.model === row.request.model && isUnsettled(other.state));
}

/** A network that sends a request twice does so within the life of the request. */
const DUPLICATE_WITHIN_SECONDS = 200;
const AGAIN_AFTER_FAILURE_MS = 5_000;
const SAME_MOMENT_MS = 2_000;
const SHORTEST_WAIT_MS = 50;
/** What another tab settled is seen this soon, whatever the wall clock makes of the time when it is due. */
const LONGEST_WAIT_MS = 30_000;

/** When a row is to be audited, by this page's own monotonic clock. */
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
 * Two minutes after an intent was settled, searches the job list for jobs that the network made beside it, and puts them
 * into the ledger as possible duplicates. One list call for all that is due; one tab at a time. Ends when nothing is
 * left to audit, or when another tab does it. `wake` ends a wait early, when more was settled. Rejects when the store
 * cannot be read; an audit whose list or record fails is made again.
 */
export async function runAudits(fx: SubmitEffects, plan: AuditPlan, wake: () => AbortSignal): Promise<void> {
  await fx.locks.tryHold(auditLockName(fx.accountId), async () => {
    for (;;) {
      const waitMs = await auditDue(fx, plan);
      if (waitMs === undefined) return;
      await fx.sleep(Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS), wake());
    }
  });
}

/** Audits what is due. Resolves to the time in ms until something is due again, or undefined when nothing is. */
async function auditDue(fx: SubmitEffects, plan: AuditPlan): Promise<number | undefined> {
  const rows = (await allIntents(fx)).filter((row) => row.auditDueAtMs !== undefined);
  const listings = new Map<string, Promise<Job[]>>();
  for (const row of rows) {
    const dues = plan.get(row.intentId) ?? planFor(fx, row.auditDueAtMs ?? fx.nowMs());
    plan.set(row.intentId, dues);
    const [due] = dues;
    if (!due || due.atMs > fx.monotonicMs()) continue;
    const { model } = row.request;
    const lowest = Math.min(
      ...rows.filter((other) => other.request.model === model).map((other) => other.listedAfterSeconds),
    );
    const listing = listings.get(model) ?? listModelJobs(fx, model, lowest);
    listings.set(model, listing);
    try {
      await auditRow(fx, row, await listing, due.isLast);
      dues.shift();
      if (due.isLast) plan.delete(row.intentId);
    } catch {
      due.atMs = fx.monotonicMs() + AGAIN_AFTER_FAILURE_MS;
    }
  }
  const next = [...plan.values()].flatMap((dues) => dues.map(({ atMs }) => atMs));
  return next.length === 0 ? undefined : Math.max(0, Math.min(...next) - fx.monotonicMs());
}

function planFor(fx: SubmitEffects, dueAtMs: number): Due[] {
  const now = fx.monotonicMs();
  const remaining = Math.min(AUDIT_AFTER_MS, Math.max(0, dueAtMs - fx.nowMs()));
  const last = { atMs: now + AUDIT_AFTER_MS, isLast: true };
  return AUDIT_AFTER_MS - remaining <= SAME_MOMENT_MS ? [last] : [{ atMs: now + remaining, isLast: false }, last];
}

async function auditRow(fx: SubmitEffects, row: OutboxRow, listed: Job[], isLast: boolean): Promise<void> {
  const tracked = await readAll(fx.rows, trackedRows, fx.accountId);
  const named = new Set(tracked.filter(({ origin }) => origin !== "imported").map(({ requestId }) => requestId));
  await record(fx, row.intentId, { kind: "audited", besides: jobsBeside(row, listed, named), isLast });
}

/**
 * Jobs that appeared beside an intent's own: claimed by no intent, made in its time, and not proven to be another
 * client's.
 */
function jobsBeside(row: OutboxRow, listed: Job[], named: ReadonlySet<string>): Job[] {
  const baseline = new Set(row.baseline);
  const own = listed.find(({ requestId }) => row.requestIds.includes(requestId));
  // A job that was found in the list may itself be the wrong one, and an earlier attempt has a time of its own.
  const isInTime = (job: Job) =>
    row.how !== "answered" ||
    row.attempt > 1 ||
    own?.createdAtSeconds === undefined ||
    job.createdAtSeconds === undefined ||
    Math.abs(job.createdAtSeconds - own.createdAtSeconds) <= DUPLICATE_WITHIN_SECONDS;
  const fresh = listed.filter(
    (job) =>
      !baseline.has(job.requestId) &&
      !named.has(job.requestId) &&
      !row.requestIds.includes(job.requestId) &&
      isInTime(job),
  );
  const fits = fresh.map((job) => ({ job, fit: payloadFit(row.request.payload, job.payload) }));
  return fits.filter(({ fit }) => fit === "same" || fit === "silent").map(({ job }) => job);
}

const STORED_MS = 30 * 86_400_000;
const MOST_STORED = 1000;
const AT_ONCE = 100;

/** Whether nothing is polled for, or to be audited, any more. */
function isOver(row: OutboxRow): boolean {
  if (isUnsettled(row.state) || row.auditDueAtMs !== undefined) return false;
  return row.state !== "absent" || row.waitedMs >= GIVE_UP_MS;
}

/** The change that lightens or removes a row that is over; undefined where it stays as it is. */
function pruned(accountId: string, row: OutboxRow, isOld: boolean): RowChange | undefined {
  if (isOld) return { kind: "remove", store: "outbox", key: row.intentId };
  // The list before the submit was for finding the job and for the audit, and may hold a thousand ids.
  return row.baseline.length > 0 ? outboxChange(accountId, { ...row, baseline: [] }) : undefined;
}

/**
 * Removes intents that were settled and audited more than 30 days ago, or before the newest 1,000. Their ledger lines
 * and jobs stay. One that is open, or to be audited, or part of a batch is never removed: the batch learns from
 * them what was sent. Rejects with a `StorageError` when the store cannot be written; what was removed stays removed.
 */
export async function pruneOutbox(fx: SubmitEffects): Promise<void> {
  const newestFirst = (await allIntents(fx)).sort((a, b) => b.sentAtMs - a.sentAtMs);
  const batches = await readAll(fx.rows, batchRows, fx.accountId);
  const inBatches = new Set(batches.flatMap(({ items }) => items.map(({ intentId }) => intentId)));
  const oldest = fx.nowMs() - STORED_MS;
  const old = new Set(
    newestFirst
      .filter(
        ({ intentId, sentAtMs }, index) => !inBatches.has(intentId) && (sentAtMs < oldest || index >= MOST_STORED),
      )
      .map(({ intentId }) => intentId),
  );
  const due = newestFirst.filter((row) => isOver(row) && pruned(fx.accountId, row, old.has(row.intentId)));
  for (let from = 0; from < due.length; from += AT_ONCE) {
    const keys = due.slice(from, from + AT_ONCE).map(({ intentId }) => ({ store: "outbox" as const, key: intentId }));
    const [first, ...reads] = keys;
    if (!first) return;
    await fx.rows.edit({ ...first, reads }, (current, others) => ({
      result: undefined,
      changes: [current, ...others].flatMap((stored) => {
        const row = stored && stored.v <= outboxRows.version ? outboxRows.read(stored.body, stored) : undefined;
        return row && isOver(row) ? (pruned(fx.accountId, row, old.has(row.intentId)) ?? []) : [];
      }),
    }));
  }
}
