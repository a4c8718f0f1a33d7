// The audit for jobs that the network made beside an intent's own. Nothing here sends anything.
import type { Job } from "#api/types.ts";
import { trackedRows } from "#storage/job-records.ts";
import { readAll } from "#storage/typed-rows.ts";
import { auditLockBefore, auditLockName, type SubmitEffects } from "./effects.ts";
import { type Baseline, type Intent, LIST_APART, readMovable } from "./intent.ts";
import { isCovered, listModelJobs, payloadFit } from "./match-jobs.ts";
import { readBaseline, record } from "./outbox.ts";
import { AUDIT_AFTER_MS } from "./transitions.ts";

/** A network that sends a request twice does so within the life of the request. */
const DUPLICATE_WITHIN_SECONDS = 200;
/** A network delivers a request twice, hardly ever more often. */
const MOST_BESIDE = 10;
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
      // Rows of version 2 are left alone while a tab of the version before audits them.
      const all = await fx.locks.tryHold(auditLockBefore(fx.accountId), () => auditDue(fx, plan, 0));
      const waitMs = all.held ? all.result : await auditDue(fx, plan, LIST_APART);
      if (waitMs === undefined) return;
      await fx.sleep(Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS), wake());
    }
  });
}

/**
 * Audits what is due, in rows of a version or later ones. Resolves to the time in ms until something is due again, or
 * undefined when nothing is.
 */
async function auditDue(fx: SubmitEffects, plan: AuditPlan, fromVersion: number): Promise<number | undefined> {
  const stored = await fx.rows.all("outbox", fx.accountId);
  const rows = stored
    .flatMap((row) => (row.v < fromVersion ? [] : (readMovable(row) ?? [])))
    .filter((row) => row.auditDueAtMs !== undefined);
  const due = new Set(rows.map(({ intentId }) => intentId));
  // Another tab has made the last audit of the others.
  for (const intentId of plan.keys()) if (!due.has(intentId)) plan.delete(intentId);
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

async function auditRow(fx: SubmitEffects, row: Intent, listed: Job[], isLast: boolean): Promise<void> {
  const tracked = await readAll(fx.rows, trackedRows, fx.accountId);
  const named = new Set(tracked.filter(({ origin }) => origin !== "imported").map(({ requestId }) => requestId));
  const besides = jobsBeside(row, await readBaseline(fx, row), listed, named);
  await record(fx, row.intentId, { kind: "audited", besides, isLast, ofJob: row.requestIds[0] });
}

/**
 * Jobs that appeared beside an intent's own: claimed by no intent, made in its time, and not proven to be another
 * client's.
 */
function jobsBeside(row: Intent, baseline: Baseline, listed: Job[], named: ReadonlySet<string>): Job[] {
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
      !baseline.ids.has(job.requestId) &&
      !named.has(job.requestId) &&
      isCovered(row, baseline, job) &&
      !row.requestIds.includes(job.requestId) &&
      isInTime(job),
  );
  const fits = fresh.map((job) => ({ job, fit: payloadFit(row.request.payload, job.payload) }));
  const besides = fits.filter(({ fit }) => fit === "same" || fit === "silent").map(({ job }) => job);
  return besides.slice(0, MOST_BESIDE);
}
