import type { Job } from "#api/types.ts";
import { trackedRows } from "#storage/tracked-jobs.ts";
import { readAll } from "#storage/typed-rows.ts";
import { ledgerId, removeLine } from "../ledger/ledger-line.ts";
import { payloadFit } from "./find-candidates.ts";
import { listModelJobs } from "./list-model-jobs.ts";
import { allIntents, moveIntent } from "./outbox.ts";
import type { OutboxRow } from "./outbox-row.ts";
import { AUDIT_AFTER_MS, chargedIds, claimChanges } from "./settle.ts";
import { auditLockName, type SubmitEffects } from "./submit-effects.ts";

/** A network that sends a request twice does so within the life of the request. */
const DUPLICATE_WITHIN_SECONDS = 200;
const AGAIN_AFTER_FAILURE_MS = 5_000;
const SAME_MOMENT_MS = 2_000;
const SHORTEST_WAIT_MS = 50;
/** What another tab settled is seen this soon, whatever the clock on the wall says of when it is due. */
const LONGEST_WAIT_MS = 30_000;

/** When a row is to be looked at, by this page's own monotonic clock. */
interface Due {
  atMs: number;
  isLast: boolean;
}

/**
 * The audits of one page. The wall clock may have jumped since an earlier page wrote a row, so such a row is looked at
 * when the wall clock says so and again a whole audit time after this page first saw it.
 */
export type AuditPlan = Map<string, Due[]>;

function planFor(fx: SubmitEffects, dueAtMs: number): Due[] {
  const now = fx.monotonicMs();
  const remaining = Math.min(AUDIT_AFTER_MS, Math.max(0, dueAtMs - fx.nowMs()));
  const last = { atMs: now + AUDIT_AFTER_MS, isLast: true };
  return AUDIT_AFTER_MS - remaining <= SAME_MOMENT_MS ? [last] : [{ atMs: now + remaining, isLast: false }, last];
}

/** Jobs that appeared beside an intent's own: in nobody's name, made in its time, and not plainly somebody else's. */
function besides(row: OutboxRow, listed: Job[], named: ReadonlySet<string>): Job[] {
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

async function auditRow(fx: SubmitEffects, row: OutboxRow, listed: Job[], isLast: boolean): Promise<void> {
  const tracked = await readAll(fx.rows, trackedRows, fx.accountId);
  const named = new Set(tracked.filter(({ origin }) => origin !== "adopted").map(({ requestId }) => requestId));
  const extra = besides(row, listed, named);
  await moveIntent(
    fx,
    row.intentId,
    (now) => ({
      row: { ...now, auditDueAtMs: isLast ? undefined : now.auditDueAtMs },
      charged: chargedIds(extra),
      more: extra.flatMap((job) => [
        ...(now.state === "rejected" ? [removeLine(ledgerId.open(fx.accountId, now.intentId))] : []),
        ...claimChanges(fx.accountId, now, job, "duplicate", "appeared-beside", fx.nowMs()),
      ]),
    }),
    ["ledger", "jobs"],
  );
}

/** Audits what is due. Gives the time in ms until something is due again, or undefined when nothing is. */
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

/**
 * Two minutes after an intent was settled, searches the job list for jobs that the network made beside it, and puts them
 * into the ledger as possible duplicates. One list call for all that is due; one tab at a time. Ends when nothing is
 * left to audit, or when another tab does it. `poke` ends a wait early, when more was settled.
 */
export async function runAudits(fx: SubmitEffects, plan: AuditPlan, poke: () => AbortSignal): Promise<void> {
  await fx.locks.tryHold(auditLockName(fx.accountId), async () => {
    for (;;) {
      const waitMs = await auditDue(fx, plan);
      if (waitMs === undefined) return;
      await fx.sleep(Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS), poke());
    }
  });
}
