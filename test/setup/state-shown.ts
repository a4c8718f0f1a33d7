import { IDLE, type SubmitState } from "#runs/rules/intent.ts";
import { type Submissions, shownRun } from "#runs/submit/submissions.ts";

/** What the form of a model shows of its run. */
export const stateShown = ({ runs }: Pick<Submissions, "runs">, model: string): SubmitState =>
  shownRun(runs.getState(), model)?.state ?? IDLE;
