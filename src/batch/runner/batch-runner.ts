import { create } from "zustand";
import { RefusedError } from "#api/api-error.ts";
import { createAlarm } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import { STOPS_ALL } from "#runs/rules/answers.ts";
import type { IntentState, NotSentReason, SubmitState } from "#runs/rules/intent.ts";
import type { RunEffects } from "#runs/submit/effects.ts";
import type { SubmitOrder } from "#runs/submit/run.ts";
import type { StoreName } from "#storage/keys.ts";
import { type Batch, type BatchItem, type BatchRules, isAgreed } from "#storage/stored-batches.ts";
import { dismissBatch, restoreSent, retryFailed } from "./batch-edits.ts";
import {
  getItemIntents,
  getRunPhase,
  type ItemMoney,
  type ItemView,
  isRetried,
  type Sent,
  viewItem,
} from "./batch-views.ts";

/** Why a batch pauses: what became of a run, or a rule of the batch. */
export type PauseReason =
  | Extract<SubmitState, { phase: "rejected" | "unconfirmed" | "not-sent" }>
  /** The storage failed before a run or after it: what became of that run is not known here. */
  | { phase: "storage-failed" }
  | { phase: "rule"; rule: "failures"; count: number }
  | { phase: "rule"; rule: "limit"; limitMicroUsd: MicroUsd }
  | { phase: "rule"; rule: "star" };

/** A batch as it is stored now, with what was sent. */
export interface Stored {
  /** Undefined where the batch was deleted. */
  batch: Batch | undefined;
  /** The intents and jobs of the account, to be looked up. */
  sent: Sent;
  /** Jobs with a star. */
  starred: ReadonlySet<string>;
}

/** What the runner of batches needs of the browser. */
export interface BatchEffects extends RunEffects {
  /**
   * Reads a batch and what was sent. The first call reads all rows, later ones those that a tab announced as changed. Rejects
   * where the database cannot be read.
   */
  read(id: string): Promise<Stored>;
  /**
   * The same, and reads the batch, these intents and their jobs by key: a tab may have died after it changed them and before it
   * announced that. Rejects as `read` does.
   */
  readAnew(id: string, intentIds: readonly string[]): Promise<Stored>;
  /** Sends one run as its own intent. Resolves to its state afterwards. Rejects where the lock of its model cannot be asked for. */
  send(order: SubmitOrder): Promise<SubmitState>;
  /** Calls back after rows of a store changed, in any tab. Returns the way to stop. */
  onChange(store: StoreName, listener: () => void): () => void;
}

/** What a batch does in this tab from Resume to a pause. */
interface BatchRun {
  id: string;
  /** False once it was paused: nothing is sent any more. */
  isOn(): boolean;
  /** The intents that this tab is submitting, with their runs. Lanes add and remove them. */
  sending: Map<string, BatchItem>;
  /** Ends a wait early. */
  alarm: ReturnType<typeof createAlarm>;
}

/** So often a batch that waits reads again, and a model that was busy is tried again. */
const AGAIN_MS = 1_500;

/** The state of a batch in this tab. A batch that no tab runs is paused: only a person starts it. */
export type RunState = { phase: "running" } | { phase: "paused"; reason: PauseReason | undefined };
type RunStates = Readonly<Record<string, RunState>>;

export type BatchRunner = ReturnType<typeof createBatchRunner>;

/** The name of a lock: one tab per batch. */
export const batchLockName = (id: string) => `batch:${id}`;

/** Sends the runs of batches. Outside React, so that leaving the screen ends nothing; one tab per batch. */
export function createBatchRunner(effects: BatchEffects) {
  const states = create<RunStates>(() => ({}));
  /** The runs of this tab, also while they end. */
  const active = new Map<string, BatchRun>();
  /** A symbol for each Resume: an earlier run of the batch that still ends sees by it that it was replaced. */
  const wanted = new Map<string, symbol>();
  const set = (id: string, state: RunState) => states.setState({ [id]: state });

  /** From Resume to a pause, under the lock of the batch. */
  async function runOnce(id: string): Promise<PauseReason | undefined> {
    const token = wanted.get(id);
    const sending = new Map<string, BatchItem>();
    const run: BatchRun = { id, isOn: () => wanted.get(id) === token, sending, alarm: createAlarm() };
    active.set(id, run);
    const end = await effects.locks.tryHold(batchLockName(id), () => runBatch(effects, run));
    // Where another tab holds it, that is seen by the lock itself.
    return end.isAcquired ? end.result : undefined;
  }

  return {
    states,
    /** Sends what waits, until it is paused, done, or something stops it. Never rejects. */
    async start(id: string): Promise<void> {
      if (wanted.has(id)) return;
      const isEnding = active.has(id);
      wanted.set(id, Symbol(id));
      set(id, { phase: "running" });
      // The run before was paused and has not ended yet. Its loop below starts the next one.
      if (isEnding) return;
      while (wanted.has(id)) {
        const token = wanted.get(id);
        const reason = await runOnce(id).catch((): PauseReason => ({ phase: "storage-failed" }));
        if (wanted.get(id) !== token) continue;
        wanted.delete(id);
        set(id, { phase: "paused", reason });
      }
      active.delete(id);
    },
    /** No further run is sent; those that are on their way go on. */
    pause(id: string): void {
      wanted.delete(id);
      set(id, { phase: "paused", reason: undefined });
      active.get(id)?.alarm.ring();
    },
    /** Whether this tab still has the batch: also for a moment after it was paused. */
    isActive: (id: string): boolean => active.has(id),
    /**
     * The intents of a batch that are on their way to the service now: they may become jobs, whatever is cancelled meanwhile.
     */
    sendingNow: (id: string): ReadonlySet<string> => new Set(active.get(id)?.sending.keys()),
  };
}

/**
 * Sends what waits, until it is paused, done, or a rule or a run stops it. Resolves once nothing is on its way any more, to
 * the reason of the pause: undefined where all is done or the person paused it. Rejects where the database cannot be read or
 * written.
 */
async function runBatch(effects: BatchEffects, run: BatchRun): Promise<PauseReason | undefined> {
  const stopListening = wakeOnChanges(effects, run);
  const lanes = createLanes(effects, run);
  const countFailures = createFailureCount();
  const sendAll = async (): Promise<PauseReason | undefined> => {
    let starredBefore: ReadonlySet<string> | undefined;
    let readAnewAtMs = effects.nowMs();
    let open: readonly string[] = [];
    const known = (await effects.read(run.id)).batch?.items.flatMap(getItemIntents) ?? [];
    if ((await effects.readAnew(run.id, known)).batch?.isDismissed) await dismissBatch(effects, run.id, false);
    for (;;) {
      // Taken before the read, so that a change during the read ends the wait below.
      const woken = run.alarm.signal();
      const isAnew = effects.nowMs() - readAnewAtMs >= READ_ANEW_MS;
      if (isAnew) readAnewAtMs = effects.nowMs();
      const stored = await (isAnew ? effects.readAnew(run.id, open) : effects.read(run.id));
      if (await lanes.restoreLost(stored)) continue;
      const { batch, sent } = stored;
      if (!batch || !run.isOn() || lanes.reason()) return;
      const now = standingOf(batch, sent, run.sending);
      open = now.views.filter(isOpen).flatMap(({ item }) => getItemIntents(item));
      const { rules } = batch;
      const failures = countFailures(now.views, sent);
      if (rules.stopAfterFailures !== undefined && failures >= rules.stopAfterFailures)
        return { phase: "rule", rule: "failures", count: failures };
      // What had a star when the person pressed Resume does not stop the batch again.
      if (rules.stopAtStar) {
        starredBefore ??= stored.starred;
        if (hasNewStar(stored, starredBefore)) return { phase: "rule", rule: "star" };
      }
      if (await renew(effects, run, now, batch)) continue;
      if (!run.isOn() || lanes.reason()) return;
      if (lanes.sendNext(batch, now) || lanes.reason()) return;
      await effects.sleep(AGAIN_MS, woken);
    }
  };
  try {
    const reason = await sendAll().finally(lanes.ended);
    // A run that was being submitted until now may have been removed by another tab.
    await lanes.restoreLost(await effects.read(run.id));
    return reason ?? lanes.reason();
  } finally {
    stopListening();
  }
}

/** Whether a run was sent and has not ended. */
const isOpen = ({ state }: ItemView) => ["running", "unconfirmed"].includes(getRunPhase(state));

/** So often a batch reads its open runs by key: a tab may have died before it announced what became of them. */
const READ_ANEW_MS = 30_000;
/** Many jobs change at once: one look is enough for all of them. */
const REST_MS = 200;

/** Ends a wait of the run early when something changes that it looks at. Returns the way to stop. */
function wakeOnChanges({ onChange, sleep }: BatchEffects, { alarm }: BatchRun): () => void {
  let isResting = false;
  const ringSoon = () => {
    if (isResting) return;
    isResting = true;
    void sleep(REST_MS).then(() => {
      isResting = false;
      alarm.ring();
    });
  };
  const stops = [onChange("batches", alarm.ring), onChange("jobs", ringSoon), onChange("marks", ringSoon)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Whether a result of the batch got a star since. */
function hasNewStar({ batch, sent, starred }: Stored, before: ReadonlySet<string>): boolean {
  const fresh = [...starred].filter((requestId) => !before.has(requestId));
  if (fresh.length === 0) return false;
  const ids = new Set((batch?.items ?? []).flatMap(getItemIntents).flatMap((id) => sent.intent(id)?.requestIds ?? []));
  return fresh.some((requestId) => ids.has(requestId));
}

/** Puts every failed run that the rules retry back among the waiting ones. Resolves to whether any was put back. */
async function renew(effects: BatchEffects, { id, isOn }: BatchRun, now: Standing, { rules }: Batch): Promise<boolean> {
  let isAny = false;
  for (const { id: itemId } of now.retried) {
    if (!isOn()) return isAny;
    isAny = (await retryFailed(effects, id, itemId, rules)) || isAny;
  }
  return isAny;
}

/** The waits before a lane tries again to load the job list or a price: nothing was sent. Then it pauses. */
const TRY_AGAIN_MS = [1_500, 5_000, 15_000];
const RETRY_SOON: readonly NotSentReason[] = ["price-unknown", "list-unread"];
/** The model is busy with another attempt: this one waits its turn. */
const MODEL_BUSY: readonly NotSentReason[] = ["other-tab", "unsettled"];

/**
 * Whether a run ended in a way in which every other run would end as well: by its status, also on a page that proves no
 * refusal, and by whatever the studio's own host refuses.
 */
function stopsAll(end: SubmitState): end is Extract<SubmitState, { phase: "rejected" | "unconfirmed" }> {
  if (end.phase === "unconfirmed") return end.refusal !== undefined && STOPS_ALL.has(end.refusal.status);
  if (end.phase !== "rejected") return false;
  const { refusal, error } = end;
  return STOPS_ALL.has(refusal.status) || (error instanceof RefusedError && error.hostReason !== undefined);
}

/** The runs that are sent, one after the other for each model, and several models at once. Sends only when `sendNext` is called. */
function createLanes(effects: BatchEffects, run: BatchRun) {
  const { nowMs } = effects;
  const { sending, alarm } = run;
  /** How often the next run of each model was tried in vain, and when it is tried again. */
  const waits = new Map<string, { tries: number; untilMs: number }>();
  const ends = new Set<Promise<void>>();
  const sentHere = new Map<string, BatchItem>();
  let checked: Batch | undefined;
  let reason: PauseReason | undefined;

  /** What the end of one run means for its lane, or for all. */
  function judge(model: string, end: SubmitState, state: IntentState | undefined): void {
    if (stopsAll(end)) reason ??= end;
    if (end.phase !== "not-sent") return void waits.delete(model);
    const tries = waits.get(model)?.tries ?? 0;
    const isMet = end.reason === "already-sent";
    const isSoonTried = RETRY_SOON.includes(end.reason) || (isMet && state === "not-sent");
    const againMs = isSoonTried ? TRY_AGAIN_MS[tries] : undefined;
    if (againMs !== undefined) waits.set(model, { tries: tries + 1, untilMs: nowMs() + againMs });
    else if (MODEL_BUSY.includes(end.reason)) waits.set(model, { tries, untilMs: nowMs() + AGAIN_MS });
    // Another page has sent it, and its row says how it ended.
    else if (!isMet || state === undefined || state === "not-sent") reason ??= end;
  }

  async function send(item: BatchItem & { priceMicroUsd: number }, projectId: string | undefined): Promise<void> {
    const { intentId, request, priceMicroUsd } = item;
    try {
      // The person saw the total and agreed to it. A price that has risen since still pauses the batch.
      const end = await effects.send({
        intentId,
        request,
        agreedMicroUsd: priceMicroUsd,
        isConfirmed: true,
        projectId,
      });
      // The outbox has a row of it, which another tab may not have announced yet.
      const isMet = end.phase === "not-sent" && end.reason === "already-sent";
      const { sent } = await (isMet ? effects.readAnew(run.id, [intentId]) : effects.read(run.id));
      judge(request.model, end, sent.intent(intentId)?.state);
    } catch {
      reason ??= { phase: "storage-failed" };
    } finally {
      sending.delete(intentId);
      checked = undefined;
      alarm.ring();
    }
  }

  function launch({ next }: Lane, { projectId }: Batch): void {
    if (!next) return;
    sending.set(next.item.intentId, next.item);
    sentHere.set(next.item.id, next.item);
    const end = send(next.item, projectId);
    ends.add(end);
    void end.then(() => ends.delete(end));
  }

  return {
    /** Sends the next run of every lane that has room for it, decided at once for all. Returns whether nothing is left. */
    sendNext(batch: Batch, now: Standing): boolean {
      const { rules } = batch;
      const waiting = now.lanes.filter(({ next }) => next !== undefined);
      let { sendingMicroUsd } = now;
      let fitsAny = false;
      let isAnyReady = false;
      for (const lane of waiting) {
        const price = lane.next?.item.priceMicroUsd ?? 0;
        const fits = fitsLimit(price, { ...now, sendingMicroUsd }, rules);
        const isReady = (waits.get(lane.model)?.untilMs ?? 0) <= nowMs() && hasRoom(lane, rules);
        fitsAny ||= fits !== "no";
        isAnyReady ||= isReady;
        if (fits !== "yes" || !isReady) continue;
        sendingMicroUsd += price;
        launch(lane, batch);
      }
      // A lane without room waits for a job, whose refund may make room below the limit, too.
      if (isAnyReady && !fitsAny && rules.stopAtMicroUsd !== undefined)
        reason ??= { phase: "rule", rule: "limit", limitMicroUsd: rules.stopAtMicroUsd };
      return waiting.length === 0 && sending.size === 0 && !now.mayBeRetried;
    },
    /** Why nothing more is sent; undefined while nothing stands against it. */
    reason: () => reason,
    /**
     * Puts runs back that another tab removed while they were sent. Resolves to whether there were any. Rejects where the database
     * cannot be written.
     */
    async restoreLost({ batch, sent }: Stored): Promise<boolean> {
      if (!batch || batch === checked) return false;
      checked = batch;
      const items = new Map(batch.items.map((item) => [item.id, item]));
      const lost = [...sentHere.values()].filter((item) => {
        const now = items.get(item.id);
        const intent = sent.intent(item.intentId);
        return (!now || !isAgreed(now)) && intent !== undefined && intent.state !== "not-sent";
      });
      for (const item of lost) await restoreSent(effects, run.id, item);
      return lost.length > 0;
    },
    /** Resolves once nothing is on its way any more. */
    async ended(): Promise<void> {
      await Promise.all(ends);
      alarm.ring();
    },
  };
}

type AgreedItem = BatchItem & { priceMicroUsd: MicroUsd };

/** The runs of one model: one after the other is submitted, and several may be under way. */
interface Lane {
  model: string;
  /** The run that is to be submitted next, and its place in the order of the batch. */
  next: { item: AgreedItem; place: number } | undefined;
  /** One of them is on its way, or its outcome is open. */
  isBusy: boolean;
  running: number;
}

/** How a batch stands, in one pass over its runs. */
interface Standing {
  views: readonly ItemView[];
  /** The lanes in the order of the runs that come next. */
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
function standingOf(batch: Batch, sent: Sent, sending: ReadonlyMap<string, BatchItem>): Standing {
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
    const isOpen = isSending || getRunPhase(state) === "running" || state.kind === "unconfirmed";
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
function hasRoom({ model, isBusy, running }: Lane, { parallel, parallelOf }: BatchRules): boolean {
  return !isBusy && running < (parallelOf[model] ?? parallel);
}

/**
 * Whether the price of a run keeps the batch below its limit. `later`: not while others are on their way, which may be
 * refused.
 */
function fitsLimit(
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
function createFailureCount(): (views: readonly ItemView[], sent: Sent) => number {
  const ended = new Set<string>();
  let inARow = 0;
  let isFirst = true;
  const endOf = ({ item, state }: ItemView, sent: Sent) => {
    const phase = getRunPhase(state);
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
