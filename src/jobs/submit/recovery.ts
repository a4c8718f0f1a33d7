// After a lost answer or a reload: what dead pages left behind, what the host remembers, polls of the job list, and the
// pruning of old rows.
// Nothing here sends anything (invariant: no POST on boot, focus, reconnect, reload or a timer).
import type { Job } from "#api/types.ts";
import { asNumber } from "#lib/read.ts";
import type { RowChange } from "#storage/rows.ts";
import { putChange, type RowKind, readAll, readOne } from "#storage/typed-rows.ts";
import { batchRows } from "../stored-batches.ts";
import { type SubmitEffects, settleLockName, submitLockName } from "./effects.ts";
import {
  type AcceptedOrigin,
  baselineScope,
  type Intent,
  intentOfBaseline,
  isUnsettled,
  readMovable,
} from "./intent.ts";
import { claimedJobs, findNamedJob, listModelJobs, matchJobs } from "./match-jobs.ts";
import { readBaseline, readIntent, readIntents, record, removeBaseline } from "./outbox.ts";
import { askHost, refusalOf, type SendOutcome } from "./outcome.ts";
import { shownState } from "./submit-state.ts";
import { ABSENT_AFTER_MS, type SubmitEvent } from "./transitions.ts";

/**
 * Finds intents that no living page is sending, and resolves to the rows that are to be reconciled, the latest first.
 * Rejects when the store cannot be read or written.
 */
export async function resumeIntents(fx: SubmitEffects): Promise<Intent[]> {
  const open: Intent[] = [];
  for (const row of await readIntents(fx)) {
    if (row.state === "sending" || row.state === "retrying") {
      await fx.locks.tryHold(submitLockName(fx.accountId, row.request.model), () => takeOver(fx, row.intentId));
    }
    const now = await readIntent(fx, row.intentId);
    if (now?.state === "unconfirmed" || now?.state === "absent") open.push(now);
  }
  return open.sort((a, b) => b.sentAtMs - a.sentAtMs);
}

/** Moves on what a page that was closed left open, under the lock that the page held. */
async function takeOver(fx: SubmitEffects, intentId: string): Promise<void> {
  const row = await readIntent(fx, intentId);
  if (row?.state === "sending" || row?.state === "retrying") await record(fx, intentId, { kind: "page-lost" });
}

const GOOD_POLLS = 5;
/** Two polls of the list for one intent are at least this far apart: closer ones would see the same list. */
const SHORTEST_POLL_MS = 5_000;
const FIRST_POLL_MS = 2_000;
const CLOSE_POLL_MS = 10_000;
const CLOSE_UNTIL_MS = 180_000;
const FAR_POLL_MS = 60_000;
/** After this much polling in vain, the polling for an intent that is called absent ends. */
const GIVE_UP_MS = 15 * 60_000;
/** However slow a list once was, "not found" is said after this long. */
const LONGEST_ABSENT_MS = 8 * 60_000;

/** How long to wait before the next poll, given how long was waited already. */
function nextPollMs({ waitedMs, goodLooks }: Intent, failed: boolean): number {
  if (waitedMs === 0) return FIRST_POLL_MS;
  if (waitedMs >= CLOSE_UNTIL_MS) return FAR_POLL_MS;
  return failed || goodLooks < 2 ? SHORTEST_POLL_MS : CLOSE_POLL_MS;
}

/** The longest time that a job was looked for in vain before the list showed it, per account, in ms. */
const lagRows: RowKind<number> = { store: "settings", version: 1, read: asNumber };
const lagKey = (accountId: string) => `list-lag|${accountId}`;
const LAG_FACTOR = 3;

/** How long to look before "not found" may be said: two minutes, and longer where the list was once slow. */
async function absentAfterMs({ rows, accountId }: SubmitEffects): Promise<number> {
  const seenMs = (await readOne(rows, lagRows, lagKey(accountId)).catch(() => undefined)) ?? 0;
  return Math.min(LONGEST_ABSENT_MS, Math.max(ABSENT_AFTER_MS, LAG_FACTOR * seenMs));
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
 * focus, or the network coming back. Rejects when the store cannot be read or written; a list that cannot be read is
 * polled again.
 */
export async function reconcile(fx: SubmitEffects, intentId: string, wake: () => AbortSignal): Promise<void> {
  await fx.locks.tryHold(settleLockName(intentId), () => pollUntilSettled(fx, intentId, wake));
}

/** Polls until the intent is settled, or long enough. Time counts only while somebody polls, by a clock that never jumps. */
async function pollUntilSettled(fx: SubmitEffects, intentId: string, wake: () => AbortSignal): Promise<void> {
  let failed = false;
  let hostSpoke = false;
  let isAsking = false;
  for (;;) {
    const before = await readIntent(fx, intentId);
    if (!before || !(before.state === "unconfirmed" || before.state === "absent")) return;
    if (before.state === "absent" && before.waitedMs >= GIVE_UP_MS) return;
    const from = fx.monotonicMs();
    await sleepForPoll(fx, nextPollMs(before, failed), before.waitedMs === 0, wake);
    const waitedMs = before.waitedMs + Math.max(0, fx.monotonicMs() - from);
    // Only a memory that the row names can say anything about it.
    hostSpoke ||= before.bodyKind !== "relay" || before.hostMemory === undefined;
    if (before.state === "unconfirmed" && !hostSpoke && !isAsking) {
      isAsking = true;
      // Beside the list: the host may wait for the service longer than the list takes to show the job.
      void settleByHost(fx, before).then((knows) => {
        hostSpoke = knows;
        isAsking = false;
      });
    }
    // An attempt that the host has not accounted for may still be on its way to it, but not for so long.
    const mayStillLeave = !hostSpoke && waitedMs < LONGEST_ABSENT_MS;
    const seen = await pollList(fx, before, waitedMs, mayStillLeave);
    if (seen === "settled") return;
    failed = seen === "failed";
    const goodPolls = before.goodLooks + (failed ? 0 : 1);
    const isEnough =
      before.state === "unconfirmed" &&
      !failed &&
      goodPolls >= GOOD_POLLS &&
      !mayStillLeave &&
      // The next poll may tell whether there is a record of that id, but it is not waited for without end.
      !(seen === "not-asked" && waitedMs < LONGEST_ABSENT_MS) &&
      waitedMs >= (await absentAfterMs(fx));
    const after = await record(
      fx,
      intentId,
      isEnough
        ? { kind: "not-found", goodPolls, waitedMs }
        : { kind: "polled", seen: before.state, goodPolls, waitedMs },
    );
    if (after?.state === "unconfirmed" || (after?.state === "absent" && before.state !== "absent"))
      fx.show(after, shownState(after, { pollFailed: failed }));
  }
}

/** Waits for the next poll. A wake-up ends the wait, but not before the list may have changed since the last poll. */
async function sleepForPoll(fx: SubmitEffects, ms: number, isFirst: boolean, wake: () => AbortSignal): Promise<void> {
  const leastMs = isFirst ? 0 : Math.min(ms, SHORTEST_POLL_MS);
  const signal = wake();
  await fx.sleep(leastMs);
  if (ms > leastMs) await fx.sleep(ms - leastMs, signal);
}

/** Settles an intent by what the host remembers of its attempt. Resolves to whether it has said all it knows. Never rejects. */
async function settleByHost(fx: SubmitEffects, row: Intent): Promise<boolean> {
  const said = await askHost(fx, row);
  if (said.kind === "unconfirmed") {
    const { refusal, possibleJob, hostSpoke } = said;
    if (refusal) await record(fx, row.intentId, { kind: "answer-lost", refusal, possibleJob }).catch(() => {});
    return hostSpoke;
  }
  const settled = await record(fx, row.intentId, eventOf(said)).catch(() => undefined);
  if (settled)
    fx.show(settled, shownState(settled, said.kind === "accepted" ? { job: said.job } : { error: said.error }));
  return settled !== undefined;
}

/** Nobody presses Run anew here, so a refusal that passes is final, and so is an attempt that never left. */
function eventOf(said: Exclude<SendOutcome, { kind: "unconfirmed" }>): SubmitEvent {
  if (said.kind === "accepted") return { kind: "job-known", jobs: [said.job], how: "answered" };
  const isNeverSent = said.error.hostReason === "never_sent";
  return isNeverSent ? { kind: "never-left" } : { kind: "refused", refusal: refusalOf(said.error) };
}

/**
 * One poll: asks for the id that the answer named, if any, then reads the list. A likely job is not claimed while the attempt
 * may still leave the host. `not-asked`: the list shows nothing, and the service could not be asked for the id.
 */
async function pollList(
  fx: SubmitEffects,
  row: Intent,
  waitedMs: number,
  mayStillLeave: boolean,
): Promise<"settled" | "nothing" | "not-asked" | "failed"> {
  const named = row.possibleJob ? await findNamedJob(fx, row, row.possibleJob) : "none";
  if (typeof named !== "string") return (await settleBy(fx, row, [named], "recovered")) ? "settled" : "nothing";
  const nothing = named === "unknown" ? "not-asked" : "nothing";
  let listed: Job[];
  try {
    listed = await listModelJobs(fx, row.request.model, row.listedAfterSeconds);
  } catch {
    return "failed";
  }
  const { ours, certain, foreignSeen, isGuess } = matchJobs(
    listed,
    row,
    await readBaseline(fx, row),
    await claimedJobs(fx),
  );
  const [job, ...others] = ours;
  if (!job || (row.state === "absent" && (await slotIsOpen(fx, row)))) return nothing;
  const isSure = certain || (others.length === 0 && !foreignSeen && !row.shared);
  // The job of an attempt that has not left its host yet would then be nobody's.
  if (!certain && mayStillLeave) return nothing;
  if (isGuess && waitedMs < ABSENT_AFTER_MS) return nothing;
  const how = isSure ? "recovered" : "probable";
  if (!(await settleBy(fx, row, [job, ...others], how))) return nothing;
  if (isSure) await noteLag(fx, waitedMs).catch(() => {});
  return "settled";
}

/** Records and shows that jobs belong to an intent. Resolves to whether it is accepted now. */
async function settleBy(fx: SubmitEffects, row: Intent, jobs: [Job, ...Job[]], how: AcceptedOrigin): Promise<boolean> {
  const settled = await record(fx, row.intentId, { kind: "job-known", jobs, how });
  if (settled?.state !== "accepted") return false;
  fx.show(settled, shownState(settled, { job: jobs[0] }));
  return true;
}

/** An open attempt of the same model may own what appears now: then an intent that was given up must not take it. */
async function slotIsOpen(fx: SubmitEffects, row: Intent): Promise<boolean> {
  const others = (await readIntents(fx)).filter(({ intentId }) => intentId !== row.intentId);
  return others.some((other) => other.request.model === row.request.model && isUnsettled(other.state));
}

const STORED_MS = 30 * 86_400_000;
const MOST_STORED = 1000;
const AT_ONCE = 100;

/** Whether nothing is polled for, or to be audited, any more. */
function isOver(row: Intent): boolean {
  if (isUnsettled(row.state) || row.auditDueAtMs !== undefined) return false;
  return row.state !== "absent" || row.waitedMs >= GIVE_UP_MS;
}

/**
 * Removes intents that were settled and audited more than 30 days ago, or before the newest 1,000. Their ledger lines
 * and jobs stay. One that is open, or to be audited, or part of a batch is never removed: the batch learns from
 * them what was sent. The baseline of an intent that is over goes at once. Rejects with a `StorageError` when the store
 * cannot be written; what was removed stays removed.
 */
export async function pruneOutbox(fx: SubmitEffects): Promise<void> {
  const newestFirst = (await readIntents(fx)).sort((a, b) => b.sentAtMs - a.sentAtMs);
  const batches = await readAll(fx.rows, batchRows, fx.accountId);
  const inBatches = new Set(
    batches.flatMap(({ items }) =>
      items.flatMap(({ intentId, earlierIntentIds = [] }) => [intentId, ...earlierIntentIds]),
    ),
  );
  const oldest = fx.nowMs() - STORED_MS;
  const old = new Set(
    newestFirst
      .filter(
        ({ intentId, sentAtMs }, index) => !inBatches.has(intentId) && (sentAtMs < oldest || index >= MOST_STORED),
      )
      .map(({ intentId }) => intentId),
  );
  const lists = await fx.rows.all("outbox", baselineScope(fx.accountId));
  const rowOf = new Map(newestFirst.map((row) => [row.intentId, row]));
  const withList = lists.map(({ key }) => intentOfBaseline(key));
  const due = [...new Set([...old, ...withList])].filter((intentId) => {
    const row = rowOf.get(intentId);
    return row === undefined || isOver(row);
  });
  for (let from = 0; from < due.length; from += AT_ONCE) {
    const some = due.slice(from, from + AT_ONCE);
    const [first, ...reads] = some.map((key) => ({ store: "outbox" as const, key }));
    if (!first) return;
    await fx.rows.edit({ ...first, reads }, (current, others) => ({
      result: undefined,
      changes: [current, ...others].flatMap((stored, index): RowChange[] => {
        const intentId = some[index] ?? "";
        const row = stored && readMovable(stored);
        if (stored && !(row && isOver(row))) return [];
        const list = removeBaseline(intentId);
        return stored && old.has(intentId) ? [{ kind: "remove", store: "outbox", key: intentId }, list] : [list];
      }),
    }));
  }
}
