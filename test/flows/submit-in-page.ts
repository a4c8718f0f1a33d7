// Runs in a page: the studio's own way from the click to the ledger, without a screen around it.
import { createApi } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { createQueryClient } from "#connection/query-client.ts";
import { serviceFetch } from "#connection/relay.ts";
import { ledgerRows } from "#jobs/ledger/ledger.ts";
import { estimateQueries } from "#jobs/price/estimate-queries.ts";
import { browserEffects, type SubmitEffects } from "#jobs/submit/effects.ts";
import { outboxRows } from "#jobs/submit/outbox.ts";
import { createSubmissions, type Submissions } from "#jobs/submit/submissions.ts";
import type { OutboxRow } from "#jobs/submit/submit-state.ts";
import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { readAll } from "#storage/typed-rows.ts";

const WAKE_MS = 50;
const ACCOUNT_ID = "many";

export interface ManySubmits {
  queueBaseUrl: string;
  isRelayed: boolean;
  count: number;
  /** One attempt per model is open at a time, so this many run beside each other. */
  models: string[];
  /** Words of every prompt, for what the sandbox is to do. */
  words: string;
  /** Waits pass this many times as fast, as the sandbox's own time does, and the audits are waited for. */
  hurry?: number;
}

export interface ManyEnds {
  /** How many submits ended in each phase, by how they are known: "accepted, answered". */
  ends: Record<string, number>;
  bodyKinds: string[];
  /** Ledger lines by kind. */
  lines: Record<string, number>;
  /** The jobs in the ledger. */
  requestIds: string[];
}

function hurried(effects: SubmitEffects, hurry: number): SubmitEffects {
  return {
    ...effects,
    sleep: (ms, signal) => effects.sleep(ms / hurry, signal),
    monotonicMs: () => effects.monotonicMs() * hurry,
  };
}

/** Resolves once the model's submit is neither on its way nor open. */
function ended(submissions: Submissions, model: string): Promise<string> {
  return new Promise((resolve) => {
    const check = () => {
      const state = submissions.states.getState()[model];
      if (!state || state.phase === "sending" || state.phase === "retrying") return;
      if (state.phase === "unconfirmed" && !state.canSendAgain) return;
      stop();
      resolve(state.phase === "accepted" ? `accepted, ${state.how}` : state.phase);
    };
    const stop = submissions.states.subscribe(check);
    check();
  });
}

/** Resolves once no sent intent waits for its audit. */
function audited(sent: () => Promise<OutboxRow[]>): Promise<void> {
  return new Promise((resolve) => {
    const check = async () => {
      if ((await sent()).some(({ auditDueAtMs }) => auditDueAtMs !== undefined)) return;
      stop();
      resolve();
    };
    const stop = onChange("outbox", () => void check());
    void check();
  });
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/**
 * Submits as the Run button does, one after the other for each model, until all are settled. Open outcomes are polled
 * at once, as when the page comes to the front.
 */
export async function submitMany({
  queueBaseUrl,
  isRelayed,
  count,
  models,
  words,
  hurry = 1,
}: ManySubmits): Promise<ManyEnds> {
  const fetch: typeof globalThis.fetch = isRelayed ? serviceFetch : (...args) => globalThis.fetch(...args);
  const api = createApi({ queueBaseUrl, inferenceBaseUrl: queueBaseUrl, key: "sandbox-key", fetch });
  const queryClient = createQueryClient();
  const submissions = createSubmissions((show) =>
    hurried(browserEffects({ api, accountId: ACCOUNT_ID, queueBaseUrl, isRelayed, queryClient, show }), hurry),
  );
  const ends: string[] = [];
  let next = 0;
  async function lane(model: string): Promise<void> {
    while (next < count) {
      next += 1;
      const request: JobRequest = { model, payload: { prompt: `${words} run ${next}` } };
      const { priceMicroUsd } = await queryClient.fetchQuery(estimateQueries(api).price(request));
      if (priceMicroUsd === undefined) throw new Error("The estimate has no price.");
      await submissions.submit(request, priceMicroUsd);
      ends.push(await ended(submissions, model));
    }
  }
  const waker = setInterval(() => submissions.wake(), WAKE_MS);
  await Promise.all(models.map(lane));
  clearInterval(waker);
  const rows = await openRows();
  const sent = () => readAll(rows, outboxRows, ACCOUNT_ID);
  if (hurry > 1) await audited(sent);
  const lines = await readAll(rows, ledgerRows, ACCOUNT_ID);
  return {
    ends: counted(ends),
    bodyKinds: [...new Set((await sent()).map(({ bodyKind }) => bodyKind))],
    lines: counted(lines.map(({ kind }) => kind)),
    requestIds: lines.flatMap(({ requestId }) => requestId ?? []),
  };
}
