import type { JobRequest } from "#api/types.ts";
import type { Batch, BatchAxes } from "../stored-batches.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";

/** A run that a source makes: not in a batch yet. */
export interface PlannedRun {
  request: JobRequest;
  /** What was asked for and the model has no field or option for, as label and value: "Size 1536x1024". */
  unavailable?: readonly string[];
}

export interface ExpandedAxes {
  runs: PlannedRun[];
  /** Why there is none, in a sentence. */
  problem?: string;
}

/** The runs of some axes. Never throws. */
export function expandAxes(_axes: BatchAxes, _schemas: ModelSchemas): ExpandedAxes {
  return { runs: [] };
}

/** The batch with other drafts in one of its groups. Never throws. */
export function withRuns(batch: Batch, _groupId: string, _runs: readonly PlannedRun[]): Batch {
  return batch;
}
