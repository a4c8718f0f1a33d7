import type { Job } from "#api/types.ts";
import { newItem } from "#batch/rows/group-runs.ts";
import { addBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { getConnection } from "#connection/connection-store.ts";
import { intentRows } from "#runs/submit/outbox.ts";
import { browserRows } from "#storage/database.ts";
import { trackedKey, trackedRows } from "#storage/job-records.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { makeIntent } from "../setup/make-intent.ts";

/**
 * Stores a batch of three drafts and of a run for each job, which was made already. Gives the address of the batch.
 * Connect first.
 */
export async function storeBatch(jobs: readonly Job[]): Promise<string> {
  const accountId = getConnection()?.accountId ?? "";
  const request = (prompt: string) => ({ model: "lumen-2", payload: { prompt } });
  const items = ["A bridge", "A barge", "A buoy"].map((prompt) => newItem(request(prompt), "runs"));
  for (const job of jobs) {
    const { requestId } = job;
    const sent = newItem(request("A lamp"), "runs", { priceMicroUsd: 35_000 });
    items.push(sent);
    const row = makeIntent({
      intentId: sent.intentId,
      request: sent.request,
      state: "accepted",
      requestIds: [requestId],
    });
    await saveOne(intentRows, accountId, sent.intentId, row);
    await saveOne(trackedRows, accountId, trackedKey(accountId, requestId), {
      ...job,
      ...sent.request,
      priceMicroUsd: 35_000,
      submittedAtMs: Date.now(),
      origin: "answered",
    });
  }
  const batch = newBatch("Harbour", { groups: [{ id: "runs", name: "Runs", kind: "runs" }], items });
  await addBatch({ rows: browserRows, accountId }, batch);
  return `/batch/${batch.id}`;
}
