import { expect, test } from "vitest";
import { readJob } from "#api/jobs.ts";
import { ledgerRows } from "#runs/ledger/ledger.ts";
import { intentChange, record } from "#runs/submit/outbox.ts";
import { createMemoryRows } from "#storage/rows.ts";
import { readAll } from "#storage/typed-rows.ts";
import { makeIntent } from "../../setup/make-intent.ts";
import { PRICE } from "../../simulation/sim-settings.ts";
import { openStory } from "./sim-story.ts";

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
  await record(where, "first", { kind: "audited", extraJobs: [job("job-2"), job("job-3")], isLast: true });
  const lines = await readAll(rows, ledgerRows, "key");
  expect(lines.map(({ requestId, intentId, kind }) => ({ requestId, intentId, kind }))).toEqual([
    { requestId: "job-2", intentId: "second", kind: "charged" },
    { requestId: "job-3", intentId: "first", kind: "possible-duplicate" },
  ]);
});

test("a run that is settled while the last audit reads the list is audited in its turn", async () => {
  const { world, tab, press, pass, outbox } = openStory({ models: 2 });
  press();
  await pass(119);
  const { network } = world.browser;
  const { list } = network;
  let answer = () => {};
  network.list = (params, back) => {
    if (params.model_id !== "model-0") return list(params, back);
    answer = () => list(params, back);
  };
  await pass(3);
  void tab.submissions.submit({ model: "model-1", payload: { prompt: "a lamp" } }, PRICE);
  await pass(5);
  const areDue = async () => (await outbox()).map(({ auditDueAtMs }) => auditDueAtMs !== undefined);
  expect(await areDue()).toEqual([true, true]);
  answer();
  network.list = list;
  await pass(3);
  expect((await areDue()).filter(Boolean)).toHaveLength(1);
  await pass(120);
  expect(await areDue()).toEqual([false, false]);
});
