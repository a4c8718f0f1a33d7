import type { Batch, BatchAxes, BatchGroup } from "../stored-batches.ts";
import type { PlannedRun } from "./expand-axes.ts";

/** A new group without runs. Never throws. */
export function newGroup(name: string, kind: BatchGroup["kind"], axes?: BatchAxes): BatchGroup {
  return { id: name, name, kind, ...(axes ? { axes } : {}) };
}

/** The batch with a group, added at the end where it is new, and these runs in it. Never throws. */
export function withGroup(batch: Batch, _group: BatchGroup, _runs: readonly PlannedRun[]): Batch {
  return batch;
}

/** Why so many runs do not fit into a group of a batch beside its other runs, in a sentence. Undefined: they do. */
export function roomProblem(_batch: Batch, _groupId: string | undefined, _count: number): string | undefined {
  return undefined;
}
