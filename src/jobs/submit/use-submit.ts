import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useStore } from "zustand";
import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { setLeaveGuard } from "#lib/leave-guard.ts";
import type { MicroUsd } from "#lib/money.ts";
import { onDatabaseLost } from "#storage/database.ts";
import { requestPersistence } from "#storage/storage-state.ts";
import { jobKey } from "../job-queries.ts";
import { browserEffects } from "./effects.ts";
import { createSubmissions, isUnderWay, type Run, type Submissions, shownRun } from "./submissions.ts";
import { IDLE, type SubmitState } from "./submit-state.ts";

/** The submits of the current connection. */
export function useSubmissions(): Submissions {
  return submissionsOf(useApi(), useConnection(), useQueryClient());
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

export interface Submission extends SubmitActions {
  /** What `state` speaks of; undefined where there is nothing to say of a run. */
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
    dismiss: () => void submissions.dismiss(modelId),
  };
}

/** What must be known of a connection. */
interface SubmitConnection {
  accountId: string;
  queueBaseUrl: string;
}

/** The submits of a connection's client. They outlive every screen. Never throws. */
export const submissionsOf = perConnection(
  (api: Api, connection: SubmitConnection | null, queryClient: QueryClient): Submissions => {
    const accountId = connection?.accountId ?? "";
    const queueBaseUrl = connection?.queueBaseUrl ?? "/";
    const submissions = createSubmissions((show) =>
      browserEffects({ api, accountId, queueBaseUrl, queryClient, show }),
    );
    onDatabaseLost(() => void submissions.restore());
    // The answer to the submit is the service's first report of a job; with its outcome it is also the last.
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

/** Of every connection: what one has begun goes on while another is current. */
const underWay = new Map<string, readonly Run[]>();

/**
 * Asks before the page is left while a submit has no answer yet. Nothing would be lost, because its row is written, but
 * the job would have to be found in the list. A wait for another attempt only keeps the page from reloading by itself.
 */
function guardLeaving(accountId: string, runs: readonly Run[]): void {
  underWay.set(accountId, runs);
  const all = [...underWay.values()].flat();
  setLeaveGuard("submits", {
    busy: all.some(isUnderWay),
    asks: all.some(({ state }) => state.phase === "sending" && state.step === "sent"),
  });
}
