import type { Job, JobRequest } from "#api/types.ts";
import { newItem } from "#batch/rows/group-runs.ts";
import { intentRows } from "#runs/submit/outbox.ts";
import { trackedKey, trackedRows } from "#storage/job-records.ts";
import type { BatchItem } from "#storage/stored-batches.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { makeIntent } from "../setup/make-intent.ts";

const PRICE_MICRO_USD = 35_000;

/** A run that came to a job, as the studio stores what it submitted: its row of a batch is given, not stored. */
export async function storeRun(
  accountId: string,
  { request, job, groupId }: { request: JobRequest; job: Job; groupId: string },
): Promise<BatchItem> {
  const item = newItem(request, groupId, { priceMicroUsd: PRICE_MICRO_USD });
  await storeSent(accountId, item, job);
  return item;
}

/** The same for a run that is in a batch already. */
export async function storeSent(accountId: string, item: BatchItem, job: Job): Promise<void> {
  const { request } = item;
  const { requestId } = job;
  const sent = makeIntent({
    intentId: item.intentId,
    request,
    priceMicroUsd: PRICE_MICRO_USD,
    state: "accepted",
    requestIds: [requestId],
  });
  await saveOne(intentRows, accountId, item.intentId, sent);
  await saveOne(trackedRows, accountId, trackedKey(accountId, requestId), {
    ...job,
    ...request,
    priceMicroUsd: PRICE_MICRO_USD,
    submittedAtMs: Date.now(),
    origin: "answered",
  });
}
