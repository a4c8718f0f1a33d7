import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useStore } from "zustand";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { useConnection } from "#connection/connection-store.ts";
import type { MicroUsd } from "#lib/money.ts";
import { type Submissions, submissionsOf } from "./submissions.ts";
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
  /** Stops waiting for another try after a refusal. It never ends a request that was sent. */
  cancel: () => void;
  /** Removes the message. An open outcome stays, and is polled for all the same. */
  dismiss: () => void;
}

export interface Submission extends SubmitActions {
  state: SubmitState;
}

/** The submit of one model: what it does now, and what the person can do about it. It goes on when the screen is left. */
export function useSubmit(modelId: string): Submission {
  const submissions = useSubmissions();
  const state = useStore(submissions.states, (states) => states[modelId] ?? IDLE);
  useEffect(() => void submissions.prepare(modelId), [submissions, modelId]);
  return {
    state,
    submit: (request, priceMicroUsd) => submissions.submit(request, priceMicroUsd),
    confirm: () => submissions.confirm(modelId),
    sendAgain: () => submissions.sendAgain(modelId),
    cancel: () => submissions.cancelRetry(modelId),
    dismiss: () => void submissions.dismiss(modelId),
  };
}
