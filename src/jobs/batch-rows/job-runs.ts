import type { JsonRecord } from "#lib/read.ts";
import type { PlannedRun } from "./expand-axes.ts";

/** A job as far as it is known: of this browser, or of the index of History. */
export interface KnownJob {
  requestId: string;
  model?: string | undefined;
  payload?: JsonRecord | undefined;
}

export interface JobRuns {
  runs: PlannedRun[];
  /** IDs of the jobs whose model or settings are unknown. */
  unknown: string[];
  /** What is not among the runs, in a sentence. */
  problem?: string;
}

/** One run for each job with the same settings. Never throws. */
export function jobRuns(_jobs: readonly KnownJob[]): JobRuns {
  return { runs: [], unknown: [] };
}
