import { describe, expect, test } from "vitest";
import type { Intent } from "#runs/rules/intent.ts";
import type { SubmitEffects } from "#runs/submit/effects.ts";
import { baselineChange, baselineKey, baselineRows, intentChange, intentRows } from "#runs/submit/outbox.ts";
import { pruneOutbox } from "#runs/submit/recovery.ts";
import { createMemoryRows } from "#storage/rows.ts";
import { batchKey, batchRows } from "#storage/stored-batches.ts";
import { putChange, readAll, readOne } from "#storage/typed-rows.ts";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { makeIntent } from "../../setup/make-intent.ts";

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;

const sent = (intentId: string, changes: Partial<Intent>) =>
  makeIntent({
    intentId,
    request: { model: intentId, payload: { prompt: "a lamp" } },
    state: "accepted",
    sentAtMs: NOW - 40 * DAY_MS,
    how: "answered",
    settledAtMs: NOW,
    ...changes,
  });

async function prune(rows: Intent[], inBatch: string[] = []) {
  const store = createMemoryRows();
  const [intentId = "", ...earlierIntentIds] = inBatch;
  const [item] = agreedBatch("b", [{ model: "m", payload: {} }], 1).items;
  const items = item && inBatch.length > 0 ? [{ ...item, intentId, earlierIntentIds }] : [];
  const batch = putChange(batchRows, "key", batchKey("key", "b"), { ...agreedBatch("b", [], 1), items });
  const lists = rows.map(({ intentId }) =>
    baselineChange("key", intentId, { ids: new Set(["before"]), afterSeconds: 0 }),
  );
  const changes = [batch, ...lists, ...rows.map((row) => intentChange("key", row))];
  await store.edit({ store: "outbox", key: "", also: ["batches"] }, () => ({ changes, result: undefined }));
  await pruneOutbox({ accountId: "key", rows: store, nowMs: () => NOW } as SubmitEffects);
  const left = new Map<string, string[]>();
  for (const { intentId } of await readAll(store, intentRows, "key")) {
    const list = await readOne(store, baselineRows, baselineKey(intentId));
    left.set(intentId, [...(list?.ids ?? [])]);
  }
  const stored = (await store.all("outbox")).map(({ key }) => key);
  expect(stored).toHaveLength(left.size + [...left.values()].filter((ids) => ids.length > 0).length);
  return left;
}

describe("pruning intents", () => {
  test("settled intents go after 30 days; open, unaudited and batched ones stay", async () => {
    const left = await prune(
      [
        sent("accepted", {}),
        sent("refused", { state: "rejected" }),
        sent("given up", { state: "absent", waitedMs: 15 * 60_000 }),
        sent("recent", { sentAtMs: NOW - DAY_MS }),
        sent("in a batch", {}),
        sent("retried in a batch", {}),
        sent("open", { state: "unconfirmed" }),
        sent("dead page", { state: "sending" }),
        sent("polled for", { state: "absent", waitedMs: 60_000 }),
        sent("to be audited", { auditDueAtMs: NOW + 1 }),
      ],
      ["in a batch", "retried in a batch"],
    );
    expect(Object.fromEntries(left)).toEqual({
      recent: [],
      "in a batch": [],
      "retried in a batch": [],
      open: ["before"],
      "dead page": ["before"],
      "polled for": ["before"],
      "to be audited": ["before"],
    });
  });

  test("the newest thousand of many stay", async () => {
    const rows = Array.from({ length: 1_150 }, (_, index) => sent(`intent-${index}`, { sentAtMs: NOW - index }));
    const left = await prune(rows);
    expect(left.size).toBe(1000);
    expect(left.has("intent-999")).toBe(true);
    expect(left.has("intent-1000")).toBe(false);
  });
});
