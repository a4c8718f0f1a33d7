// The submits of one connection. Screens and batches send through this, and only read what lies behind it.
import { create, type StoreApi } from "zustand";
import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import { type AuditPlan, runAudits } from "./audit.ts";
import type { ShownOf, SubmitEffects } from "./effects.ts";
import type { Intent } from "./intent.ts";
import { currentIntent, currentProject, noteRowsLost, readIntent, record, restoreOpenIntents } from "./outbox.ts";
import { pruneOutbox, reconcile, resumeIntents } from "./recovery.ts";
import { runSubmit, type SubmitOrder } from "./run.ts";
import { IDLE, type SubmitState, shownState } from "./submit-state.ts";

/** A run as this page shows it: one that was begun here, or one that an earlier page left open. */
export interface Run {
  /** The same from the press of Run on, whatever becomes of it. */
  id: number;
  /** Undefined for a moment after the press. */
  intentId: string | undefined;
  request: JobRequest;
  /** What was agreed to. */
  priceMicroUsd: MicroUsd;
  /** Its batch shows how it ends. The form of its model shows it only while it is unconfirmed, since it holds that up. */
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

/** A run that its form shows no more, or nothing where it needs not be kept. A job that is found later makes a run of its own. */
function hidden(run: Run): Run | [] {
  const isFollowed = run.state.phase === "unconfirmed" && !run.state.canSendAgain;
  return isUnderWay(run) || isFollowed ? { ...run, isShown: false } : [];
}

/** Puts a run into the list, in its old place if it is there. If its form shows it now, it hides the others of its model. */
function placeRun(runs: readonly Run[], run: Run): readonly Run[] {
  const isShown = !run.isOfBatch || run.state.phase === "unconfirmed";
  const now = { ...run, isShown };
  const isKnown = runs.some(({ id }) => id === run.id);
  const all = runs.flatMap((other) => {
    if (other.id === run.id) return now;
    if (other.request.model !== run.request.model) return other;
    if (isShown) return other.isShown ? hidden(other) : other;
    return other.isOfBatch && !other.isShown ? hidden(other) : other;
  });
  return isKnown ? all : [...all, now];
}

/**
 * The runs before a form or a batch begins another one of a model, without those that still say `sending` though nothing
 * sends them: a lock could not be asked for, or another tab has moved the intent on.
 */
function withoutStuck(runs: readonly Run[], begun: Run): readonly Run[] {
  const isStuck = (run: Run) =>
    run.request.model === begun.request.model && run.isOfBatch === begun.isOfBatch && isUnderWay(run);
  return runs.filter((run) => !isStuck(run));
}

/** One connection's submits. Plain code, so that leaving a screen ends nothing. */
export interface Submissions {
  /** The runs that a form shows, those that are open, and the last one of a batch for each model. */
  runs: StoreApi<readonly Run[]>;
  /**
   * Sends once, however often it is called while an attempt runs; after the run of a batch that is being submitted for the
   * same model. Resolves when the attempt is settled or open; what went wrong is in `runs`. Rejects only when the locks cannot be asked for, as `confirm`, `sendAgain` and `send` do.
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

interface Running {
  isOfBatch: boolean;
  /** Resolves once it is settled or open. */
  ended: Promise<void>;
  /** Ends the waiting for another attempt. */
  abort(): void;
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
  const runs = create<readonly Run[]>(() => []);
  const put = (run: Run) => runs.setState(placeRun(runs.getState(), run), true);
  const putBegun = (run: Run) => runs.setState(placeRun(withoutStuck(runs.getState(), run), run), true);
  const show = (of: ShownOf, state: SubmitState) => {
    const known = runs.getState().findLast(({ intentId }) => intentId === of.intentId);
    put({ ...(known ?? newRun(of, batchIntents.has(of.intentId))), state });
  };
  const fx = effectsFor(show);
  let lastId = 0;
  const newRun = (of: Pick<Run, "intentId" | "request" | "priceMicroUsd">, isOfBatch: boolean): Run => {
    lastId += 1;
    const { intentId, request, priceMicroUsd } = of;
    return { id: lastId, intentId, request, priceMicroUsd, isOfBatch, isShown: false, state: IDLE };
  };
  /** The form of a model shows nothing of its runs any more. */
  const hide = (model: string) => {
    const shown = shownRun(runs.getState(), model);
    runs.setState(
      runs.getState().flatMap((run) => (run === shown ? hidden(run) : run)),
      true,
    );
  };
  /** The intents of batches that this page has run. However late it hears how one ended, that is no business of a form. */
  const batchIntents = new Set<string>();
  /**
   * The next intent of each model, as the person in this tab may have seen it. It is not read anew at a press: one that comes
   * right after another tab has sent the same draft must still meet the intent that is spent.
   */
  const intents = new Map<string, string>();
  /** What is being submitted, by model, until it is settled or open: the last that was begun. */
  const running = new Map<string, Running>();
  const reconciling = new Set<string>();
  const plan: AuditPlan = new Map();
  const pollAlarm = createAlarm();
  const auditAlarm = createAlarm();
  let isAuditing = false;
  let hasPruned = false;

  function begin(model: string, isOfBatch: boolean): { cancel: AbortSignal; end: () => void } {
    const controller = new AbortController();
    let resolve = () => {};
    const ended = new Promise<void>((settle) => {
      resolve = settle;
    });
    const own = { isOfBatch, ended, abort: () => controller.abort() };
    running.set(model, own);
    const end = () => {
      if (running.get(model) === own) running.delete(model);
      resolve();
    };
    return { cancel: controller.signal, end };
  }

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
  function showResumed(row: Intent): void {
    const now = shownRun(runs.getState(), row.request.model);
    const same = now?.intentId === row.intentId && now.state.phase === "unconfirmed" ? now.state : undefined;
    const isFree = same !== undefined || now === undefined || (row.state === "unconfirmed" && !isUnderWay(now));
    if (!isFree || (row.state === "absent" && row.dismissed)) return;
    fx.show(row, shownState(row, { pollFailed: same?.pollFailed ?? false }));
  }

  async function intentFor(model: string): Promise<string> {
    const known = intents.get(model) ?? (await currentIntent(fx, model).catch(fx.newId));
    // Refused for certain, by a page that was closed before it noted that the id is spent.
    const isSpent = (await readIntent(fx, known).catch(() => undefined))?.state === "rejected";
    const id = isSpent ? await currentIntent(fx, model, known).catch(fx.newId) : known;
    intents.set(model, id);
    return id;
  }

  async function submit(pressed: Run, order: Omit<SubmitOrder, "intentId">): Promise<void> {
    const { model } = order.request;
    const intentId = await intentFor(model);
    put({ ...pressed, intentId });
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
    runs,
    async submit(request, agreedMicroUsd, isConfirmed = false) {
      const { model } = request;
      const earlier = running.get(model);
      if (earlier && !earlier.isOfBatch) return;
      const before = shownRun(runs.getState(), model)?.state;
      // The person has read that no job was found, and goes on.
      if (before?.phase === "unconfirmed" && before.canSendAgain)
        void record(fx, before.intentId, { kind: "dismissed" }).catch(() => {});
      const { cancel, end } = begin(model, false);
      const state: SubmitState = { phase: "sending", startedAtMs: fx.nowMs(), step: "checking" };
      const pressed = { ...newRun({ intentId: undefined, request, priceMicroUsd: agreedMicroUsd }, false), state };
      putBegun(pressed);
      try {
        await earlier?.ended;
        await submit(pressed, { request, agreedMicroUsd, isConfirmed, cancel });
      } finally {
        end();
      }
    },
    async send(order) {
      const { intentId, request, agreedMicroUsd } = order;
      const { model } = request;
      if (running.has(model)) return { phase: "not-sent", reason: "unsettled" };
      const { cancel, end } = begin(model, true);
      batchIntents.add(intentId);
      putBegun(newRun({ intentId, request, priceMicroUsd: agreedMicroUsd }, true));
      let last: SubmitState = IDLE;
      const noteState: SubmitEffects["show"] = (of, state) => {
        last = state;
        fx.show(of, state);
      };
      try {
        const ended = await runSubmit({ ...fx, show: noteState }, { ...order, cancel });
        if (ended === "reconcile") startReconciling(intentId);
        if (ended !== "unused") audit(true);
      } finally {
        end();
      }
      return last;
    },
    async confirm(model) {
      const run = shownRun(runs.getState(), model);
      if (run?.state.phase !== "not-sent" || run.state.priceMicroUsd === undefined) return;
      await submissions.submit(run.request, run.state.priceMicroUsd, true);
    },
    async sendAgain(model) {
      const state = shownRun(runs.getState(), model)?.state;
      if (state?.phase !== "unconfirmed" || !state.canSendAgain) return;
      const row = await record(fx, state.intentId, { kind: "dismissed" });
      if (row?.state === "absent") await submissions.submit(row.request, row.priceMicroUsd, true);
    },
    cancelRetry: (model) => running.get(model)?.abort(),
    async dismiss(model) {
      const state = shownRun(runs.getState(), model)?.state;
      if (!state || running.has(model)) return;
      if (state.phase === "unconfirmed") {
        if (!state.canSendAgain) return;
        await record(fx, state.intentId, { kind: "dismissed" });
      }
      hide(model);
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
      for (const run of runs.getState()) {
        const { state, request } = run;
        if (!run.isShown || state.phase !== "unconfirmed" || running.has(request.model)) continue;
        const row = await readIntent(fx, state.intentId);
        if (!row) continue;
        const hasMorePolls = row.goodLooks !== state.goodPolls && runs.getState().includes(run);
        if (hasMorePolls || (row.state !== "unconfirmed" && !state.canSendAgain)) fx.show(row, shownState(row));
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
