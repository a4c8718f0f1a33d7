import { expect, test } from "vitest";
import { readJob } from "#api/jobs.ts";
import { intentChange, record } from "#jobs/submit/outbox.ts";
import { ledgerRows } from "#ledger/ledger.ts";
import { createMemoryRows } from "#storage/rows.ts";
import { readAll } from "#storage/typed-rows.ts";
import { makeIntent } from "../../setup/make-intent.ts";

const job = (id: string) => readJob({ request_id: id, model: "lumen-2", status: "queued" });

test("an audit takes no job that another tab got as the answer to its own intent meanwhile", async () => {
  const rows = createMemoryRows();
  const where = { accountId: "key", rows, nowMs: () => 200_000 };
  const first = makeIntent({ intentId: "first", state: "accepted", requestIds: ["job-1"], auditDueAtMs: 100_000 });
  await rows.edit({ store: "outbox", key: "first" }, () => ({
    changes: [intentChange("key", first), intentChange("key", makeIntent({ intentId: "second" }))],
    result: undefined,
  }));
  // The audit has read the list by now, with both of them, and what other intents had.
  await record(where, "second", { kind: "job-known", jobs: [job("job-2")], how: "answered" });
  await record(where, "first", { kind: "audited", besides: [job("job-2"), job("job-3")], isLast: true });
  const lines = await readAll(rows, ledgerRows, "key");
  expect(lines.map(({ requestId, intentId, kind }) => ({ requestId, intentId, kind }))).toEqual([
    { requestId: "job-2", intentId: "second", kind: "charged" },
    { requestId: "job-3", intentId: "first", kind: "possible-duplicate" },
  ]);
});
