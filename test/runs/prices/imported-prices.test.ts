import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importJobs } from "#runs/import-jobs.ts";
import { type LedgerLine, ledgerChange, ledgerId, ledgerRows } from "#runs/ledger/ledger.ts";
import { writeEstimate, writeNotCharged } from "#runs/prices/imported-prices.ts";
import { openRows } from "#storage/database.ts";
import { trackedKey } from "#storage/job-records.ts";
import { readOne } from "#storage/typed-rows.ts";
import { openSandboxMedia } from "../../media/sandbox-media.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

const ACCOUNT = "account";
let service: ReturnType<typeof openSandboxMedia>;

beforeEach(() => {
  freshDatabase();
  service = openSandboxMedia({ history: 3 });
});
afterEach(() => service.close());

async function importedLine() {
  const { jobs } = await service.api.listJobs({ status: ["success"] });
  const requestId = jobs[0]?.requestId ?? "";
  await importJobs(ACCOUNT, jobs);
  const rows = await openRows();
  const id = ledgerId.charge(ACCOUNT, requestId);
  return { requestId, rows, id, line: () => readOne(rows, ledgerRows, id) };
}

describe("the ledger line of an imported job", () => {
  it("takes an estimated amount, marked as such, once", async () => {
    const { rows, requestId, line } = await importedLine();
    expect((await line())?.amountMicroUsd).toBeUndefined();
    await writeEstimate(rows, ACCOUNT, requestId, 40_000);
    expect(await line()).toMatchObject({ amountMicroUsd: 40_000, isEstimated: true, evidence: "imported" });
    await writeEstimate(rows, ACCOUNT, requestId, 50_000);
    expect((await line())?.amountMicroUsd).toBe(40_000);
  });

  it("of an unknown price cost nothing once the job failed; an exact amount stays", async () => {
    const { rows, requestId, id, line } = await importedLine();
    await writeNotCharged(rows, ACCOUNT, requestId);
    const settled = { kind: "not-charged", evidence: "status-failed", amountMicroUsd: 0 };
    expect(await line()).toMatchObject(settled);
    const exact = {
      ...(await line()),
      id,
      kind: "charged",
      evidence: "answered",
      amountMicroUsd: 35_000,
    } as LedgerLine;
    await rows.edit({ store: "ledger", key: id }, () => ({
      changes: [ledgerChange(ACCOUNT, exact)],
      result: undefined,
    }));
    await writeNotCharged(rows, ACCOUNT, requestId);
    expect(await line()).toEqual(exact);
  });

  it("stays as exact as it was when the job is imported once more, because its row was lost", async () => {
    const { rows, requestId, id, line } = await importedLine();
    const exact = { ...(await line()), id, evidence: "answered", amountMicroUsd: 35_000 } as LedgerLine;
    const key = trackedKey(ACCOUNT, requestId);
    await rows.edit({ store: "ledger", key: id, also: ["jobs"] }, () => ({
      changes: [ledgerChange(ACCOUNT, exact), { kind: "remove", store: "jobs", key }],
      result: undefined,
    }));
    const { jobs } = await service.api.listJobs({ status: ["success"] });
    expect(await importJobs(ACCOUNT, jobs)).toBe(1);
    expect(await line()).toEqual(exact);
  });

  it("keeps an exact amount, and none appears where there was no line", async () => {
    const { rows, requestId, id, line } = await importedLine();
    const known = await line();
    if (!known) throw new Error("no line");
    const exact = { ...known, amountMicroUsd: 35_000 };
    await rows.edit({ store: "ledger", key: id }, () => ({
      changes: [ledgerChange(ACCOUNT, exact)],
      result: undefined,
    }));
    await writeEstimate(rows, ACCOUNT, requestId, 40_000);
    expect(await line()).toEqual(exact);
    await writeEstimate(rows, ACCOUNT, "unknown-job", 40_000);
    expect(await readOne(rows, ledgerRows, ledgerId.charge(ACCOUNT, "unknown-job"))).toBeUndefined();
  });
});
