import { type AttemptsMoney, attemptsCharge } from "#api/charge-words.ts";
import { hasNoResult, isJobRunning, isRefundUnknown } from "#api/jobs.ts";
import type { MicroUsd } from "#lib/money.ts";
import { sameJson } from "#lib/read.ts";
import type { DeletedMedia } from "#media/deleted-media.ts";
import { hasDeletedInput } from "#runs/job-inputs.ts";
import { type Intent, NO_WORDS, type Refusal } from "#runs/rules/intent.ts";
import { refusalChargeText } from "#runs/submit/submit-words.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import { type Batch, type BatchItem, type BatchRules, isAgreed } from "#storage/stored-batches.ts";

/** The state of one run of a batch. It follows from the outbox alone, whichever page sent it. */
export type ItemState =
  /** Nobody agreed to its price: it is not sent. */
  | { kind: "draft" }
  | { kind: "waiting" }
  /** Not sent, and it is not going to be: the file at one of its addresses was deleted from this browser. */
  | { kind: "input-deleted" }
  | { kind: "sending" }
  /** The service's word of its job, and whether that is still under way. */
  | { kind: "sent"; requestId: string; status: string; isRunning: boolean }
  | { kind: "unconfirmed" }
  /** Searched for, and no job was found. */
  | { kind: "absent" }
  | { kind: "refused"; refusal: Refusal };

export interface ItemView {
  item: BatchItem;
  state: ItemState;
  /** The job that it was sent as, where this browser follows it. */
  job?: TrackedJob;
  /** What its attempts came to; absent while none was made. */
  money?: ItemMoney;
  /** The jobs of earlier attempts; absent where there are none. */
  earlierJobs?: readonly string[];
}

/** Whole micro-USD, over all attempts of a run, as in the ledger. */
export interface ItemMoney {
  charged: MicroUsd;
  /** For jobs that failed (spec 3). */
  refunded: MicroUsd;
  /** The attempt that is on its way. */
  sending: MicroUsd;
  /** An attempt whose outcome is open: it may be a charge. */
  unconfirmed: MicroUsd;
  /** Jobs that appeared beside those that were asked for. They may be charges as well. */
  duplicates: MicroUsd;
  /**
   * Attempts of which no job was found, or whose refusal is still checked against the job list. They
   * may be charges as well, and are in no sum of the batch: those are the ledger's.
   */
  doubtful: MicroUsd;
  /** What came back for duplicates that failed. */
  duplicatesRefunded: MicroUsd;
  /** The charges for jobs that ended in a way of which nobody knows whether they are refunded. */
  refundUnknown: MicroUsd;
}

/** What was sent, by the ids of intents and jobs. */
export interface Sent {
  intent(intentId: string): Intent | undefined;
  job(requestId: string): TrackedJob | undefined;
}

function stateOfIntent(row: Intent, sent: Sent): ItemState | undefined {
  switch (row.state) {
    case "not-sent":
      return undefined;
    case "sending":
    case "retrying":
      return { kind: "sending" };
    case "accepted": {
      const [requestId = ""] = row.requestIds;
      const status = sent.job(requestId)?.status ?? "queued";
      return { kind: "sent", requestId, status, isRunning: isJobRunning({ status }) };
    }
    case "unconfirmed":
      return { kind: "unconfirmed" };
    case "absent":
      return { kind: "absent" };
    case "rejected":
      return { kind: "refused", refusal: row.refusal ?? NO_WORDS };
  }
}

/** The state of a run. What was sent counts, whatever the table says of it. */
export function getItemState(item: BatchItem, sent: Sent): ItemState {
  const row = sent.intent(item.intentId);
  const known = row && stateOfIntent(row, sent);
  if (known) return known;
  if (!isAgreed(item)) return { kind: "draft" };
  return { kind: hasDeletedInput(item.request.payload) ? "input-deleted" : "waiting" };
}

const NO_MONEY: ItemMoney = {
  charged: 0,
  refunded: 0,
  sending: 0,
  unconfirmed: 0,
  duplicates: 0,
  duplicatesRefunded: 0,
  doubtful: 0,
  refundUnknown: 0,
};

const sumOf = (amounts: readonly MicroUsd[]) => amounts.reduce((sum, amount) => sum + amount, 0);

function addRow(money: ItemMoney, row: Intent, sent: Sent): ItemMoney {
  if (row.state === "sending" || row.state === "retrying")
    return { ...money, sending: money.sending + row.priceMicroUsd };
  if (row.state === "unconfirmed") return { ...money, unconfirmed: money.unconfirmed + row.priceMicroUsd };
  const isAudited = row.state === "rejected" && row.auditDueAtMs !== undefined;
  if (row.state === "absent" || isAudited) return { ...money, doubtful: money.doubtful + row.priceMicroUsd };
  if (row.state !== "accepted") return money;
  const jobs = row.requestIds.map((id) => sent.job(id));
  const refunds = jobs.map((job) => (job?.status === "failed" ? (job.priceMicroUsd ?? row.priceMicroUsd) : 0));
  return {
    ...money,
    charged: money.charged + row.priceMicroUsd,
    duplicates: money.duplicates + row.priceMicroUsd * Math.max(0, jobs.length - 1),
    refunded: money.refunded + sumOf(refunds),
    duplicatesRefunded: money.duplicatesRefunded + sumOf(refunds.slice(1)),
    refundUnknown: money.refundUnknown + (isRefundUnknown(jobs[0]?.status ?? "queued") ? row.priceMicroUsd : 0),
  };
}

export function getItemMoney(item: BatchItem, sent: Sent): ItemMoney | undefined {
  let money: ItemMoney | undefined;
  for (const id of getItemIntents(item)) {
    const row = sent.intent(id);
    if (row) money = addRow(money ?? NO_MONEY, row, sent);
  }
  return money;
}

/** A run with its state and what its attempts came to. */
export function viewItem(item: BatchItem, sent: Sent): ItemView {
  const money = getItemMoney(item, sent);
  const earlierJobs = item.earlierIntentIds?.flatMap((intentId) => sent.intent(intentId)?.requestIds[0] ?? []);
  const state = getItemState(item, sent);
  const job = sent.job(sentJobId(state) ?? "");
  return {
    item,
    state,
    ...(job ? { job } : {}),
    ...(money ? { money } : {}),
    ...(earlierJobs && earlierJobs.length > 0 ? { earlierJobs } : {}),
  };
}

/** The ID of the job that a run was sent as; undefined until there is one. */
export const sentJobId = (state: ItemState): string | undefined =>
  state.kind === "sent" ? state.requestId : undefined;

/** What the attempts of a run came to, as it is said of a charge. The one that is on its way is left out. */
export function attemptsMoney({ money = NO_MONEY }: Pick<ItemView, "money">): AttemptsMoney {
  const { charged, refunded, refundUnknown, unconfirmed, doubtful, duplicates, duplicatesRefunded } = money;
  return {
    charged,
    refunded: refunded - duplicatesRefunded,
    refundUnknown,
    possible: unconfirmed + doubtful + duplicates - duplicatesRefunded,
  };
}

/** Whether the price of a run is no charge in the end: refused, or refunded in full. */
export function isNotCharged(view: Pick<ItemView, "state" | "money">): boolean {
  const { state } = view;
  const { charged, refunded, possible } = attemptsMoney(view);
  const isSettled = state.kind === "refused" || (hasEnded(state) && refunded > 0);
  return isSettled && charged - refunded + possible <= 0;
}

/** What is known of the charge of a run, over all of its attempts. Undefined where none was made, or only one that is on its way. */
export function itemCharge(view: ItemView): string | undefined {
  const { state } = view;
  const known = attemptsCharge(attemptsMoney(view));
  if (known !== undefined || state.kind !== "refused") return known;
  return refusalChargeText(state.refusal);
}

/** Every intent of a run, the newest last. */
export const getItemIntents = ({ intentId, earlierIntentIds = [] }: BatchItem) => [...earlierIntentIds, intentId];

/** What was sent, looked up in lists. */
export function indexSent(intents: readonly Intent[], tracked: readonly TrackedJob[]): Sent {
  const rows = new Map(intents.map((row) => [row.intentId, row]));
  const jobs = new Map(tracked.map((job) => [job.requestId, job]));
  return { intent: (id) => rows.get(id), job: (id) => jobs.get(id) };
}

/** Whether a run was submitted and nothing more will come of it. */
export function hasEnded(state: ItemState): boolean {
  return state.kind === "refused" || state.kind === "absent" || (state.kind === "sent" && !state.isRunning);
}

/** Whether another attempt may be asked for: the one before has ended, and brought no result. */
export function canRetry(state: ItemState): boolean {
  return hasEnded(state) && getRunPhase(state) !== "done";
}

/** Whether the rules submit a run anew by themselves: its job failed and was refunded, and it has tries left. */
export function isRetried({ item, state }: Pick<ItemView, "item" | "state">, { retries }: BatchRules): boolean {
  return (
    state.kind === "sent" &&
    state.status === "failed" &&
    isAgreed(item) &&
    (item.earlierIntentIds?.length ?? 0) < retries
  );
}

/** What the runs of a batch have come to. Amounts are whole micro-USD. */
interface BatchSums {
  /** Rows that nobody has agreed to yet. */
  drafts: number;
  /** Not submitted yet. */
  waiting: number;
  submitted: number;
  done: number;
  /** Refused, failed, or with a deleted input. */
  failed: number;
  /** Failed and refunded ones that the rules submit anew. */
  retried: number;
  /** What the waiting ones would cost, and those that are submitted anew. */
  waitingMicroUsd: MicroUsd;
  /** The prices of all jobs that were made, as in the ledger, before refunds. */
  chargedMicroUsd: MicroUsd;
  /** What came back for jobs that failed. */
  refundedMicroUsd: MicroUsd;
  /** Whose outcome is open, and what it may cost. */
  unconfirmed: number;
  unconfirmedMicroUsd: MicroUsd;
  /** Jobs that appeared beside those that were asked for, and may be charges as well. */
  duplicateMicroUsd: MicroUsd;
  /** Nothing waits and nothing is under way. */
  isOver: boolean;
}

/** Counts the runs of a batch. With the rules, those that are submitted anew wait as well. */
export function batchSums(views: readonly ItemView[], rules?: BatchRules): BatchSums {
  const sums: BatchSums = {
    drafts: 0,
    waiting: 0,
    submitted: 0,
    done: 0,
    failed: 0,
    retried: 0,
    waitingMicroUsd: 0,
    chargedMicroUsd: 0,
    refundedMicroUsd: 0,
    unconfirmed: 0,
    unconfirmedMicroUsd: 0,
    duplicateMicroUsd: 0,
    isOver: true,
  };
  for (const view of views) {
    const { state, money = NO_MONEY } = view;
    const phase = getRunPhase(state);
    const isAgain = rules !== undefined && isRetried(view, rules);
    if (state.kind === "draft") sums.drafts += 1;
    if (state.kind === "waiting") sums.waiting += 1;
    if (state.kind === "sent") sums.submitted += 1;
    if (state.kind === "unconfirmed") sums.unconfirmed += 1;
    if (phase === "done") sums.done += 1;
    if (phase === "failed") sums.failed += 1;
    if (isAgain) sums.retried += 1;
    if (state.kind === "waiting" || isAgain) sums.waitingMicroUsd += view.item.priceMicroUsd ?? 0;
    sums.chargedMicroUsd += money.charged;
    sums.refundedMicroUsd += money.refunded;
    sums.unconfirmedMicroUsd += money.unconfirmed;
    sums.duplicateMicroUsd += money.duplicates;
    if (isAgain || state.kind === "waiting" || state.kind === "unconfirmed" || phase === "running") sums.isOver = false;
  }
  return sums;
}

/** What has become of a run, in the words by which runs are counted and filtered: each is in exactly one phase. */
export type RunPhase = "draft" | "waiting" | "running" | "unconfirmed" | "done" | "failed" | "cancelled";

export function getRunPhase(state: ItemState): RunPhase {
  switch (state.kind) {
    case "draft":
    case "waiting":
      return state.kind;
    case "sending":
      return "running";
    case "unconfirmed":
    case "absent":
      return "unconfirmed";
    case "input-deleted":
    case "refused":
      return "failed";
    case "sent":
      if (state.isRunning) return "running";
      if (state.status === "success") return "done";
      return hasNoResult(state.status) && state.status !== "cancelled" ? "failed" : "cancelled";
  }
}

/** A batch as it is stored, with what was sent of it. */
export interface StoredView {
  batch: Batch;
  items: readonly ItemView[];
  sums: BatchSums;
}

interface Sources {
  batches: readonly Batch[];
  sent: Sent;
  /** A run whose file was deleted waits no longer. */
  deleted: DeletedMedia;
}

/** The runs of a batch that somebody agreed to. */
export const agreedRuns = ({ items }: Pick<StoredView, "items">): readonly ItemView[] =>
  items.filter(({ state }) => state.kind !== "draft");

/** A batch that was read anew, with the very objects of the one before where they say the same. */
export function shareBatch(before: Batch | undefined, now: Batch): Batch {
  if (before === undefined || before === now) return now;
  const old = new Map(before.items.map((item) => [item.id, item]));
  const shared = now.items.map((item): BatchItem => {
    const known = old.get(item.id);
    return known && sameJson(known, item) ? known : item;
  });
  const isEqual = shared.length === before.items.length && shared.every((item, index) => item === before.items[index]);
  const items = isEqual ? before.items : shared;
  const groups = sameJson(before.groups, now.groups) ? before.groups : now.groups;
  const rules = sameJson(before.rules, now.rules) ? before.rules : now.rules;
  const next = { ...now, items, groups, rules };
  const isWhole = isEqual && groups === before.groups && rules === before.rules;
  return isWhole && sameJson({ ...before, items, groups, rules }, next) ? before : next;
}

const isSameView = (a: ItemView, b: ItemView) =>
  sameJson(a.job, b.job) &&
  sameJson(a.state, b.state) &&
  sameJson(a.money, b.money) &&
  sameJson(a.earlierJobs, b.earlierJobs);

/**
 * Batches with what was sent of them, by what is stored. Whatever did not change since the last call is the same object as
 * then, down to a run: thousands of rows are shown, and most of them do not change. Nothing in here throws.
 */
export function createBatchViews(): (sources: Sources) => readonly StoredView[] {
  let last: { sources: Sources; views: readonly StoredView[] } | undefined;
  let lastViews = new Map<string, StoredView>();

  function view(batch: Batch, sent: Sent): StoredView {
    const before = lastViews.get(batch.id);
    const shared = shareBatch(before?.batch, batch);
    const known = new Map(before?.items.map((one) => [one.item, one]));
    const items = shared.items.map((item): ItemView => {
      const now = viewItem(item, sent);
      const was = known.get(item);
      return was && isSameView(was, now) ? was : now;
    });
    const isSameItems =
      before?.items.length === items.length && items.every((item, index) => item === before.items[index]);
    if (before && isSameItems && shared === before.batch) return before;
    return { batch: shared, items: isSameItems ? before.items : items, sums: batchSums(items, shared.rules) };
  }

  return (sources) => {
    const { batches, sent, deleted } = sources;
    const was = last?.sources;
    if (last && was?.batches === batches && was.sent === sent && was.deleted === deleted) return last.views;
    const views = batches.map((batch) => view(batch, sent));
    lastViews = new Map(views.map((one) => [one.batch.id, one]));
    last = { sources, views };
    return views;
  };
}
