import { expect, test } from "vitest";
import { readReservations, reservationsKey } from "#runs/ledger/spend-limits.ts";
import type { Intent } from "#runs/rules/intent.ts";
import {
  addIntent,
  baselineKey,
  baselineRows,
  noteRowsLost,
  readBaseline,
  readIntent,
  record,
  restoreOpenIntents,
} from "#runs/submit/outbox.ts";
import { createMemoryRows, type RowStore } from "#storage/rows.ts";
import { readOne } from "#storage/typed-rows.ts";
import { makeIntent } from "../../setup/make-intent.ts";

/** One database, as two pages have it open: what a page remembers of it is its own. */
function twoPages() {
  let rows = createMemoryRows();
  const page = (): RowStore => ({
    get: (store, key) => rows.get(store, key),
    all: (store, accountId) => rows.all(store, accountId),
    edit: (target, decide) => rows.edit(target, decide),
  });
  const where = () => ({ accountId: "key", rows: page(), nowMs: () => 1_000 });
  const lose = () => {
    rows = createMemoryRows();
  };
  return { first: where(), second: where(), lose };
}
const INTENT = makeIntent({ intentId: "i" });
const idsOf = async (where: ReturnType<typeof twoPages>["first"]) => {
  const intent = (await readIntent(where, "i")) as Intent;
  return [...(await readBaseline(where, intent)).ids];
};
const storedIds = async ({ rows }: { rows: RowStore }) => (await readOne(rows, baselineRows, baselineKey("i")))?.ids;

test("a run that never left, and that another tab sends again under its id, is compared with the list of then", async () => {
  const { first, second } = twoPages();
  await addIntent(first, INTENT, new Set(["job-1"]));
  expect(await idsOf(first)).toEqual(["job-1"]);
  await record(second, "i", { kind: "never-left" });
  await addIntent(second, INTENT, new Set(["job-1", "job-2"]));
  expect(await idsOf(first)).toEqual(["job-1", "job-2"]);
  await record(first, "i", { kind: "answer-lost" });
  expect(await idsOf(first)).toEqual(["job-1", "job-2"]);
});

test("a lost database gets back the list of then, and not that of an attempt before", async () => {
  const { first, second, lose } = twoPages();
  await addIntent(first, INTENT, new Set(["job-1"]));
  await record(second, "i", { kind: "never-left" });
  await addIntent(second, INTENT, new Set(["job-1", "job-2"]));
  await record(first, "i", { kind: "answer-lost" });
  await idsOf(first);
  lose();
  noteRowsLost(first);
  await restoreOpenIntents(first);
  expect(await storedIds(first)).toEqual(new Set(["job-1", "job-2"]));
});

test("an intent that is moved on from memory is reserved again, though its state stays", async () => {
  const { first, lose } = twoPages();
  const reserved = async () => {
    const stored = await first.rows.get("settings", reservationsKey(first.accountId));
    return readReservations(stored).map(({ intentId }) => intentId);
  };
  await addIntent(first, INTENT, new Set(["job-1"]));
  await record(first, "i", { kind: "answer-lost" });
  expect(await reserved()).toEqual(["i"]);
  lose();
  noteRowsLost(first);
  expect(await reserved()).toEqual([]);
  await record(first, "i", { kind: "polled", seen: "unconfirmed", goodPolls: 1, waitedMs: 1 });
  expect(await reserved()).toEqual(["i"]);
});

test("a lost database gets the list back from the page that has it, though another one has written the row again", async () => {
  const { first, second, lose } = twoPages();
  await addIntent(first, INTENT, new Set(["job-1"]));
  await record(first, "i", { kind: "answer-lost" });
  // The list cannot be read by the other page, which knows of the row alone.
  const blind: RowStore = {
    ...second.rows,
    edit: (target, decide) =>
      second.rows.edit(target, (current, reads) =>
        decide(
          current,
          reads.map((row) => (row?.key === baselineKey("i") ? undefined : row)),
        ),
      ),
  };
  const other = { ...second, rows: blind };
  await record(other, "i", { kind: "polled", seen: "unconfirmed", goodPolls: 1, waitedMs: 5_000 });
  lose();
  for (const where of [other, first]) {
    noteRowsLost(where);
    await restoreOpenIntents(where);
  }
  expect(await readIntent(first, "i")).toMatchObject({ state: "unconfirmed", goodPolls: 1 });
  expect(await storedIds(first)).toEqual(new Set(["job-1"]));
});
