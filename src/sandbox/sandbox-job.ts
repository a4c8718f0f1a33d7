import type { JsonRecord } from "#lib/json.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { ModelDefinition, PlannedFile } from "./catalogue/model-definition.ts";

/** How a job will end: fixed at submit, told when its time has come. */
export type JobEnding = { status: "success" } | { status: "cancelled" } | { status: "failed"; reason: string };

/** A job as the sandbox keeps it. Times are sandbox milliseconds. */
export interface SandboxJob {
  requestId: string;
  user: string;
  organisation: string;
  model: ModelDefinition;
  payload: JsonRecord;
  priceMicroUsd: MicroUsd;
  createdAtMs: number;
  finishesAtMs: number;
  ending: JobEnding;
  files: readonly PlannedFile[];
  /** Ids of the uploaded inputs that its payload names. */
  inputIds: readonly string[];
  mediaDeletedAtMs?: number;
  /** Files that were fetched: the CDN may keep those for a while after a deletion (spec 8). */
  fetchedFiles: Set<number>;
}

/** Spec 3: queued until its time has come, then final. A job changes by the clock alone. */
export function jobStatus(job: SandboxJob, nowMs: number): "queued" | JobEnding["status"] {
  return nowMs < job.finishesAtMs ? "queued" : job.ending.status;
}
