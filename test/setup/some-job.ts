import type { JobRecord } from "#storage/job-records.ts";

/** A finished job of the history, without a file and without a time unless they are given. */
export function someJob(requestId: string, over: Partial<JobRecord> = {}): JobRecord {
  return {
    requestId,
    model: "m",
    status: "success",
    media: [],
    payload: undefined,
    createdAtSeconds: undefined,
    updatedAtSeconds: undefined,
    failureReason: undefined,
    raw: {},
    priceMicroUsd: undefined,
    ...over,
  };
}
