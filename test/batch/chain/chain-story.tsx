import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import type { Job, JobRequest } from "#api/types.ts";
import { addBatch, newBatch } from "#batch/runner/batch-edits.ts";
import type { ItemView } from "#batch/runner/batch-views.ts";
import { getConnection } from "#connection/connection-store.ts";
import { browserRows } from "#storage/database.ts";
import { type Batch, batchKey, batchRows } from "#storage/stored-batches.ts";
import { readOne } from "#storage/typed-rows.ts";
import { storeRun } from "../stored-runs.ts";
import { chainPage } from "./chain-document.tsx";

const BATCH_ID = "chain";

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
    items.push(await storeRun(accountId, { request, job, groupId: "runs" }));
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
