import type { Job } from "#api/types.ts";
import type { JsonRecord } from "#lib/json.ts";
import type { MicroUsd } from "#lib/money.ts";

/** What a zip needs of a job. */
export interface BulkJob
  extends Pick<Job, "requestId" | "model" | "status" | "media" | "payload" | "createdAtSeconds"> {
  priceMicroUsd?: MicroUsd | undefined;
}

/** One file to be put into a zip. */
export interface BulkFile {
  job: BulkJob;
  /** Place of the file in its job, from 0. */
  index: number;
}

export interface BulkFailure extends BulkFile {
  reason: string;
}

/** A line of `manifest.json`: where a file came from. */
export interface ManifestLine {
  file: string;
  request_id: string;
  model: string | undefined;
  index: number;
  created_at: number | undefined;
  price_micro_usd: MicroUsd | undefined;
  payload: JsonRecord | undefined;
}

/** Every file of some jobs, in their order. */
export function filesOf(jobs: readonly BulkJob[]): BulkFile[] {
  return jobs.flatMap((job) => job.media.map((_, index) => ({ job, index })));
}
