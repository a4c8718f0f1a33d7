import { useEffect } from "react";
import { useStore } from "zustand";
import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import { IDLE, type SubmitState } from "./submit/submit-state.ts";
import { useDesk } from "./use-desk.ts";

export type { SubmitState } from "./submit/submit-state.ts";

export interface SubmitActions {
  /** Sends once, however often it is called. `priceMicroUsd` is what the person saw on the button: never more is spent. */
  submit: (request: JobRequest, priceMicroUsd: MicroUsd) => Promise<void>;
  /** Says yes to the price that the last run asked about, above the person's own mark or risen, and sends it. */
  confirm: () => Promise<void>;
  /** Only after enough looks found no job: sends the same request as a new consent. */
  sendAgain: () => Promise<void>;
  /** Stops waiting for another try after a refusal. It never ends a request that was sent. */
  cancel: () => void;
  /** Takes the message away. An open outcome stays, and goes on being looked for. */
  dismiss: () => void;
}

export interface Submission extends SubmitActions {
  state: SubmitState;
}

/** The submit of one model: what it does now, and what the person can do about it. It goes on when the screen is left. */
export function useSubmit(modelId: string): Submission {
  const desk = useDesk();
  const state = useStore(desk.states, (states) => states[modelId] ?? IDLE);
  useEffect(() => void desk.prepare(modelId), [desk, modelId]);
  return {
    state,
    submit: (request, priceMicroUsd) => desk.submit(request, priceMicroUsd),
    confirm: () => desk.confirm(modelId),
    sendAgain: () => desk.sendAgain(modelId),
    cancel: () => desk.cancelRetry(modelId),
    dismiss: () => void desk.dismiss(modelId),
  };
}
