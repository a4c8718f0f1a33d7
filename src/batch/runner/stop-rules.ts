import type { MicroUsd } from "#lib/money.ts";
import { type Batch, type BatchItem, type BatchRules, isAgreed } from "#storage/stored-batches.ts";
import { type ItemMoney, type ItemView, isRetried, phaseOf, type Sent, viewItem } from "./item-states.ts";

type AgreedItem = BatchItem & { priceMicroUsd: MicroUsd };

/** The runs of one model: one after the other is submitted, and so many may be under way. */
export interface Lane {
  model: string;
  /** The run that is to be submitted next, and its place in the order of the batch. */
  next: { item: AgreedItem; place: number } | undefined;
  /** One of them is on its way, or its outcome is open. */
  isBusy: boolean;
  running: number;
}

/** How a batch stands, in one pass over its runs. */
export interface Standing {
  views: readonly ItemView[];
  /** In the order of the runs that come next. */
  lanes: readonly Lane[];
  /** What was charged and not refunded, and what may have been: without the runs that are on their way from here. */
  spentMicroUsd: MicroUsd;
  /** The agreed prices of the runs that are on their way from here. */
  sendingMicroUsd: MicroUsd;
  /** Runs that the rules submit anew. */
  retried: readonly BatchItem[];
  /** Runs that may still fail, and would be submitted anew then. */
  mayBeRetried: boolean;
}

/** Whether one run comes before another, by their agreed prices; runs of one price in the order of the table. */
const COMES_BEFORE: Record<BatchRules["order"], (a: AgreedItem, b: AgreedItem) => boolean> = {
  rows: () => false,
  cheapest: (a, b) => a.priceMicroUsd < b.priceMicroUsd,
  "most-expensive": (a, b) => a.priceMicroUsd > b.priceMicroUsd,
};

const PLACES: Record<BatchRules["order"], (item: AgreedItem, index: number) => number> = {
  rows: (_item, index) => index,
  cheapest: ({ priceMicroUsd }) => priceMicroUsd,
  "most-expensive": ({ priceMicroUsd }) => -priceMicroUsd,
};

const spentOf = ({ charged, duplicates, refunded, unconfirmed }: ItemMoney) =>
  charged + duplicates + unconfirmed - refunded;

/** How a batch stands. `sending`: the intents that are on their way from here, with their runs. */
export function standingOf(batch: Batch, sent: Sent, sending: ReadonlyMap<string, BatchItem>): Standing {
  const { rules } = batch;
  const lanes = new Map<string, Lane>();
  const laneOf = (model: string) => {
    const known = lanes.get(model) ?? { model, next: undefined, isBusy: false, running: 0 };
    lanes.set(model, known);
    return known;
  };
  const retried: BatchItem[] = [];
  let spentMicroUsd = 0;
  let sendingMicroUsd = 0;
  let mayBeRetried = false;
  for (const { request, priceMicroUsd = 0 } of sending.values()) {
    laneOf(request.model).isBusy = true;
    sendingMicroUsd += priceMicroUsd;
  }
  const views = batch.items.map((item, index) => {
    const view = viewItem(item, sent);
    const { state, money } = view;
    const isSending = sending.has(item.intentId);
    const lane = laneOf(item.request.model);
    if (money) spentMicroUsd += spentOf(money) + (isSending ? 0 : money.sending);
    if (state.kind === "sending" || state.kind === "unconfirmed") lane.isBusy = true;
    if (state.kind === "sent" && state.isRunning) lane.running += 1;
    if (isRetried(view, rules)) retried.push(item);
    const isOpen = isSending || phaseOf(state) === "running" || state.kind === "unconfirmed";
    if (isOpen && (item.earlierIntentIds?.length ?? 0) < rules.retries) mayBeRetried = true;
    const isNext =
      state.kind === "waiting" &&
      isAgreed(item) &&
      !isSending &&
      (lane.next === undefined || COMES_BEFORE[rules.order](item, lane.next.item));
    if (isNext) lane.next = { item, place: PLACES[rules.order](item, index) };
    return view;
  });
  const inOrder = [...lanes.values()].sort((a, b) => (a.next?.place ?? 0) - (b.next?.place ?? 0));
  return { views, lanes: inOrder, spentMicroUsd, sendingMicroUsd, retried, mayBeRetried };
}

/** Whether a lane has room for another job. */
export function hasRoom({ model, isBusy, running }: Lane, { parallel, parallelOf }: BatchRules): boolean {
  return !isBusy && running < (parallelOf[model] ?? parallel);
}

/**
 * Whether the price of a run keeps the batch below its limit. `later`: not while others are on their way, which may be
 * refused.
 */
export function fitsLimit(
  priceMicroUsd: MicroUsd,
  { spentMicroUsd, sendingMicroUsd }: Standing,
  { stopAtMicroUsd }: BatchRules,
): "yes" | "later" | "no" {
  if (stopAtMicroUsd === undefined || spentMicroUsd + sendingMicroUsd + priceMicroUsd <= stopAtMicroUsd) return "yes";
  return spentMicroUsd + priceMicroUsd <= stopAtMicroUsd ? "later" : "no";
}

/**
 * Counts the runs that failed one after the other, in the order in which they ended: the function that it returns takes in
 * what has ended since, and says how many failed in a row by now. Runs that had ended when it is first asked are not counted.
 */
export function createFailureCount(): (views: readonly ItemView[], sent: Sent) => number {
  const ended = new Set<string>();
  let inARow = 0;
  let isFirst = true;
  const endOf = ({ item, state }: ItemView, sent: Sent) => {
    const phase = phaseOf(state);
    if (state.kind === "refused") return { atMs: sent.intent(item.intentId)?.settledAtMs ?? 0, isFailure: true };
    if (state.kind !== "sent" || (phase !== "failed" && phase !== "done")) return undefined;
    return { atMs: sent.job(state.requestId)?.finishedAtMs ?? 0, isFailure: phase === "failed" };
  };
  return (views, sent) => {
    const fresh = views.flatMap((view) => {
      const end = ended.has(view.item.intentId) ? undefined : endOf(view, sent);
      if (end) ended.add(view.item.intentId);
      return end && !isFirst ? [end] : [];
    });
    isFirst = false;
    for (const { isFailure } of fresh.sort((a, b) => a.atMs - b.atMs)) inARow = isFailure ? inARow + 1 : 0;
    return inARow;
  };
}
