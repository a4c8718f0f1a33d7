import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { Api } from "#api/create-api.ts";
import type { MicroUsd } from "#lib/money.ts";
import { type LedgerLine, ledgerChange, ledgerId, ledgerRows } from "#runs/ledger/ledger.ts";
import { openRows } from "#storage/database.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import type { RowStore } from "#storage/rows.ts";
import { isNewer, readAll } from "#storage/typed-rows.ts";
import { askPastPrices } from "./past-prices.ts";

/** Estimates the prices of imported jobs in the background, in one tab. */
export function useImportedPrices(api: Api, accountId: string, tracked: readonly TrackedJob[], leads: boolean): void {
  const client = useQueryClient();
  const imported = leads ? tracked.filter(({ origin }) => origin === "imported") : [];
  const failed = imported.filter(({ status }) => status === "failed").length;
  // Every poll gives a new array of jobs. The estimates start again only when one of these counts has changed.
  const trigger = imported.length > 0 ? `${imported.length} ${failed}` : undefined;
  const estimate = useEffectEvent((signal: AbortSignal) =>
    estimateImported({ api, client, accountId, tracked, signal }).catch(() => undefined),
  );
  useEffect(() => {
    if (trigger === undefined) return;
    const abort = new AbortController();
    void estimate(abort.signal);
    return () => abort.abort();
  }, [trigger]);
}

/**
 * Asks in the background what imported jobs cost today, and writes it into their ledger lines, marked as estimated. Rejects
 * with the signal's reason, or with a `StorageError`: a line that cannot be written is written at the next visit.
 */
async function estimateImported({
  api,
  client,
  accountId,
  tracked,
  signal,
}: {
  api: Api;
  client: QueryClient;
  accountId: string;
  tracked: readonly TrackedJob[];
  signal: AbortSignal;
}): Promise<void> {
  const imported = tracked.filter(({ origin, priceMicroUsd }) => origin === "imported" && priceMicroUsd === undefined);
  const byId = new Map(imported.map((job) => [job.requestId, job]));
  const rows = await openRows();
  const lines = await readAll(rows, ledgerRows, accountId);
  for (const line of lines) {
    const job = byId.get(line.requestId ?? "");
    if (job?.status !== "failed") continue;
    if (line.isEstimated && line.kind === "charged") await writeRefund(rows, accountId, job, line);
    if (isOpenLine(line)) await writeNotCharged(rows, accountId, job.requestId);
  }
  const open = new Set(lines.filter(isOpenLine).map(({ requestId }) => requestId));
  const jobs = imported.flatMap(({ requestId, status, model, payload }) =>
    // A failed job was refunded exactly (spec 3): what it would cost says nothing.
    open.has(requestId) && status !== "failed" && model && payload ? [{ requestId, model, payload }] : [],
  );
  const write = (requestId: string, priceMicroUsd: MicroUsd) =>
    writeEstimate(rows, accountId, requestId, priceMicroUsd);
  await askPastPrices({ api, client }, jobs, write, signal);
}

/** Whether the charge of an imported job has no amount yet. */
function isOpenLine({ kind, evidence, amountMicroUsd }: LedgerLine): boolean {
  return kind === "charged" && evidence === "imported" && amountMicroUsd === undefined;
}

/**
 * Writes an estimated price into the ledger line of an imported job, unless the line has an amount by now.
 * @throws StorageError where nothing was written.
 */
export async function writeEstimate(
  rows: RowStore,
  accountId: string,
  requestId: string,
  amountMicroUsd: MicroUsd,
): Promise<void> {
  const id = ledgerId.charge(accountId, requestId);
  await rows.edit({ store: "ledger", key: id }, (row) => {
    const line = row && !isNewer(ledgerRows, row) ? ledgerRows.read(row.body, row) : undefined;
    const isOpen = line !== undefined && isOpenLine(line);
    const changes = isOpen ? [ledgerChange(accountId, { ...line, amountMicroUsd, isEstimated: true })] : [];
    return { changes, result: undefined };
  });
}

/**
 * Writes that an imported job of unknown price cost nothing, because it failed and was refunded exactly (spec 3).
 * @throws StorageError where nothing was written.
 */
export async function writeNotCharged(rows: RowStore, accountId: string, requestId: string): Promise<void> {
  await rows.edit({ store: "ledger", key: ledgerId.charge(accountId, requestId) }, (row) => {
    const line = row && !isNewer(ledgerRows, row) ? ledgerRows.read(row.body, row) : undefined;
    if (!line || !isOpenLine(line)) return { changes: [], result: undefined };
    const settled: LedgerLine = { ...line, kind: "not-charged", evidence: "status-failed", amountMicroUsd: 0 };
    return { changes: [ledgerChange(accountId, settled)], result: undefined };
  });
}

/** Writes the refund of an imported job that failed later: the amount that was estimated for it, marked as an estimate. */
async function writeRefund(rows: RowStore, accountId: string, job: TrackedJob, charge: LedgerLine): Promise<void> {
  const id = ledgerId.refund(accountId, job.requestId);
  await rows.edit({ store: "ledger", key: id }, (row) => {
    if (row) return { changes: [], result: undefined };
    const line: LedgerLine = {
      ...charge,
      id,
      atMs: job.finishedAtMs ?? job.submittedAtMs,
      kind: "refunded",
      evidence: "status-failed",
    };
    return { changes: [ledgerChange(accountId, line)], result: undefined };
  });
}
