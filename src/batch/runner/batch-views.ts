// What a batch says of itself, computed from stored rows: the state, the job and the money of each run, and the sums.

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

/** The state of one run of a batch, whichever tab sent it. `README.md` explains each. */
export type ItemState =
  /** Nobody has agreed to its price. */
  | { kind: "draft" }
  /** Agreed to and not sent yet. */
  | { kind: "waiting" }
  /** Agreed to, but not sent, because a file that it names was deleted here. */
  | { kind: "input-deleted" }
  | { kind: "sending" }
  /** `status`: the service's word for its job. */
  | { kind: "sent"; requestId: string; status: string; isRunning: boolean }
  /** Sent without an answer: its job is being looked for. */
  | { kind: "unconfirmed" }
  /** Its job was looked for and not found. */
  | { kind: "absent" }
  | { kind: "refused"; refusal: Refusal };

export interface ItemView {
  item: BatchItem;
  state: ItemState;
  /** The job that it was sent as, where this browser follows it. */
  job?: TrackedJob;
  /** Sums over its attempts; absent while none was made. */
  money?: ItemMoney;
  /** The jobs of earlier attempts; absent where there are none. */
  earlierJobs?: readonly string[];
}

/** What all attempts of a run cost, in micro-USD, as in the ledger. */
export interface ItemMoney {
  charged: MicroUsd;
  /** Refunds for jobs that failed (spec 3). */
  refunded: MicroUsd;
  /** The price of an attempt that is being submitted. */
  sending: MicroUsd;
  /** An attempt whose outcome is open: it may be a charge. */
  unconfirmed: MicroUsd;
  /** The prices of second jobs that one attempt made. They may be charges as well. */
  duplicates: MicroUsd;
  /**
   * The prices of attempts whose job was not found, or whose refusal is still checked against the job list. They may be charges,
   * but are in no sum of the batch, because the ledger does not count them.
   */
  doubtful: MicroUsd;
  /** The part of `refunded` that is for duplicates. */
  duplicatesRefunded: MicroUsd;
  /** The part of `charged` for jobs whose status does not say whether they were refunded. */
  refundUnknown: MicroUsd;
}

/** Looks up intents and jobs by their ids. */
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

/** The state of a run. Its intent in the outbox decides before the row of the batch does. */
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

/** A run with its state, its job and its money. */
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

/** The money of a run in the terms of `attemptsCharge`. An attempt that is being submitted is left out. */
export function attemptsMoney({ money = NO_MONEY }: Pick<ItemView, "money">): AttemptsMoney {
  const { charged, refunded, refundUnknown, unconfirmed, doubtful, duplicates, duplicatesRefunded } = money;
  return {
    charged,
    refunded: refunded - duplicatesRefunded,
    refundUnknown,
    possible: unconfirmed + doubtful + duplicates - duplicatesRefunded,
  };
}

/** Whether a run ended without any charge: it was refused, or refunded in full. */
export function isNotCharged(view: Pick<ItemView, "state" | "money">): boolean {
  const { state } = view;
  const { charged, refunded, possible } = attemptsMoney(view);
  const isSettled = state.kind === "refused" || (hasEnded(state) && refunded > 0);
  return isSettled && charged - refunded + possible <= 0;
}

/** What is known of the charge for a run, in words; undefined before its first attempt has an outcome. */
export function itemCharge(view: ItemView): string | undefined {
  const { state } = view;
  const known = attemptsCharge(attemptsMoney(view));
  if (known !== undefined || state.kind !== "refused") return known;
  return refusalChargeText(state.refusal);
}

/** The ids of all intents of a run, the newest last. */
export const getItemIntents = ({ intentId, earlierIntentIds = [] }: BatchItem) => [...earlierIntentIds, intentId];

/** Makes a `Sent` of lists. */
export function indexSent(intents: readonly Intent[], tracked: readonly TrackedJob[]): Sent {
  const rows = new Map(intents.map((row) => [row.intentId, row]));
  const jobs = new Map(tracked.map((job) => [job.requestId, job]));
  return { intent: (id) => rows.get(id), job: (id) => jobs.get(id) };
}

/** Whether a run was submitted and its outcome is final. */
export function hasEnded(state: ItemState): boolean {
  return state.kind === "refused" || state.kind === "absent" || (state.kind === "sent" && !state.isRunning);
}

/** Whether a person may ask for another attempt: the last one has ended without a result. */
export function canRetry(state: ItemState): boolean {
  return hasEnded(state) && getRunPhase(state) !== "done";
}

/** Whether the rules submit a run again by themselves: its job failed and was refunded, and it has retries left. */
export function isRetried({ item, state }: Pick<ItemView, "item" | "state">, { retries }: BatchRules): boolean {
  return (
    state.kind === "sent" &&
    state.status === "failed" &&
    isAgreed(item) &&
    (item.earlierIntentIds?.length ?? 0) < retries
  );
}

/** Counts of the runs of a batch, and amounts in micro-USD. */
interface BatchSums {
  /** Rows that nobody has agreed to yet. */
  drafts: number;
  /** Agreed to and not submitted yet. */
  waiting: number;
  submitted: number;
  done: number;
  /** Refused, failed, or with a deleted input. */
  failed: number;
  /** Failed and refunded runs that the rules submit again. */
  retried: number;
  /** The agreed prices of `waiting` and `retried`. */
  waitingMicroUsd: MicroUsd;
  /** The prices of all jobs, before refunds, as in the ledger. */
  chargedMicroUsd: MicroUsd;
  /** Refunds for jobs that failed. */
  refundedMicroUsd: MicroUsd;
  /** Runs whose outcome is open. */
  unconfirmed: number;
  /** What they may cost. */
  unconfirmedMicroUsd: MicroUsd;
  /** The prices of second jobs of one attempt, which may be charges as well. */
  duplicateMicroUsd: MicroUsd;
  /** Nothing waits and nothing is under way. */
  isOver: boolean;
}

/** Adds up the runs of a batch. `rules` decide which failed runs are submitted again; without them none is. */
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
    const willBeRetried = rules !== undefined && isRetried(view, rules);
    if (state.kind === "draft") sums.drafts += 1;
    if (state.kind === "waiting") sums.waiting += 1;
    if (state.kind === "sent") sums.submitted += 1;
    if (state.kind === "unconfirmed") sums.unconfirmed += 1;
    if (phase === "done") sums.done += 1;
    if (phase === "failed") sums.failed += 1;
    if (willBeRetried) sums.retried += 1;
    if (state.kind === "waiting" || willBeRetried) sums.waitingMicroUsd += view.item.priceMicroUsd ?? 0;
    sums.chargedMicroUsd += money.charged;
    sums.refundedMicroUsd += money.refunded;
    sums.unconfirmedMicroUsd += money.unconfirmed;
    sums.duplicateMicroUsd += money.duplicates;
    if (willBeRetried || state.kind === "waiting" || state.kind === "unconfirmed" || phase === "running")
      sums.isOver = false;
  }
  return sums;
}

/** The phases by which runs are counted and filtered. Each run is in exactly one. */
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

/** A stored batch with the states and sums of its runs. */
export interface StoredView {
  batch: Batch;
  items: readonly ItemView[];
  sums: BatchSums;
}

interface Sources {
  batches: readonly Batch[];
  sent: Sent;
  /** What was deleted here: a run with a deleted input is not sent. */
  deleted: DeletedMedia;
}

/** The runs of a batch that the person agreed to. */
export const agreedRuns = ({ items }: Pick<StoredView, "items">): readonly ItemView[] =>
  items.filter(({ state }) => state.kind !== "draft");

/** A batch that was read again, with the objects of the earlier one wherever they are equal, so that they do not render again. */
export function shareBatch(before: Batch | undefined, latest: Batch): Batch {
  if (before === undefined || before === latest) return latest;
  const knownById = new Map(before.items.map((item) => [item.id, item]));
  const shared = latest.items.map((item): BatchItem => {
    const known = knownById.get(item.id);
    return known && sameJson(known, item) ? known : item;
  });
  const isEqual = shared.length === before.items.length && shared.every((item, index) => item === before.items[index]);
  const items = isEqual ? before.items : shared;
  const groups = sameJson(before.groups, latest.groups) ? before.groups : latest.groups;
  const rules = sameJson(before.rules, latest.rules) ? before.rules : latest.rules;
  const next = { ...latest, items, groups, rules };
  const isWhole = isEqual && groups === before.groups && rules === before.rules;
  return isWhole && sameJson({ ...before, items, groups, rules }, next) ? before : next;
}

const isSameView = (a: ItemView, b: ItemView) =>
  sameJson(a.job, b.job) &&
  sameJson(a.state, b.state) &&
  sameJson(a.money, b.money) &&
  sameJson(a.earlierJobs, b.earlierJobs);

/**
 * Makes the function that turns stored rows into views of batches. Whatever did not change since its last call is the same object
 * again, down to a single run, because thousands of rows are shown and few of them change.
 */
export function createBatchViews(): (sources: Sources) => readonly StoredView[] {
  let previous: { sources: Sources; views: readonly StoredView[] } | undefined;
  let previousViews = new Map<string, StoredView>();

  function view(batch: Batch, sent: Sent): StoredView {
    const before = previousViews.get(batch.id);
    const shared = shareBatch(before?.batch, batch);
    const known = new Map(before?.items.map((one) => [one.item, one]));
    const items = shared.items.map((item): ItemView => {
      const latest = viewItem(item, sent);
      const earlier = known.get(item);
      return earlier && isSameView(earlier, latest) ? earlier : latest;
    });
    const isSameItems =
      before?.items.length === items.length && items.every((item, index) => item === before.items[index]);
    if (before && isSameItems && shared === before.batch) return before;
    return { batch: shared, items: isSameItems ? before.items : items, sums: batchSums(items, shared.rules) };
  }

  return (sources) => {
    const { batches, sent, deleted } = sources;
    const earlier = previous?.sources;
    if (previous && earlier?.batches === batches && earlier.sent === sent && earlier.deleted === deleted)
      return previous.views;
    const views = batches.map((batch) => view(batch, sent));
    previousViews = new Map(views.map((one) => [one.batch.id, one]));
    previous = { sources, views };
    return views;
  };
}
