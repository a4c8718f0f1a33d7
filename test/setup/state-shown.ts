import { type Submissions, shownRun } from "#jobs/submit/submissions.ts";
import { IDLE, type SubmitState } from "#runs/rules/intent.ts";

/** What the form of a model shows of its run. */
export const stateShown = ({ runs }: Pick<Submissions, "runs">, model: string): SubmitState =>
  shownRun(runs.getState(), model)?.state ?? IDLE;
