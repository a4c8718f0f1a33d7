// Runs in a page: the studio's own way from the click to the ledger, without a screen around it.

import { createApi } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { createQueryClient } from "#connection/client.ts";
import { hostHolder } from "#connection/custody/host-holder.ts";
import { pageHolder } from "#connection/custody/page-holder.ts";
import { isServedByHost } from "#connection/relay.ts";
import type { MicroUsd } from "#lib/money.ts";
import { type LedgerKind, ledgerRows } from "#runs/ledger/ledger.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import { type Intent, type IntentState, isUnsettled } from "#runs/rules/intent.ts";
import { browserEffects, type SubmitEffects } from "#runs/submit/effects.ts";
import { intentRows } from "#runs/submit/outbox.ts";
import { createSubmissions, type Submissions } from "#runs/submit/submissions.ts";
import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { readAll } from "#storage/typed-rows.ts";
import { stateShown } from "../setup/state-shown.ts";

const ACCOUNT_ID = "many";
/** Ends what would go on for ever. With a hurried clock a slow machine needs more than six: see `hurried`. */
const MAX_PRESSES = 200;
const MAX_QUESTIONS = 20;

export interface StudioOrder {
  queueBaseUrl: string;
  /** Waits pass this many times as fast, as the sandbox's own time does, and the audits are waited for. */
  hurry?: number;
}

/** One press of Run, and what it said in the end. */
export interface Press {
  prompt: string;
  model: string;
  /** The phase, and how the job is known or why nothing was sent: "accepted, answered". */
  said: string;
  requestId: string | undefined;
  /** How many jobs the service had for the prompt at that moment, where the story tells. */
  jobsThen: number | undefined;
}

export interface StudioReport {
  presses: Press[];
  intents: { intentId: string; prompt: string; state: IntentState; bodyKind: string; requestIds: string[] }[];
  ledger: {
    kind: LedgerKind;
    prompt: string;
    model: string;
    requestId: string | undefined;
    amountMicroUsd: MicroUsd | undefined;
  }[];
}

type Bench = Awaited<ReturnType<typeof createBench>>;
let bench: Bench | undefined;

/** Prepares this page for `press`, and gives the key away. */
export async function openStudio(order: StudioOrder): Promise<void> {
  bench = await createBench(order);
}

/** A story may tell the page how many jobs the service has for a prompt. */
const countJobs = (prompt: string) =>
  (globalThis as { countJobs?: (prompt: string) => Promise<number> }).countJobs?.(prompt);

async function createBench({ queueBaseUrl, hurry = 1 }: StudioOrder) {
  const service = { queueBaseUrl, inferenceBaseUrl: queueBaseUrl };
  const holder = isServedByHost() ? hostHolder : pageHolder;
  const { ticket } = await holder.hold({ ...service, key: "sandbox-key", salt: "salt" });
  const api = createApi({ ...service, fetch: holder.fetchFor(ticket) });
  const queryClient = createQueryClient();
  const submissions = createSubmissions((show) =>
    hurried(
      browserEffects({
        api,
        accountId: ACCOUNT_ID,
        queueBaseUrl,
        queryClient,
        show,
      }),
      hurry,
    ),
  );
  return { api, queryClient, submissions, presses: [] as Press[], hurry };
}

function hurried(effects: SubmitEffects, hurry: number): SubmitEffects {
  return {
    ...effects,
    sleep: (ms, signal) => effects.sleep(ms / hurry, signal),
    monotonicMs: () => effects.monotonicMs() * hurry,
  };
}

function opened(): Bench {
  if (!bench) throw new Error("The page was not prepared.");
  return bench;
}

/** Resolves once the model's submit is neither on its way nor open. */
function ended(submissions: Submissions, model: string): Promise<Pick<Press, "said" | "requestId">> {
  return new Promise((resolve) => {
    const check = () => {
      const state = stateShown(submissions, model);
      if (!state || state.phase === "sending" || state.phase === "retrying") return;
      if (state.phase === "unconfirmed" && !state.canSendAgain) return;
      stop();
      if (state.phase === "accepted") resolve({ said: `accepted, ${state.how}`, requestId: state.requestId });
      else if (state.phase === "not-sent") resolve({ said: `not-sent, ${state.reason}`, requestId: undefined });
      else resolve({ said: state.phase === "unconfirmed" ? "absent" : state.phase, requestId: undefined });
    };
    const stop = submissions.runs.subscribe(check);
    check();
  });
}

/** Asks for the price as the form does, until it is there: no submit begins without. */
async function priceOf({ api, queryClient }: Bench, request: JobRequest): Promise<MicroUsd> {
  for (let questions = 1; ; questions += 1) {
    try {
      const { priceMicroUsd } = await queryClient.fetchQuery(estimateQueries(api).price(request));
      if (priceMicroUsd === undefined) throw new Error("The estimate has no price.");
      return priceMicroUsd;
    } catch (error) {
      if (questions >= MAX_QUESTIONS) throw error;
    }
  }
}

/**
 * Presses Run, and resolves once the outcome is settled. With `isPatient`, as a person does who wants the result: Run
 * again, also where no job was found.
 */
export async function press(model: string, prompt: string, isPatient = false): Promise<void> {
  const studio = opened();
  const { submissions, presses } = studio;
  const request = { model, payload: { prompt } };
  const price = await priceOf(studio, request);
  let submit = () => submissions.submit(request, price);
  for (let times = 0; times < MAX_PRESSES; times += 1) {
    await submit();
    const end = await ended(submissions, model);
    presses.push({ prompt, model, ...end, jobsThen: await countJobs(prompt) });
    const isOver = end.said.startsWith("accepted") || end.said === "rejected";
    if (isOver || !isPatient) return;
    submit = end.said === "absent" ? () => submissions.sendAgain(model) : () => submissions.submit(request, price);
  }
}

/** Presses Run for `count` prompts, one after the other for each model. `words` begin every prompt. */
export async function pressMany(count: number, models: string[], words: string, isPatient = false): Promise<void> {
  let next = 0;
  const lane = async (model: string) => {
    while (next < count) {
      next += 1;
      await press(model, `${words} run ${next}`, isPatient);
    }
  };
  await Promise.all(models.map(lane));
}

/** What the page has said and written. Waits until nothing is open, and with `hurry` for the audits. */
export async function report(): Promise<StudioReport> {
  const { presses, hurry } = opened();
  const rows = await openRows();
  const intents = () => readAll(rows, intentRows, ACCOUNT_ID);
  await until(async () => {
    const open = (await intents()).filter((row) => isUnsettled(row.state) || (hurry > 1 && row.auditDueAtMs));
    return open.length === 0;
  });
  const all = await intents();
  const promptOf = (row: Intent | undefined) => String(row?.request.payload.prompt ?? "");
  const lines = await readAll(rows, ledgerRows, ACCOUNT_ID);
  return {
    presses,
    intents: all.map((row) => {
      const { intentId, state, bodyKind, requestIds } = row;
      return { intentId, prompt: promptOf(row), state, bodyKind, requestIds };
    }),
    ledger: lines.map(({ kind, model = "", requestId, amountMicroUsd, intentId }) => {
      const prompt = promptOf(all.find((row) => row.intentId === intentId));
      return { kind, prompt, model, requestId, amountMicroUsd };
    }),
  };
}

/** Resolves once it holds, asked after each change of the outbox. */
function until(holds: () => Promise<boolean>): Promise<void> {
  return new Promise((resolve) => {
    const check = async () => {
      if (!(await holds())) return;
      stop();
      resolve();
    };
    const stop = onChange("outbox", () => void check());
    void check();
  });
}
