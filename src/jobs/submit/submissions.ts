import { create, type StoreApi } from "zustand";
import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { AuditPlan } from "./audit.ts";
import { currentIntent, renewIntent } from "./intent-id.ts";
import { type Aftercare, loadAftercare } from "./load-aftercare.ts";
import { moveIntent, readIntent } from "./outbox.ts";
import { runSubmit, type SubmitOrder } from "./run-submit.ts";
import { stateOfRow } from "./state-of-row.ts";
import type { SubmitEffects } from "./submit-effects.ts";
import { IDLE, type SubmitState } from "./submit-state.ts";

const POKED = "poked";

/** Where each model's submit stands, in this tab. */
export type DeskStates = Readonly<Record<string, SubmitState>>;

/** One connection's submits. Plain code, so that a screen that goes away ends nothing. */
export interface Submissions {
  states: StoreApi<DeskStates>;
  /** Sends once, however often it is called while an attempt runs. Resolves when the attempt is settled or open. */
  submit(request: JobRequest, agreedMicroUsd: MicroUsd, isConfirmed?: boolean): Promise<void>;
  /** Sends one run under an intent id of its own, for a line of them. Resolves to how it stands then. */
  send(order: SubmitOrder): Promise<SubmitState>;
  /** The person says yes to what the last run asked: a price above their own mark, or one that has risen. */
  confirm(model: string): Promise<void>;
  /** Sends a request again whose job was looked for and not found. A new consent, so a new intent. */
  sendAgain(model: string): Promise<void>;
  /** Ends the waiting for another try after a refusal. */
  cancelRetry(model: string): void;
  /** Takes a message off the screen. An open outcome stays, and goes on being looked for. */
  dismiss(model: string): Promise<void>;
  /** Loads the intent id of a model before the click needs it. */
  prepare(model: string): Promise<void>;
  /** Looks after what earlier pages left behind. Sends nothing. */
  resume(): Promise<void>;
  /** Takes over what another tab wrote about an outcome that is shown here as open. */
  refresh(): Promise<void>;
  /** Takes over the intents that other tabs minted once theirs were spent, when the person has had time to see it. */
  refreshIntents(): Promise<void>;
  /** Looks at every open outcome now: after a wake-up, a focus, or the network coming back. */
  poke(): void;
}

export function createSubmissions(
  effectsFor: (show: SubmitEffects["show"]) => SubmitEffects,
  load: () => Promise<Aftercare> = loadAftercare,
): Submissions {
  const states = create<DeskStates>(() => ({}));
  const fx = effectsFor((model, state) => states.setState({ [model]: state }));
  const intents = new Map<string, string>();
  const running = new Map<string, AbortController>();
  const lastRequests = new Map<string, JobRequest>();
  const looking = new Set<string>();
  const plan: AuditPlan = new Map();
  let poker = new AbortController();
  let auditPoker = new AbortController();
  let auditing = false;
  let hasPruned = false;
  let loading: Promise<Aftercare> | undefined;

  /** Begun with the click, so that it is there before an answer can be lost. */
  function aftercare(): Promise<Aftercare> {
    loading ??= load();
    return loading;
  }

  /** Audits go on in the background as well, and learn at once of what was settled just now. */
  function audit(hasNews: boolean): void {
    if (auditing && hasNews) {
      auditPoker.abort(POKED);
      auditPoker = new AbortController();
    }
    if (auditing) return;
    auditing = true;
    aftercare()
      .then(({ runAudits }) => runAudits(fx, plan, () => auditPoker.signal))
      .catch(() => {})
      .finally(() => {
        auditing = false;
      });
  }

  /** A look goes on in the background: it ends when the outcome is settled, not when a caller stops waiting. */
  function look(intentId: string): void {
    if (looking.has(intentId)) return;
    looking.add(intentId);
    aftercare()
      .then(({ reconcile }) => reconcile(fx, intentId, () => poker.signal))
      .catch(() => {})
      .finally(() => {
        looking.delete(intentId);
        audit(true);
      });
  }

  async function intentFor(model: string): Promise<string> {
    const id = intents.get(model) ?? (await currentIntent(fx, model).catch(fx.newId));
    intents.set(model, id);
    return id;
  }

  async function run(order: Omit<SubmitOrder, "intentId">): Promise<void> {
    const { model } = order.request;
    void aftercare();
    const intentId = await intentFor(model);
    const end = await runSubmit(fx, { ...order, intentId });
    if (end === "reconcile") look(intentId);
    if (end === "unused") await desk.resume();
    // A row with this id exists: the next click is another consent.
    else {
      audit(true);
      intents.set(model, await renewIntent(fx, model, intentId).catch(fx.newId));
    }
  }

  const desk: Submissions = {
    states,
    async submit(request, agreedMicroUsd, isConfirmed = false) {
      const { model } = request;
      if (running.has(model)) return;
      const cancel = new AbortController();
      running.set(model, cancel);
      fx.show(model, { phase: "sending", startedAtMs: fx.nowMs(), step: "checking" });
      try {
        lastRequests.set(model, request);
        await run({ request, agreedMicroUsd, isConfirmed, cancel: cancel.signal });
      } finally {
        running.delete(model);
      }
    },
    async send(order) {
      const { model } = order.request;
      if (running.has(model)) return { phase: "not-sent", reason: "unsettled" };
      const cancel = new AbortController();
      running.set(model, cancel);
      try {
        const end = await runSubmit(fx, { ...order, cancel: cancel.signal });
        if (end === "reconcile") look(order.intentId);
        if (end !== "unused") audit(true);
      } finally {
        running.delete(model);
      }
      return states.getState()[model] ?? IDLE;
    },
    async confirm(model) {
      const state = states.getState()[model];
      const request = lastRequests.get(model);
      if (state?.phase !== "not-sent" || state.priceMicroUsd === undefined || !request) return;
      await desk.submit(request, state.priceMicroUsd, true);
    },
    async sendAgain(model) {
      const state = states.getState()[model];
      if (state?.phase !== "unconfirmed" || !state.canSendAgain) return;
      const row = await moveIntent(fx, state.intentId, (now) => ({ row: { ...now, dismissed: true } }));
      if (row?.state === "absent") await desk.submit(row.request, row.priceMicroUsd, true);
    },
    cancelRetry: (model) => running.get(model)?.abort(),
    async dismiss(model) {
      const state = states.getState()[model];
      if (!state || running.has(model)) return;
      if (state.phase === "unconfirmed") {
        if (!state.canSendAgain) return;
        await moveIntent(fx, state.intentId, (row) => ({ row: { ...row, dismissed: true } }));
      }
      fx.show(model, { phase: "idle" });
    },
    async prepare(model) {
      await intentFor(model);
    },
    async resume() {
      const { resumeIntents, pruneOutbox } = await aftercare();
      for (const intentId of await resumeIntents(fx)) look(intentId);
      if (!hasPruned) void pruneOutbox(fx).catch(() => {});
      hasPruned = true;
      audit(false);
    },
    async refresh() {
      for (const [model, state] of Object.entries(states.getState())) {
        if (state.phase !== "unconfirmed" || running.has(model)) continue;
        const row = await readIntent(fx, state.intentId);
        if (row && states.getState()[model] === state && row.goodLooks !== state.goodLooks)
          fx.show(model, stateOfRow(row));
        else if (row && row.state !== "unconfirmed" && !state.canSendAgain) fx.show(model, stateOfRow(row));
      }
    },
    async refreshIntents() {
      for (const model of intents.keys()) {
        if (!running.has(model)) intents.set(model, await currentIntent(fx, model));
      }
    },
    poke() {
      poker.abort(POKED);
      poker = new AbortController();
    },
  };
  return desk;
}
