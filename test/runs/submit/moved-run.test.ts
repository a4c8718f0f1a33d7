import { beforeEach, expect, test } from "vitest";
import type { Job } from "#api/types.ts";
import { ledgerRows } from "#runs/ledger/ledger.ts";
import { readReservations, reservationsKey } from "#runs/ledger/spend-limits.ts";
import { addIntent, record } from "#runs/submit/outbox.ts";
import { moveLine } from "#spend/move-line.ts";
import { openRows } from "#storage/database.ts";
import { readAll } from "#storage/typed-rows.ts";
import { makeIntent } from "../../setup/make-intent.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

const ACCOUNT = "account";
beforeEach(freshDatabase);

const job: Job = {
  requestId: "job-1",
  model: "lumen-2",
  status: "queued",
  media: [],
  payload: undefined,
  createdAtSeconds: 1,
  updatedAtSeconds: undefined,
  failureReason: undefined,
  raw: {},
};

/** The projects whose limits the charges count for. */
async function reservedFor() {
  const row = await (await openRows()).get("settings", reservationsKey(ACCOUNT));
  return readReservations(row).map(({ projectId }) => projectId);
}

test.each([["harbour"], [undefined]])(
  "a run that was moved to project %s while its outcome was open is charged to that one",
  async (target) => {
    const rows = await openRows();
    const where = { rows, accountId: ACCOUNT, nowMs: () => 1_000 };
    const intent = makeIntent({ intentId: "intent-1", projectId: "first" });
    await addIntent(where, intent, new Set());
    await record(where, "intent-1", { kind: "answer-lost" });
    const [open] = await readAll(rows, ledgerRows, ACCOUNT);
    if (!open) throw new Error("The ledger has no open line");
    await moveLine(ACCOUNT, open, target);
    await record(where, "intent-1", { kind: "job-known", jobs: [job], how: "recovered" });

    const lines = await readAll(rows, ledgerRows, ACCOUNT);
    expect(lines.map(({ kind, projectId }) => [kind, projectId])).toEqual([["charged", target]]);
    const held = readReservations(await rows.get("settings", reservationsKey(ACCOUNT)));
    expect(held.map(({ requestId, projectId }) => [requestId, projectId])).toEqual([["job-1", target]]);
  },
);

test("a job that the network made beside it goes under the project that its charge was moved to", async () => {
  const rows = await openRows();
  const where = { rows, accountId: ACCOUNT, nowMs: () => 1_000 };
  await addIntent(where, makeIntent({ intentId: "intent-1", projectId: "first" }), new Set());
  await record(where, "intent-1", { kind: "job-known", jobs: [job], how: "answered" });
  const [charge] = await readAll(rows, ledgerRows, ACCOUNT);
  if (!charge) throw new Error("The ledger has no charge");
  await moveLine(ACCOUNT, charge, "harbour");
  const twin = { ...job, requestId: "job-2" };
  await record(where, "intent-1", { kind: "audited", extraJobs: [twin], isLast: true, ofJob: "job-1" });
  const lines = await readAll(rows, ledgerRows, ACCOUNT);
  expect(lines.map(({ kind, projectId }) => [kind, projectId])).toEqual([
    ["charged", "harbour"],
    ["possible-duplicate", "harbour"],
  ]);
  expect(await reservedFor()).toEqual(["harbour", "harbour"]);
});

test("what two audits find after a refusal goes under the project that the refusal was moved to", async () => {
  const rows = await openRows();
  const where = { rows, accountId: ACCOUNT, nowMs: () => 1_000 };
  await addIntent(where, makeIntent({ intentId: "intent-1", projectId: "first", bodyKind: "plain" }), new Set());
  await record(where, "intent-1", { kind: "refused", refusal: { status: 400, message: "No." } });
  const [refusal] = await readAll(rows, ledgerRows, ACCOUNT);
  if (!refusal) throw new Error("The ledger has no refusal");
  await moveLine(ACCOUNT, refusal, "harbour");
  for (const [index, isLast] of [false, true].entries()) {
    const extraJobs = [{ ...job, requestId: `job-${index}` }];
    await record(where, "intent-1", { kind: "audited", extraJobs, isLast });
  }
  const lines = await readAll(rows, ledgerRows, ACCOUNT);
  expect(lines.map(({ requestId, projectId }) => [requestId, projectId])).toEqual([
    ["job-0", "harbour"],
    ["job-1", "harbour"],
  ]);
  expect(await reservedFor()).toEqual(["harbour", "harbour"]);
});
