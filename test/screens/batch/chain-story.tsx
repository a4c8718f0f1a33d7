import { configure, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { vi } from "vitest";
import type { Job, JobRequest } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import { addBatch, newBatch, newItem } from "#jobs/batch/batch-edits.ts";
import type { ItemView } from "#jobs/batch/batch-runner.ts";
import { type Batch, batchKey, batchRows } from "#jobs/stored-batches.ts";
import { outboxRows } from "#jobs/submit/outbox-rows.ts";
import { browserRows } from "#storage/database.ts";
import { trackedKey, trackedRows } from "#storage/tracked-jobs.ts";
import { readOne, saveOne } from "#storage/typed-rows.ts";
import { outboxRow } from "../../setup/outbox-row.ts";
import { chainPage } from "./chain-document.tsx";

// Forms of a whole catalogue in jsdom on a busy machine: slow, and no reason to fail.
configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });

const BATCH_ID = "chain";
const PRICE_MICRO_USD = 35_000;

/** A run, and the job that it came to. */
export interface ChainRun {
  request: JobRequest;
  job: Job;
}

/** Stores a batch of runs that came to jobs, and shows a part of its screen. Connect first. */
export async function openChain(runs: readonly ChainRun[], children: (items: readonly ItemView[]) => ReactNode) {
  const accountId = getConnection()?.accountId ?? "";
  const items = [];
  for (const { request, job } of runs) {
    const item = newItem(request, "runs", { priceMicroUsd: PRICE_MICRO_USD });
    items.push(item);
    const { requestId, status } = job;
    const sent = outboxRow({ intentId: item.intentId, request, state: "accepted", requestIds: [requestId] });
    await saveOne(outboxRows, accountId, item.intentId, sent);
    await saveOne(trackedRows, accountId, trackedKey(accountId, requestId), {
      ...request,
      requestId,
      status,
      priceMicroUsd: PRICE_MICRO_USD,
      submittedAtMs: Date.now(),
      origin: "answered",
      job,
    });
  }
  const groups = [{ id: "runs", name: "Runs", kind: "runs" as const }];
  const batch = newBatch("Harbour", { id: BATCH_ID, groups, items });
  await addBatch({ rows: browserRows, accountId }, batch);
  const { page, path } = chainPage({ batchId: BATCH_ID, children: ({ items: views }) => children(views) });
  render(page);
  return {
    user: userEvent.setup(),
    path,
    /** As it is stored now. */
    async batch(): Promise<Batch> {
      const batch = await readOne(browserRows, batchRows, batchKey(accountId, BATCH_ID));
      if (!batch) throw new Error("The batch is gone.");
      return batch;
    },
  };
}
