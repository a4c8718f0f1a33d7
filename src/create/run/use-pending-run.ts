import { useState } from "react";
import { isUnderWay, type Run, useShownRun } from "#runs/submit/submissions.ts";

/**
 * The run of a model that is shown in the place of its result before it has a job: from the press of Run until the job is
 * in view, or until the person looks at another one (`lookAway`). An unconfirmed run of an earlier visit is shown where no
 * job is asked for.
 */
export function usePendingRun(
  modelId: string | undefined,
  requestId: string | undefined,
): [pending: Run | undefined, lookAway: () => void] {
  const run = useShownRun(modelId);
  const [begunId, setBegunId] = useState<number>();
  const [leftId, setLeftId] = useState<number>();
  if (run === undefined) return [undefined, () => {}];
  const { id, state } = run;
  if (isUnderWay(run) && id !== begunId) setBegunId(id);
  // In view: from now on the address alone says what is shown.
  if (begunId !== undefined && state.phase === "accepted" && state.requestId === requestId) setBegunId(undefined);
  const isMine = id === begunId || requestId === undefined;
  const isShown =
    isUnderWay(run) ||
    (isMine && state.phase === "unconfirmed") ||
    // Until the address names its job, which takes a moment.
    (id === begunId && state.phase === "accepted" && state.requestId !== requestId);
  return [isShown && id !== leftId ? run : undefined, () => setLeftId(id)];
}
