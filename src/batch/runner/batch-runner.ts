// The loop that runs a batch: which run is sent next and when, by the rules of the batch, until it is done or must pause.

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

/** Why a batch paused: the end of one run, or a rule of the batch. */
export type PauseReason =
  | Extract<SubmitState, { phase: "rejected" | "unconfirmed" | "not-sent" }>
  /** The browser's storage failed around a run, so its outcome is unknown here. */
  | { phase: "storage-failed" }
  | { phase: "rule"; rule: "failures"; count: number }
  | { phase: "rule"; rule: "limit"; limitMicroUsd: MicroUsd }
  | { phase: "rule"; rule: "star" };

/** A batch with its intents and jobs, as they are stored now. */
export interface Stored {
  /** Undefined where the batch was deleted. */
  batch: Batch | undefined;
  /** Looks up the intents and jobs of the account. */
  sent: Sent;
  /** Ids of the jobs with a star. */
  starred: ReadonlySet<string>;
}

/** What the runner needs of the browser: storage, locks, time, and the submit machine. */
export interface BatchEffects extends RunEffects {
  /**
   * Reads a batch with its intents and jobs. The first call reads all rows, later ones only rows that a tab announced as changed.
   * Rejects where the database cannot be read.
   */
  read(id: string): Promise<Stored>;
  /**
   * As `read`, but reads the batch, these intents and their jobs even if no change was announced: a tab may have died after it
   * changed them and before it said so.
   */
  readAnew(id: string, intentIds: readonly string[]): Promise<Stored>;
  /** Submits one run. Resolves to its state afterwards. Rejects where the lock of its model cannot be requested. */
  send(order: SubmitOrder): Promise<SubmitState>;
  /** Calls `listener` after rows of a store changed in any tab. Returns the function that stops it. */
  onChange(store: StoreName, listener: () => void): () => void;
}

/** One stretch of running a batch in this tab: from Resume to a pause. */
interface BatchRun {
  id: string;
  /** False once the batch was paused: then nothing more is sent. */
  isOn(): boolean;
  /** The runs that are being submitted, by intent. Lanes add and remove them. */
  sending: Map<string, BatchItem>;
  /** Ends a wait early. */
  alarm: ReturnType<typeof createAlarm>;
}

/** A waiting batch reads its rows again after this time, and a busy model is tried again. */
const RECHECK_MS = 1_500;

/** The state of a batch in this tab. A batch that no tab runs is paused: only a person starts it. */
export type RunState = { phase: "running" } | { phase: "paused"; reason: PauseReason | undefined };
type RunStates = Readonly<Record<string, RunState>>;

export type BatchRunner = ReturnType<typeof createBatchRunner>;

/** The name of the lock by which one tab alone runs a batch. */
export const batchLockName = (id: string) => `batch:${id}`;

/** Runs batches, each in one tab at a time. It lives outside React, so that leaving the screen stops nothing. */
export function createBatchRunner(effects: BatchEffects) {
  const states = create<RunStates>(() => ({}));
  /** What this tab runs, until the last submit has ended. */
  const active = new Map<string, BatchRun>();
  /** A new symbol at each Resume. A stretch that was paused and has not ended yet sees by it that it was replaced. */
  const wanted = new Map<string, symbol>();
  const setRunState = (id: string, state: RunState) => states.setState({ [id]: state });

  /** Runs the batch until it pauses, under its lock. Undefined if it just ended, or another tab has the lock. */
  async function runOnce(id: string): Promise<PauseReason | undefined> {
    const token = wanted.get(id);
    const sending = new Map<string, BatchItem>();
    const run: BatchRun = { id, isOn: () => wanted.get(id) === token, sending, alarm: createAlarm() };
    active.set(id, run);
    const outcome = await effects.locks.tryHold(batchLockName(id), () => runBatch(effects, run));
    return outcome.isAcquired ? outcome.result : undefined;
  }

  return {
    states,
    /** Sends the waiting runs until the batch is paused or done, or something stops it. Resolves then. */
    async start(id: string): Promise<void> {
      if (wanted.has(id)) return;
      const isEnding = active.has(id);
      wanted.set(id, Symbol(id));
      setRunState(id, { phase: "running" });
      // An earlier call was paused and still ends. Its loop below then starts the next stretch.
      if (isEnding) return;
      while (wanted.has(id)) {
        const token = wanted.get(id);
        const reason = await runOnce(id).catch((): PauseReason => ({ phase: "storage-failed" }));
        if (wanted.get(id) !== token) continue;
        wanted.delete(id);
        setRunState(id, { phase: "paused", reason });
      }
      active.delete(id);
    },
    /** Sends no further run. Those that are being submitted continue. */
    pause(id: string): void {
      wanted.delete(id);
      setRunState(id, { phase: "paused", reason: undefined });
      active.get(id)?.alarm.ring();
    },
    /** Whether this tab runs the batch, or still ends it after a pause. */
    isActive: (id: string): boolean => active.has(id),
    /**
     * The intents of a batch that are being submitted. They may become jobs, so they cannot be canceled.
     */
    sendingNow: (id: string): ReadonlySet<string> => new Set(active.get(id)?.sending.keys()),
  };
}

/**
 * Sends the waiting runs until the batch is paused or done, or until a rule or a run stops it. Resolves once no submit is under
 * way, to the reason of the pause; undefined where all is done or the person paused it. Rejects where the database cannot be
 * read or written.
 */
async function runBatch(effects: BatchEffects, run: BatchRun): Promise<PauseReason | undefined> {
  const stopListening = wakeOnChanges(effects, run);
  const lanes = createLanes(effects, run);
  const countFailures = createFailureCount();
  const sendAll = async (): Promise<PauseReason | undefined> => {
    let starredBefore: ReadonlySet<string> | undefined;
    let readAnewAtMs = effects.nowMs();
    let openIntents: readonly string[] = [];
    const allIntents = (await effects.read(run.id)).batch?.items.flatMap(getItemIntents) ?? [];
    if ((await effects.readAnew(run.id, allIntents)).batch?.isDismissed) await dismissBatch(effects, run.id, false);
    for (;;) {
      // Taken before the read, so that a change during the read ends the wait below.
      const wakeUp = run.alarm.signal();
      const mustReadAnew = effects.nowMs() - readAnewAtMs >= READ_ANEW_MS;
      if (mustReadAnew) readAnewAtMs = effects.nowMs();
      const stored = await (mustReadAnew ? effects.readAnew(run.id, openIntents) : effects.read(run.id));
      if (await lanes.restoreLost(stored)) continue;
      const { batch, sent } = stored;
      if (!batch || !run.isOn() || lanes.reason()) return;
      const standing = getStanding(batch, sent, run.sending);
      openIntents = standing.views.filter(isOpen).flatMap(({ item }) => getItemIntents(item));
      const { rules } = batch;
      const failures = countFailures(standing.views, sent);
      if (rules.stopAfterFailures !== undefined && failures >= rules.stopAfterFailures)
        return { phase: "rule", rule: "failures", count: failures };
      // A star from before Resume does not stop the batch again.
      if (rules.stopAtStar) {
        starredBefore ??= stored.starred;
        if (hasNewStar(stored, starredBefore)) return { phase: "rule", rule: "star" };
      }
      if (await retryByRules(effects, run, standing, batch)) continue;
      if (!run.isOn() || lanes.reason()) return;
      if (lanes.sendNext(batch, standing) || lanes.reason()) return;
      await effects.sleep(RECHECK_MS, wakeUp);
    }
  };
  try {
    const reason = await sendAll().finally(lanes.ended);
    // Another tab may have removed a run while it was being submitted.
    await lanes.restoreLost(await effects.read(run.id));
    return reason ?? lanes.reason();
  } finally {
    stopListening();
  }
}

/** Whether a run was sent and has not ended. */
const isOpen = ({ state }: ItemView) => ["running", "unconfirmed"].includes(getRunPhase(state));

/** After this time the open runs are read by key, because a tab may have died before it announced their end. */
const READ_ANEW_MS = 30_000;
/** Changes within this time wake the run once, because many jobs change together. */
const WAKE_DELAY_MS = 200;

/** Wakes the run when batches, jobs or marks change. Returns the function that stops it. */
function wakeOnChanges({ onChange, sleep }: BatchEffects, { alarm }: BatchRun): () => void {
  let isWakePending = false;
  const wakeSoon = () => {
    if (isWakePending) return;
    isWakePending = true;
    void sleep(WAKE_DELAY_MS).then(() => {
      isWakePending = false;
      alarm.ring();
    });
  };
  const stops = [onChange("batches", alarm.ring), onChange("jobs", wakeSoon), onChange("marks", wakeSoon)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Whether a result of the batch has a star that is not in `before`. */
function hasNewStar({ batch, sent, starred }: Stored, before: ReadonlySet<string>): boolean {
  const fresh = [...starred].filter((requestId) => !before.has(requestId));
  if (fresh.length === 0) return false;
  const ids = new Set((batch?.items ?? []).flatMap(getItemIntents).flatMap((id) => sent.intent(id)?.requestIds ?? []));
  return fresh.some((requestId) => ids.has(requestId));
}

/** Makes every failed run wait again that the rules retry. Resolves to whether there were any. */
async function retryByRules(
  effects: BatchEffects,
  { id, isOn }: BatchRun,
  standing: Standing,
  { rules }: Batch,
): Promise<boolean> {
  let hasRetried = false;
  for (const { id: itemId } of standing.retried) {
    if (!isOn()) return hasRetried;
    hasRetried = (await retryFailed(effects, id, itemId, rules)) || hasRetried;
  }
  return hasRetried;
}

/** The waits before a lane tries again after a reason of `RETRY_SOON`. After the last one the batch pauses. */
const TRY_AGAIN_MS = [1_500, 5_000, 15_000];
/** Nothing was sent, because the price or the job list could not be loaded. */
const RETRY_SOON: readonly NotSentReason[] = ["price-unknown", "list-unread"];
/** Nothing was sent, because the model has another attempt under way. The run waits for its turn. */
const MODEL_BUSY: readonly NotSentReason[] = ["other-tab", "unsettled"];

/**
 * Whether every other run would end like this one: the service's status says so, even if the refusal is not proven, or the
 * studio's own host refused.
 */
function stopsAll(end: SubmitState): end is Extract<SubmitState, { phase: "rejected" | "unconfirmed" }> {
  if (end.phase === "unconfirmed") return end.refusal !== undefined && STOPS_ALL.has(end.refusal.status);
  if (end.phase !== "rejected") return false;
  const { refusal, error } = end;
  return STOPS_ALL.has(refusal.status) || (error instanceof RefusedError && error.hostReason !== undefined);
}

/**
 * Submits runs in lanes: one after the other for each model, several models at once. The lanes decide nothing by themselves:
 * each call of `sendNext` sends the next runs.
 */
function createLanes(effects: BatchEffects, run: BatchRun) {
  const { nowMs } = effects;
  const { sending, alarm } = run;
  /** By model: how often its next run was tried in vain, and when it may be tried again. */
  const waits = new Map<string, { tries: number; untilMs: number }>();
  const submits = new Set<Promise<void>>();
  /** Every run that these lanes sent, by its id. */
  const sentHere = new Map<string, BatchItem>();
  /** The batch that `restoreLost` looked at last. */
  let checked: Batch | undefined;
  let reason: PauseReason | undefined;

  /** Decides, by how a run ended, whether its lane waits or the whole batch pauses. `state`: that of its row in the outbox. */
  function judge(model: string, end: SubmitState, state: IntentState | undefined): void {
    if (stopsAll(end)) reason ??= end;
    if (end.phase !== "not-sent") return void waits.delete(model);
    const tries = waits.get(model)?.tries ?? 0;
    const wasSentElsewhere = end.reason === "already-sent";
    const isSoonTried = RETRY_SOON.includes(end.reason) || (wasSentElsewhere && state === "not-sent");
    const againMs = isSoonTried ? TRY_AGAIN_MS[tries] : undefined;
    if (againMs !== undefined) waits.set(model, { tries: tries + 1, untilMs: nowMs() + againMs });
    else if (MODEL_BUSY.includes(end.reason)) waits.set(model, { tries, untilMs: nowMs() + RECHECK_MS });
    // A run that another page sent needs nothing: its row says how it ended.
    else if (!wasSentElsewhere || state === undefined || state === "not-sent") reason ??= end;
  }

  async function send(item: BatchItem & { priceMicroUsd: number }, projectId: string | undefined): Promise<void> {
    const { intentId, request, priceMicroUsd } = item;
    try {
      // The person agreed to the total already. A price that has risen since still pauses the batch.
      const end = await effects.send({
        intentId,
        request,
        agreedMicroUsd: priceMicroUsd,
        isConfirmed: true,
        projectId,
      });
      // Another tab sent it, and may not have announced its row in the outbox yet.
      const wasSentElsewhere = end.phase === "not-sent" && end.reason === "already-sent";
      const { sent } = await (wasSentElsewhere ? effects.readAnew(run.id, [intentId]) : effects.read(run.id));
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
    const submit = send(next.item, projectId);
    submits.add(submit);
    void submit.then(() => submits.delete(submit));
  }

  return {
    /** Sends the next run of every lane that has room and stays below the limit. Returns whether the batch is done. */
    sendNext(batch: Batch, standing: Standing): boolean {
      const { rules } = batch;
      const waiting = standing.lanes.filter(({ next }) => next !== undefined);
      let { sendingMicroUsd } = standing;
      let fitsAny = false;
      let isAnyReady = false;
      for (const lane of waiting) {
        const price = lane.next?.item.priceMicroUsd ?? 0;
        const fits = fitsLimit(price, { ...standing, sendingMicroUsd }, rules);
        const isReady = (waits.get(lane.model)?.untilMs ?? 0) <= nowMs() && hasRoom(lane, rules);
        fitsAny ||= fits !== "no";
        isAnyReady ||= isReady;
        if (fits !== "yes" || !isReady) continue;
        sendingMicroUsd += price;
        launch(lane, batch);
      }
      // Pauses only if a lane could send now: a lane without room waits for a job, whose refund may leave money for the next.
      if (isAnyReady && !fitsAny && rules.stopAtMicroUsd !== undefined)
        reason ??= { phase: "rule", rule: "limit", limitMicroUsd: rules.stopAtMicroUsd };
      return waiting.length === 0 && sending.size === 0 && !standing.mayBeRetried;
    },
    /** Why the batch must pause; undefined while it need not. */
    reason: () => reason,
    /**
     * Puts back runs that another tab removed while they were being sent. Resolves to whether there were any. Rejects where the
     * database cannot be written.
     */
    async restoreLost({ batch, sent }: Stored): Promise<boolean> {
      if (!batch || batch === checked) return false;
      checked = batch;
      const items = new Map(batch.items.map((item) => [item.id, item]));
      const lost = [...sentHere.values()].filter((item) => {
        const stored = items.get(item.id);
        const intent = sent.intent(item.intentId);
        return (!stored || !isAgreed(stored)) && intent !== undefined && intent.state !== "not-sent";
      });
      for (const item of lost) await restoreSent(effects, run.id, item);
      return lost.length > 0;
    },
    /** Resolves once all submits have ended. */
    async ended(): Promise<void> {
      await Promise.all(submits);
      alarm.ring();
    },
  };
}

type AgreedItem = BatchItem & { priceMicroUsd: MicroUsd };

/** The runs of one model. They are submitted one after the other; several of their jobs may run at once. */
interface Lane {
  model: string;
  /** The run to submit next, and a number that orders it among the next runs of all lanes. */
  next: { item: AgreedItem; place: number } | undefined;
  /** A run is being submitted, or is unconfirmed: the next one has to wait. */
  isBusy: boolean;
  /** Jobs under way. */
  running: number;
}

/** The state of a batch as far as it decides what to send next. */
interface Standing {
  views: readonly ItemView[];
  /** Ordered by their next runs. */
  lanes: readonly Lane[];
  /** Charges less refunds, with possible charges, without the runs that this tab is submitting. */
  spentMicroUsd: MicroUsd;
  /** The agreed prices of the runs that this tab is submitting. */
  sendingMicroUsd: MicroUsd;
  /** Failed runs that the rules submit again. */
  retried: readonly BatchItem[];
  /** Some run under way would be submitted again if it failed. */
  mayBeRetried: boolean;
}

/** Whether one run comes before another, by their agreed prices; runs of one price in the order of the table. */
const COMES_BEFORE: Record<BatchRules["order"], (a: AgreedItem, b: AgreedItem) => boolean> = {
  rows: () => false,
  cheapest: (a, b) => a.priceMicroUsd < b.priceMicroUsd,
  "most-expensive": (a, b) => a.priceMicroUsd > b.priceMicroUsd,
};

/** The numbers that order runs of different models, lowest first. */
const PLACES: Record<BatchRules["order"], (item: AgreedItem, index: number) => number> = {
  rows: (_item, index) => index,
  cheapest: ({ priceMicroUsd }) => priceMicroUsd,
  "most-expensive": ({ priceMicroUsd }) => -priceMicroUsd,
};

const getSpent = ({ charged, duplicates, refunded, unconfirmed }: ItemMoney) =>
  charged + duplicates + unconfirmed - refunded;

/** Computes where a batch stands. `sending`: the runs that this tab is submitting, by intent. */
function getStanding(batch: Batch, sent: Sent, sending: ReadonlyMap<string, BatchItem>): Standing {
  const { rules } = batch;
  const lanes = new Map<string, Lane>();
  const getLane = (model: string) => {
    const known = lanes.get(model) ?? { model, next: undefined, isBusy: false, running: 0 };
    lanes.set(model, known);
    return known;
  };
  const retried: BatchItem[] = [];
  let spentMicroUsd = 0;
  let sendingMicroUsd = 0;
  let mayBeRetried = false;
  for (const { request, priceMicroUsd = 0 } of sending.values()) {
    getLane(request.model).isBusy = true;
    sendingMicroUsd += priceMicroUsd;
  }
  const views = batch.items.map((item, index) => {
    const view = viewItem(item, sent);
    const { state, money } = view;
    const isSending = sending.has(item.intentId);
    const lane = getLane(item.request.model);
    if (money) spentMicroUsd += getSpent(money) + (isSending ? 0 : money.sending);
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

/** Whether a lane may submit another run now. */
function hasRoom({ model, isBusy, running }: Lane, { parallel, parallelOf }: BatchRules): boolean {
  return !isBusy && running < (parallelOf[model] ?? parallel);
}

/**
 * Whether a run may be sent without taking the batch above its limit. `later`: only if a run that is being submitted now is
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
 * Makes a counter of failures in a row, in the order in which runs ended. Each call takes in the runs that ended since the call
 * before; runs that had ended by the first call do not count.
 */
function createFailureCount(): (views: readonly ItemView[], sent: Sent) => number {
  const ended = new Set<string>();
  let inARow = 0;
  let isFirst = true;
  const getEnd = ({ item, state }: ItemView, sent: Sent) => {
    const phase = getRunPhase(state);
    if (state.kind === "refused") return { atMs: sent.intent(item.intentId)?.settledAtMs ?? 0, isFailure: true };
    if (state.kind !== "sent" || (phase !== "failed" && phase !== "done")) return undefined;
    return { atMs: sent.job(state.requestId)?.finishedAtMs ?? 0, isFailure: phase === "failed" };
  };
  return (views, sent) => {
    const newEnds = views.flatMap((view) => {
      const end = ended.has(view.item.intentId) ? undefined : getEnd(view, sent);
      if (end) ended.add(view.item.intentId);
      return end && !isFirst ? [end] : [];
    });
    isFirst = false;
    for (const { isFailure } of newEnds.sort((a, b) => a.atMs - b.atMs)) inARow = isFailure ? inARow + 1 : 0;
    return inARow;
  };
}
