import { useState } from "react";
import { useStore } from "zustand";
import { IDLE, type LastRun, type SubmitState } from "#jobs/submit/submit-state.ts";
import { useSubmissions } from "#jobs/submit/use-submit.ts";

/** A run that has no job yet. */
export interface PendingRun extends LastRun {
  state: SubmitState;
}

/**
 * The run of a model that is shown in the place of its result before it has a job: from the press of Run until the job is
 * in view, or until the person looks at another one (`lookAway`). An unconfirmed run of an earlier visit is shown where no
 * job is asked for.
 */
export function usePendingRun(
  modelId = "",
  requestId: string | undefined,
): [pending: PendingRun | undefined, lookAway: () => void] {
  const submissions = useSubmissions();
  const state = useStore(submissions.states, (states) => states[modelId] ?? IDLE);
  const lastRun = submissions.lastRun(modelId);
  const [begun, setBegun] = useState<LastRun>();
  const [left, setLeft] = useState<LastRun>();
  const isUnderWay = state.phase === "sending" || state.phase === "retrying";
  if (isUnderWay && lastRun !== begun) setBegun(lastRun);
  // In view: from now on the address alone says what is shown.
  if (begun !== undefined && state.phase === "accepted" && state.requestId === requestId) setBegun(undefined);
  const isMine = lastRun !== undefined && (lastRun === begun || requestId === undefined);
  const isShown =
    isUnderWay ||
    (isMine && state.phase === "unconfirmed") ||
    // Until the address names its job, which takes a moment.
    (lastRun !== undefined && lastRun === begun && state.phase === "accepted" && state.requestId !== requestId);
  const pending = isShown && lastRun !== undefined && lastRun !== left ? { ...lastRun, state } : undefined;
  return [pending, () => setLeft(lastRun)];
}
