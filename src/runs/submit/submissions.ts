// The submits of one connection: screens and batches send through this alone. The hooks at the end give a screen its run.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { create, useStore } from "zustand";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { createAlarm } from "#lib/delay.ts";
import { setLeaveGuard } from "#lib/leave-guard.ts";
import type { MicroUsd } from "#lib/money.ts";
import { IDLE, type Intent, type SubmitState, shownState } from "#runs/rules/intent.ts";
import { onDatabaseLost } from "#storage/database.ts";
import { requestPersistence } from "#storage/storage-state.ts";
import { jobKey } from "../poll/job-queries.ts";
import { browserEffects, type RunIdentity, type SubmitEffects } from "./effects.ts";
import { currentIntent, currentProject, noteRowsLost, readIntent, record, restoreOpenIntents } from "./outbox.ts";
import { type AuditPlan, pruneOutbox, reconcile, resumeIntents, runAudits } from "./recovery.ts";
import { isUnspent, runSubmit, type SubmitOrder } from "./run.ts";

/** A run as this page shows it: one that was begun here, or one that an earlier page left open. */
export interface Run {
  /** It does not change from the press of Run on, whatever becomes of the run. */
  id: number;
  /** Undefined for a moment after the press. */
  intentId: string | undefined;
  request: JobRequest;
  /** What was agreed to. */
  priceMicroUsd: MicroUsd;
  /** Its batch shows how it ends. The form of its model shows it only while it is unconfirmed, since it blocks the form then. */
  isOfBatch: boolean;
  /** The form of its model shows it: one run of each model at most. */
  isShown: boolean;
  state: SubmitState;
}

/** The run that the form of a model shows. */
export function shownRun(runs: readonly Run[], model: string | undefined): Run | undefined {
  return runs.find(({ request, isShown }) => isShown && request.model === model);
}

/** Whether a run is on its way to the service, or waits for another attempt. */
export const isUnderWay = ({ state: { phase } }: Pick<Run, "state">) => phase === "sending" || phase === "retrying";

/**
 * A run that its form no longer shows. It stays listed while it can still change; otherwise the empty list removes it. A job
 * that is found later makes a run of its own.
 */
function hideRun(run: Run): Run | [] {
  const isPolled = run.state.phase === "unconfirmed" && !run.state.canSendAgain;
  return isUnderWay(run) || isPolled ? { ...run, isShown: false } : [];
}

/** Puts a run into the list, in its place if it is listed already. If its form shows it now, it hides the others of its model. */
function placeRun(runs: readonly Run[], run: Run): readonly Run[] {
  const isShown = !run.isOfBatch || run.state.phase === "unconfirmed";
  const placed = { ...run, isShown };
  const isKnown = runs.some(({ id }) => id === run.id);
  const all = runs.flatMap((other) => {
    if (other.id === run.id) return placed;
    if (other.request.model !== run.request.model) return other;
    if (isShown) return other.isShown ? hideRun(other) : other;
    return other.isOfBatch && !other.isShown ? hideRun(other) : other;
  });
  return isKnown ? all : [...all, placed];
}

/**
 * The runs without those that a newly begun run of the model replaces: they still say `sending`, but nothing sends them, because
 * a lock could not be asked for, or another tab has moved the intent on.
 */
function withoutStuck(runs: readonly Run[], begun: Run): readonly Run[] {
  const isStuck = (run: Run) =>
    run.request.model === begun.request.model && run.isOfBatch === begun.isOfBatch && isUnderWay(run);
  return runs.filter((run) => !isStuck(run));
}

/** A submit that goes on now. */
interface Running {
  isOfBatch: boolean;
  /** Resolves once the submit is settled or left to the polls. */
  ended: Promise<void>;
  /** Ends the waiting for another attempt. */
  abort(): void;
}

/** See `createSubmissions`. */
export type Submissions = ReturnType<typeof createSubmissions>;

/**
 * One connection's submits. Plain code, so that leaving a screen ends nothing. `effectsFor` is given the function that shows a
 * state.
 */
export function createSubmissions(effectsFor: (show: SubmitEffects["show"]) => SubmitEffects) {
  /**
   * The runs that a form shows, those that are open, and the last one of a batch for each model. Not read from the stored rows:
   * a run is shown before its row is written, and its state knows what no row does, such as when the next attempt goes.
   */
  const runs = create<readonly Run[]>(() => []);
  const put = (run: Run) => runs.setState(placeRun(runs.getState(), run), true);
  const putBegun = (run: Run) => runs.setState(placeRun(withoutStuck(runs.getState(), run), run), true);
  const show = (identity: RunIdentity, state: SubmitState) => {
    const known = runs.getState().findLast(({ intentId }) => intentId === identity.intentId);
    put({ ...(known ?? newRun(identity, batchIntents.has(identity.intentId))), state });
  };
  const effects = effectsFor(show);
  let lastId = 0;
  const newRun = (identity: Pick<Run, "intentId" | "request" | "priceMicroUsd">, isOfBatch: boolean): Run => {
    lastId += 1;
    const { intentId, request, priceMicroUsd } = identity;
    return { id: lastId, intentId, request, priceMicroUsd, isOfBatch, isShown: false, state: IDLE };
  };
  /** Makes the form of a model show none of its runs any more. */
  const hide = (model: string) => {
    const shown = shownRun(runs.getState(), model);
    runs.setState(
      runs.getState().flatMap((run) => (run === shown ? hideRun(run) : run)),
      true,
    );
  };
  /** The intents of the batch runs of this page: no form shows how one of them ended, even where the page learns it late. */
  const batchIntents = new Set<string>();
  /**
   * The next intent of each model. It is not read anew at a press: where another tab has just sent the same draft, the press must
   * use the id that is spent by then, so that it is refused as already sent.
   */
  const intents = new Map<string, string>();
  /** By model: the submit that was begun last, until it is settled or left to the polls. */
  const running = new Map<string, Running>();
  const reconciling = new Set<string>();
  const plan: AuditPlan = new Map();
  const pollAlarm = createAlarm();
  const auditAlarm = createAlarm();
  let isAuditing = false;
  /** Whether a run was settled since the audits last read the rows. */
  let mustReadAgain = false;
  let hasPruned = false;

  /** Lists a submit of a model as running. `end` must be called when it is over. */
  function begin(model: string, isOfBatch: boolean): { cancel: AbortSignal; end: () => void } {
    const controller = new AbortController();
    let resolve = () => {};
    const ended = new Promise<void>((settle) => {
      resolve = settle;
    });
    const entry = { isOfBatch, ended, abort: () => controller.abort() };
    running.set(model, entry);
    const end = () => {
      if (running.get(model) === entry) running.delete(model);
      resolve();
    };
    return { cancel: controller.signal, end };
  }

  /**
   * Runs the audits in the background, or wakes them where they run already and a run was settled. A run that is settled after
   * their last reading of the rows would never be audited, so they begin anew once they end.
   */
  function audit({ isSettled }: { isSettled: boolean }): void {
    if (isAuditing) {
      mustReadAgain ||= isSettled;
      if (isSettled) auditAlarm.ring();
      return;
    }
    isAuditing = true;
    mustReadAgain = false;
    const beforeReading = () => {
      mustReadAgain = false;
      return auditAlarm.signal();
    };
    runAudits(effects, plan, beforeReading)
      .catch(() => {})
      .finally(() => {
        isAuditing = false;
        if (mustReadAgain) audit({ isSettled: false });
      });
  }

  /** Starts the polls of an intent in the background. They end when its outcome is settled, not when a caller stops waiting. */
  function startReconciling(intentId: string): void {
    if (reconciling.has(intentId)) return;
    reconciling.add(intentId);
    reconcile(effects, intentId, pollAlarm.signal)
      .catch(() => {})
      .finally(() => {
        reconciling.delete(intentId);
        audit({ isSettled: true });
      });
  }

  /** Shows what earlier pages left open, unless this page shows a later run of the model. */
  function showResumed(row: Intent): void {
    const shown = shownRun(runs.getState(), row.request.model);
    const openState = shown?.intentId === row.intentId && shown.state.phase === "unconfirmed" ? shown.state : undefined;
    const isFree =
      openState !== undefined || shown === undefined || (row.state === "unconfirmed" && !isUnderWay(shown));
    if (!isFree || (row.state === "absent" && row.dismissed)) return;
    effects.show(row, shownState(row, { pollFailed: openState?.pollFailed ?? false }));
  }

  /** The id of the next intent of a model. */
  async function loadIntentId(model: string): Promise<string> {
    const currentId = intents.get(model) ?? (await currentIntent(effects, model).catch(effects.newId));
    // The page that had this intent refused was closed before it noted that the id is spent.
    const isSpent = (await readIntent(effects, currentId).catch(() => undefined))?.state === "rejected";
    const id = isSpent ? await currentIntent(effects, model, currentId).catch(effects.newId) : currentId;
    intents.set(model, id);
    return id;
  }

  async function sendPressed(pressed: Run, order: Omit<SubmitOrder, "intentId">): Promise<void> {
    const { model } = order.request;
    const intentId = await loadIntentId(model);
    put({ ...pressed, intentId });
    const outcome = await runAndFollow({ ...order, intentId, projectId: await currentProject(effects) });
    if (isUnspent(outcome)) await submissions.resume().catch(() => {});
    // A row with this id exists: the next click is another consent.
    else intents.set(model, await currentIntent(effects, model, intentId).catch(effects.newId));
  }

  /** Submits, and starts the polls and audits that follow, in the background. */
  async function runAndFollow(order: SubmitOrder): Promise<SubmitState> {
    const outcome = await runSubmit(effects, order);
    if (outcome.phase === "unconfirmed") startReconciling(order.intentId);
    if (!isUnspent(outcome)) audit({ isSettled: true });
    return outcome;
  }

  const submissions = {
    runs,
    /**
     * Sends once, however often it is called while an attempt runs. It waits for a run of a batch that is being submitted for
     * the same model. Resolves when the attempt is settled or open; what went wrong is in `runs`. Rejects only when the locks cannot
     * be asked for, as `confirm`, `sendAgain` and `send` do.
     */
    async submit(request: JobRequest, agreedMicroUsd: MicroUsd, isConfirmed = false): Promise<void> {
      const { model } = request;
      const earlier = running.get(model);
      if (earlier && !earlier.isOfBatch) return;
      const lastState = shownRun(runs.getState(), model)?.state;
      // The person has read that no job was found, and goes on.
      if (lastState?.phase === "unconfirmed" && lastState.canSendAgain)
        void record(effects, lastState.intentId, { kind: "dismissed" }).catch(() => {});
      const { cancel, end } = begin(model, false);
      const state: SubmitState = { phase: "sending", startedAtMs: effects.nowMs(), step: "checking" };
      const pressed = { ...newRun({ intentId: undefined, request, priceMicroUsd: agreedMicroUsd }, false), state };
      putBegun(pressed);
      try {
        await earlier?.ended;
        await sendPressed(pressed, { request, agreedMicroUsd, isConfirmed, cancel });
      } finally {
        end();
      }
    },
    /** Sends one run of a batch, under an intent id of its own. Resolves to its state once it is settled or open. */
    async send(order: SubmitOrder): Promise<SubmitState> {
      const { intentId, request, agreedMicroUsd } = order;
      const { model } = request;
      if (running.has(model)) return { phase: "not-sent", reason: "unsettled" };
      const { cancel, end } = begin(model, true);
      batchIntents.add(intentId);
      putBegun(newRun({ intentId, request, priceMicroUsd: agreedMicroUsd }, true));
      try {
        return await runAndFollow({ ...order, cancel });
      } finally {
        end();
      }
    },
    /** The person agrees to what the last run asked: a price above their own mark, or one that has risen. */
    async confirm(model: string): Promise<void> {
      const run = shownRun(runs.getState(), model);
      if (run?.state.phase !== "not-sent" || run.state.priceMicroUsd === undefined) return;
      await submissions.submit(run.request, run.state.priceMicroUsd, true);
    },
    /**
     * Sends a request again whose job was not found in the list. A new consent, so a new intent. Rejects with a
     * `StorageError` when the old intent could not be dismissed; then nothing is sent.
     */
    async sendAgain(model: string): Promise<void> {
      const state = shownRun(runs.getState(), model)?.state;
      if (state?.phase !== "unconfirmed" || !state.canSendAgain) return;
      const row = await record(effects, state.intentId, { kind: "dismissed" });
      if (row?.state === "absent") await submissions.submit(row.request, row.priceMicroUsd, true);
    },
    /** Ends the waiting for another attempt after a refusal. */
    cancelRetry: (model: string): void => running.get(model)?.abort(),
    /**
     * Removes a message from the screen. An open outcome stays. Rejects with a `StorageError` when that could not be
     * written.
     */
    async dismiss(model: string): Promise<void> {
      const state = shownRun(runs.getState(), model)?.state;
      if (!state || running.has(model)) return;
      if (state.phase === "unconfirmed") {
        if (!state.canSendAgain) return;
        await record(effects, state.intentId, { kind: "dismissed" });
      }
      hide(model);
    },
    /** Loads the intent id of a model before the click needs it. Never rejects. */
    async prepare(model: string): Promise<void> {
      await loadIntentId(model);
    },
    /** Resumes what earlier pages left open. Sends nothing. Rejects when the store cannot be read or written. */
    async resume(): Promise<void> {
      await restoreOpenIntents(effects);
      for (const row of await resumeIntents(effects)) {
        showResumed(row);
        startReconciling(row.intentId);
      }
      if (!hasPruned) void pruneOutbox(effects).catch(() => {});
      hasPruned = true;
      audit({ isSettled: false });
    },
    /**
     * Takes over what another tab wrote about an outcome that is shown here as open. Not a live query of the rows: a run that was
     * begun here has no row yet, and one place decides what a form shows. Rejects when the store cannot be read.
     */
    async refresh(): Promise<void> {
      for (const run of runs.getState()) {
        const { state, request } = run;
        if (!run.isShown || state.phase !== "unconfirmed" || running.has(request.model)) continue;
        const row = await readIntent(effects, state.intentId);
        if (!row) continue;
        const hasMorePolls = row.goodPolls !== state.goodPolls && runs.getState().includes(run);
        if (hasMorePolls || (row.state !== "unconfirmed" && !state.canSendAgain)) effects.show(row, shownState(row));
      }
    },
    /**
     * Takes over the next ids that other tabs minted after their submits. `app/job-watcher.ts` calls it with a delay, so that
     * the person has had time to see that another tab sent the draft. Rejects when the store cannot be read or written.
     */
    async refreshIntents(): Promise<void> {
      for (const model of intents.keys()) {
        if (!running.has(model)) intents.set(model, await currentIntent(effects, model));
      }
    },
    /** Polls for every open outcome now: after a wake-up, a focus, or the network coming back. */
    wake: (): void => pollAlarm.ring(),
    /** Writes the open intents of this page again: the browser has deleted its database. Never rejects. */
    restore: (): Promise<void> => {
      // The database also said which ids were spent: all of them are read anew.
      intents.clear();
      noteRowsLost(effects);
      return restoreOpenIntents(effects);
    },
  };
  return submissions;
}

/** The submits of the current connection. */
export function useSubmissions(): Submissions {
  return getSubmissions(useApi(), useConnection(), useQueryClient());
}

interface SubmitActions {
  /** Sends once, however often it is called. `priceMicroUsd` is what the person saw on the button: never more is spent. */
  submit: (request: JobRequest, priceMicroUsd: MicroUsd) => Promise<void>;
  /**
   * Agrees to the price that the last run asked about (above the person's own mark, or higher than before) and sends
   * it.
   */
  confirm: () => Promise<void>;
  /** Only after enough polls found no job: sends the same request as a new consent. */
  sendAgain: () => Promise<void>;
  /** Looks for the job of an open outcome now. */
  check: () => void;
  /** Stops waiting for another try after a refusal. It never ends a request that was sent. */
  cancel: () => void;
  /** Removes the message. An open outcome stays, and is polled for all the same. */
  dismiss: () => void;
}

/** The run that a form shows, and what the person can do about it. */
export interface Submission extends SubmitActions {
  /** The run whose state this is; undefined where the form shows none. */
  run: Run | undefined;
  state: SubmitState;
}

/** The run that the form of a model shows; undefined where it shows none. */
export function useShownRun(modelId: string | undefined): Run | undefined {
  return useStore(useSubmissions().runs, (runs) => shownRun(runs, modelId));
}

/** The submit of one model: what it does now, and what the person can do about it. It goes on when the screen is left. */
export function useSubmit(modelId: string): Submission {
  const submissions = useSubmissions();
  const run = useShownRun(modelId);
  useEffect(() => void submissions.prepare(modelId), [submissions, modelId]);
  return {
    run,
    state: run?.state ?? IDLE,
    submit: (request, priceMicroUsd) => submissions.submit(request, priceMicroUsd),
    confirm: () => submissions.confirm(modelId),
    sendAgain: () => submissions.sendAgain(modelId),
    check: () => submissions.wake(),
    cancel: () => submissions.cancelRetry(modelId),
    // Where it cannot be written, the message stays.
    dismiss: () => void submissions.dismiss(modelId).catch(() => {}),
  };
}

/** The part of a connection that submits need. */
interface SubmitConnection {
  accountId: string;
  queueBaseUrl: string;
}

/** The submits of a connection's client. They outlive every screen. */
export const getSubmissions = perConnection(
  (api: Api, connection: SubmitConnection | null, queryClient: QueryClient): Submissions => {
    const accountId = connection?.accountId ?? "";
    const queueBaseUrl = connection?.queueBaseUrl ?? "/";
    const submissions = createSubmissions((show) =>
      browserEffects({ api, accountId, queueBaseUrl, queryClient, show }),
    );
    onDatabaseLost(() => void submissions.restore());
    // The answer to the submit is the service's first report of a job, and its last one where it has the outcome already.
    submissions.runs.subscribe((runs) => {
      guardLeaving(accountId, runs);
      for (const { state } of runs) {
        if (state.phase === "accepted") void requestPersistence();
        if (state.phase !== "accepted" || !state.job || queryClient.getQueryData(jobKey(state.requestId))) continue;
        queryClient.setQueryData(jobKey(state.requestId), state.job);
      }
    });
    return submissions;
  },
);

/** The runs of every account: the runs of one connection go on while another is current. */
const runsByAccount = new Map<string, readonly Run[]>();

/**
 * Asks before the page is left while a submit has no answer yet. Nothing would be lost, because its row is written, but
 * the job would have to be found in the list. A wait for another attempt only keeps the page from reloading by itself.
 */
function guardLeaving(accountId: string, runs: readonly Run[]): void {
  runsByAccount.set(accountId, runs);
  const all = [...runsByAccount.values()].flat();
  setLeaveGuard("submits", {
    busy: all.some(isUnderWay),
    asks: all.some(({ state }) => state.phase === "sending" && state.step === "sent"),
  });
}
