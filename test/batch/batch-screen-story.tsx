import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished } from "vitest";
import type { JobRequest } from "#api/types.ts";
import { newItem } from "#batch/rows/group-runs.ts";
import { addBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { ledgerRows } from "#runs/ledger/ledger.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { browserRows } from "#storage/database.ts";
import { type Batch, type BatchRules, batchKey, batchRows, DEFAULT_RULES } from "#storage/stored-batches.ts";
import { readAll, readOne } from "#storage/typed-rows.ts";
import { openSandboxMedia } from "../media/sandbox-media.ts";
import { giveLayout } from "../setup/give-layout.ts";
import { freshDatabase } from "../storage/fresh-database.ts";
import { visitStudio } from "../visit-studio.tsx";
import { storeRun } from "./stored-runs.ts";

export const BATCH_ID = "harbour";

/** A run of the model that answers at once. */
export const lumen = (prompt: string, more: Record<string, unknown> = {}): JobRequest => ({
  model: "lumen-2",
  payload: { prompt, ...more },
});

interface Visit {
  rules?: Partial<BatchRules>;
  /** Groups by their names, each with its runs. */
  groups: Readonly<Record<string, readonly JobRequest[]>>;
  search?: string;
  sandbox?: SandboxOptions;
  /** The runs, all of `lumen`, were submitted and have ended. */
  isDone?: boolean;
}

/** The screen of a stored batch over a fresh sandbox, for the length of one test, in which elements have a size. */
export async function visitBatch({ groups, rules = {}, search = "", sandbox: options = {}, isDone = false }: Visit) {
  freshDatabase();
  onTestFinished(giveLayout({ width: 1440, height: 3000 }));
  const sandbox = openSandboxMedia(options);
  onTestFinished(() => {
    disconnect();
    sandbox.close();
  });
  localStorage.clear();
  await openSandbox();
  const accountId = getConnection()?.accountId ?? "";
  const where = { rows: browserRows, accountId };
  const items = [];
  for (const [groupId, runs] of Object.entries(groups)) {
    for (const request of runs) {
      if (isDone)
        items.push(await storeRun(accountId, { request, job: await sandbox.imageJob(request.payload), groupId }));
      else items.push(newItem(request, groupId));
    }
  }
  const stored = newBatch("Harbour", {
    id: BATCH_ID,
    groups: Object.keys(groups).map((name) => ({ id: name, name, kind: "runs" as const })),
    items,
    rules: { ...DEFAULT_RULES, ...rules },
  });
  await addBatch(where, stored);
  const visit = visitStudio(`/batch/${BATCH_ID}${search}`);
  await waitFor(() => expect(screen.queryByRole("grid") ?? screen.getByRole("list", { name: "Runs" })).toBeVisible());
  return {
    ...visit,
    sandbox,
    where,
    batch: async (): Promise<Batch | undefined> => readOne(browserRows, batchRows, batchKey(accountId, BATCH_ID)),
    /** What the ledger of this browser says was charged, refunds taken off, in micro-USD. */
    ledgerSum: async () => {
      const lines = await readAll(browserRows, ledgerRows, accountId);
      return lines.reduce((sum, { kind, amountMicroUsd = 0 }) => {
        if (kind === "charged") return sum + amountMicroUsd;
        return kind === "refunded" ? sum - amountMicroUsd : sum;
      }, 0);
    },
  };
}

export const grid = () => screen.getByRole("grid", { name: "Runs" });
export const panel = () => screen.getByRole("complementary", { name: "Run settings" });
/** The rows of runs that are shown, in their order. */
export const runRows = () =>
  within(grid())
    .getAllByRole("row")
    .filter((row) => row.hasAttribute("aria-selected"));
/** The row of the run with this number. */
export function runRow(number: number): HTMLElement {
  const row = runRows().find((one) => within(one).queryByRole("checkbox", { name: `Select run ${number}` }));
  if (!row) throw new Error(`No row of run ${number} is shown.`);
  return row;
}
/** A cell of the run with this number, by the name of its column. In a browser its role is `gridcell`, from that of the table. */
export function cell(number: number, column: string): HTMLElement {
  const heads = within(grid())
    .getAllByRole("columnheader")
    .map(({ textContent }) => textContent);
  const found = within(runRow(number)).getAllByRole("cell")[heads.indexOf(column)];
  if (!found) throw new Error(`The table has no column ${column}.`);
  return found;
}
