import type { JobRecord } from "#storage/job-records.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";
import type { PlannedRun } from "./group-runs.ts";

/** A job whose settings are taken over. */
export type GivenJob = Pick<JobRecord, "requestId" | "model" | "payload">;

export interface JobRuns {
  runs: PlannedRun[];
  /** IDs of the jobs whose model or settings are unknown. */
  unknown: string[];
  /** What is not among the runs, in sentences. */
  problem?: string;
}

/** One run for each job with the same settings, in the order of the jobs. */
export function jobRuns(jobs: readonly GivenJob[]): JobRuns {
  const runs: PlannedRun[] = [];
  const unknown: string[] = [];
  let left = 0;
  for (const { requestId, model, payload } of jobs) {
    if (!model || payload === undefined) unknown.push(requestId);
    else if (runs.length < MAX_ITEMS) runs.push({ request: { model, payload } });
    else left += 1;
  }
  const sentences = [
    unknown.length > 0 &&
      `The settings of ${counted(unknown.length)} are unknown, so ${unknown.length === 1 ? "it is" : "they are"} left out.`,
    left > 0 &&
      `A batch takes at most ${MAX_ITEMS.toLocaleString("en-US")} runs. ${counted(left)} ${left === 1 ? "is" : "are"} left out.`,
  ].filter((sentence) => sentence !== false);
  return { runs, unknown, ...(sentences.length > 0 ? { problem: sentences.join(" ") } : {}) };
}

const counted = (count: number) => `${count.toLocaleString("en-US")} ${count === 1 ? "job" : "jobs"}`;
