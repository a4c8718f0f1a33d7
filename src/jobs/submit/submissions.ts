// The submits of one connection. Screens and batches send through this, and only read what lies behind it.
import { create, type StoreApi } from "zustand";
import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import { type AuditPlan, runAudits } from "./audit.ts";
import type { SubmitEffects } from "./effects.ts";
import { currentIntent, currentProject, noteRowsLost, readIntent, record, restoreOpenIntents } from "./outbox.ts";
import { pruneOutbox, reconcile, resumeIntents } from "./recovery.ts";
import { runSubmit, type SubmitOrder } from "./run.ts";
import { shownState } from "./shown-state.ts";
import { IDLE, type LastRun, type OutboxRow, type SubmitState, type SubmitStates } from "./submit-state.ts";

/** One connection's submits. Plain code, so that leaving a screen ends nothing. */
export interface Submissions {
  /** By model: the run that the person pressed, and whatever holds up the next one. */
  states: StoreApi<SubmitStates>;
  /** By model: the run of a batch that is being submitted. It is no business of the form of that model. */
  batchStates: StoreApi<SubmitStates>;
  /** The request that `states` speaks of; undefined where nothing was sent from here. */
  lastRun(model: string): LastRun | undefined;
  /**
   * Sends once, however often it is called while an attempt runs; after the run of a batch that is being submitted for the
   * same model. Resolves when the attempt is settled or open; what
   * went wrong is in `states`. Rejects only when the locks cannot be asked for, as `confirm`, `sendAgain` and `send` do.
   */
  submit(request: JobRequest, agreedMicroUsd: MicroUsd, isConfirmed?: boolean): Promise<void>;
  /** Sends one run of a batch, under an intent id of its own. Resolves to how it stands then. */
  send(order: SubmitOrder): Promise<SubmitState>;
  /** The person agrees to what the last run asked: a price above their own mark, or one that has risen. */
  confirm(model: string): Promise<void>;
  /**
   * Sends a request again whose job was not found in the list. A new consent, so a new intent. Rejects with a
   * `StorageError` when the old intent could not be dismissed; then nothing is sent.
   */
  sendAgain(model: string): Promise<void>;
  /** Ends the waiting for another attempt after a refusal. */
  cancelRetry(model: string): void;
  /**
   * Removes a message from the screen. An open outcome stays. Rejects with a `StorageError` when that could not be
   * written.
   */
  dismiss(model: string): Promise<void>;
  /** Loads the intent id of a model before the click needs it. Never rejects. */
  prepare(model: string): Promise<void>;
  /** Resumes what earlier pages left open. Sends nothing. Rejects when the store cannot be read or written. */
  resume(): Promise<void>;
  /** Takes over what another tab wrote about an outcome that is shown here as open. Rejects when the store cannot be read. */
  refresh(): Promise<void>;
  /**
   * Takes over the intents that other tabs minted once theirs were spent, when the person has had time to see it. Rejects
   * when the store cannot be read or written.
   */
  refreshIntents(): Promise<void>;
  /** Polls for every open outcome now: after a wake-up, a focus, or the network coming back. */
  wake(): void;
  /** Writes the open intents of this page again: the browser has deleted its database. Never rejects. */
  restore(): Promise<void>;
}

/** A signal that several wait for at once: each `ring` ends every wait that began before it. */
function createAlarm() {
  let next = new AbortController();
  return {
    signal: () => next.signal,
    ring: () => {
      next.abort("woken");
      next = new AbortController();
    },
  };
}

/** `effectsFor` is given the way to the screen. */
export function createSubmissions(effectsFor: (show: SubmitEffects["show"]) => SubmitEffects): Submissions {
  const states = create<SubmitStates>(() => ({}));
  const batchStates = create<SubmitStates>(() => ({}));
  const show = (model: string, state: SubmitState) => {
    // How a run of a batch ended is shown with the batch. What is open of it holds up the form's own runs.
    const isOfBatch = "intentId" in state && batchIntents.has(state.intentId) && state.phase !== "unconfirmed";
    if (isOfBatch) batchStates.setState({ [model]: state });
    states.setState({ [model]: isOfBatch ? IDLE : state });
  };
  const fx = effectsFor(show);
  const intents = new Map<string, string>();
  const running = new Map<string, AbortController>();
  /** Runs of batches that are being submitted, by model, until each is settled or open. */
  const batchRuns = new Map<string, { cancel: AbortController; ended: Promise<void> }>();
  const batchIntents = new Set<string>();
  const lastRuns = new Map<string, LastRun>();
  const reconciling = new Set<string>();
  const plan: AuditPlan = new Map();
  const pollAlarm = createAlarm();
  const auditAlarm = createAlarm();
  let isAuditing = false;
  let hasPruned = false;

  /** Audits go on in the background as well, and learn at once of what was settled just now. */
  function audit(hasNews: boolean): void {
    if (isAuditing && hasNews) auditAlarm.ring();
    if (isAuditing) return;
    isAuditing = true;
    runAudits(fx, plan, auditAlarm.signal)
      .catch(() => {})
      .finally(() => {
        isAuditing = false;
      });
  }

  /** Goes on in the background: it ends when the outcome is settled, not when a caller stops waiting. */
  function startReconciling(intentId: string): void {
    if (reconciling.has(intentId)) return;
    reconciling.add(intentId);
    reconcile(fx, intentId, pollAlarm.signal)
      .catch(() => {})
      .finally(() => {
        reconciling.delete(intentId);
        audit(true);
      });
  }

  /** What earlier pages left open is shown, but never in place of what this page knows of a later run of the model. */
  function showResumed(row: OutboxRow): void {
    const { model } = row.request;
    const now = states.getState()[model] ?? IDLE;
    const isSame = now.phase === "unconfirmed" && now.intentId === row.intentId;
    const isUnderWay = now.phase === "sending" || now.phase === "retrying";
    const isFree = isSame || now.phase === "idle" || (row.state === "unconfirmed" && !isUnderWay);
    const pollFailed = isSame && now.pollFailed;
    if (!isFree || (row.state === "absent" && row.dismissed)) return;
    if (!isSame) lastRuns.set(model, { request: row.request, priceMicroUsd: row.priceMicroUsd });
    fx.show(model, shownState(row, { pollFailed }));
  }

  async function intentFor(model: string): Promise<string> {
    const known = intents.get(model) ?? (await currentIntent(fx, model).catch(fx.newId));
    // Refused for certain, by a page that was closed before it noted that the id is spent.
    const isSpent = (await readIntent(fx, known).catch(() => undefined))?.state === "rejected";
    const id = isSpent ? await currentIntent(fx, model, known).catch(fx.newId) : known;
    intents.set(model, id);
    return id;
  }

  async function run(order: Omit<SubmitOrder, "intentId">): Promise<void> {
    const { model } = order.request;
    const intentId = await intentFor(model);
    const end = await runSubmit(fx, { ...order, intentId, projectId: await currentProject(fx) });
    if (end === "reconcile") startReconciling(intentId);
    if (end === "unused") await submissions.resume().catch(() => {});
    // A row with this id exists: the next click is another consent.
    else {
      audit(true);
      intents.set(model, await currentIntent(fx, model, intentId).catch(fx.newId));
    }
  }

  const submissions: Submissions = {
    states,
    batchStates,
    lastRun: (model) => lastRuns.get(model),
    async submit(request, agreedMicroUsd, isConfirmed = false) {
      const { model } = request;
      const batchRun = batchRuns.get(model);
      if (running.has(model) && running.get(model) !== batchRun?.cancel) return;
      const before = states.getState()[model];
      // The person has read that no job was found, and goes on.
      if (before?.phase === "unconfirmed" && before.canSendAgain)
        void record(fx, before.intentId, { kind: "dismissed" }).catch(() => {});
      const cancel = new AbortController();
      running.set(model, cancel);
      lastRuns.set(model, { request, priceMicroUsd: agreedMicroUsd });
      fx.show(model, { phase: "sending", startedAtMs: fx.nowMs(), step: "checking" });
      try {
        await batchRun?.ended;
        await run({ request, agreedMicroUsd, isConfirmed, cancel: cancel.signal });
      } finally {
        running.delete(model);
      }
    },
    async send(order) {
      const { model } = order.request;
      if (running.has(model)) return { phase: "not-sent", reason: "unsettled" };
      const cancel = new AbortController();
      let free = () => {};
      const ended = new Promise<void>((resolve) => {
        free = resolve;
      });
      running.set(model, cancel);
      batchRuns.set(model, { cancel, ended });
      batchIntents.add(order.intentId);
      let last: SubmitState = IDLE;
      const showRun = (of: string, state: SubmitState) => {
        last = state;
        batchStates.setState({ [of]: state });
        if (state.phase !== "unconfirmed") return;
        lastRuns.set(of, { request: order.request, priceMicroUsd: order.agreedMicroUsd });
        fx.show(of, state);
      };
      try {
        const end = await runSubmit({ ...fx, show: showRun }, { ...order, cancel: cancel.signal });
        if (end === "reconcile") startReconciling(order.intentId);
        if (end !== "unused") audit(true);
      } finally {
        batchRuns.delete(model);
        if (running.get(model) === cancel) running.delete(model);
        free();
      }
      return last;
    },
    async confirm(model) {
      const state = states.getState()[model];
      const last = lastRuns.get(model);
      if (state?.phase !== "not-sent" || state.priceMicroUsd === undefined || !last) return;
      await submissions.submit(last.request, state.priceMicroUsd, true);
    },
    async sendAgain(model) {
      const state = states.getState()[model];
      if (state?.phase !== "unconfirmed" || !state.canSendAgain) return;
      const row = await record(fx, state.intentId, { kind: "dismissed" });
      if (row?.state === "absent") await submissions.submit(row.request, row.priceMicroUsd, true);
    },
    cancelRetry: (model) => running.get(model)?.abort(),
    async dismiss(model) {
      const state = states.getState()[model];
      if (!state || running.has(model)) return;
      if (state.phase === "unconfirmed") {
        if (!state.canSendAgain) return;
        await record(fx, state.intentId, { kind: "dismissed" });
      }
      fx.show(model, IDLE);
    },
    async prepare(model) {
      await intentFor(model);
    },
    async resume() {
      await restoreOpenIntents(fx);
      for (const row of await resumeIntents(fx)) {
        showResumed(row);
        startReconciling(row.intentId);
      }
      if (!hasPruned) void pruneOutbox(fx).catch(() => {});
      hasPruned = true;
      audit(false);
    },
    async refresh() {
      for (const [model, state] of Object.entries(states.getState())) {
        if (state.phase !== "unconfirmed" || running.has(model)) continue;
        const row = await readIntent(fx, state.intentId);
        if (row && states.getState()[model] === state && row.goodLooks !== state.goodPolls)
          fx.show(model, shownState(row));
        else if (row && row.state !== "unconfirmed" && !state.canSendAgain) fx.show(model, shownState(row));
      }
    },
    async refreshIntents() {
      for (const model of intents.keys()) {
        if (!running.has(model)) intents.set(model, await currentIntent(fx, model));
      }
    },
    wake: () => pollAlarm.ring(),
    restore: () => {
      // Which of them were spent is lost, too.
      intents.clear();
      noteRowsLost(fx);
      return restoreOpenIntents(fx);
    },
  };
  return submissions;
}
