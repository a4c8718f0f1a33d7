import type { Job, JobRequest } from "#api/types.ts";
import { newItem } from "#jobs/batch/batch-edits.ts";
import type { BatchItem } from "#jobs/stored-batches.ts";
import { outboxRows } from "#jobs/submit/outbox-rows.ts";
import { trackedKey, trackedRows } from "#storage/job-records.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { outboxRow } from "../../setup/outbox-row.ts";

const PRICE_MICRO_USD = 35_000;

/** A run that came to a job, as the studio stores what it submitted: its row of a batch is given, not stored. */
export async function storeRun(
  accountId: string,
  { request, job, groupId }: { request: JobRequest; job: Job; groupId: string },
): Promise<BatchItem> {
  const item = newItem(request, groupId, { priceMicroUsd: PRICE_MICRO_USD });
  const { requestId } = job;
  const sent = outboxRow({
    intentId: item.intentId,
    request,
    priceMicroUsd: PRICE_MICRO_USD,
    state: "accepted",
    requestIds: [requestId],
  });
  await saveOne(outboxRows, accountId, item.intentId, sent);
  await saveOne(trackedRows, accountId, trackedKey(accountId, requestId), {
    ...job,
    ...request,
    priceMicroUsd: PRICE_MICRO_USD,
    submittedAtMs: Date.now(),
    origin: "answered",
  });
  return item;
}
