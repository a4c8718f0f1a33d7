import { describe, expect, test } from "vitest";
import { batchKey, batchRows } from "#jobs/stored-batches.ts";
import type { SubmitEffects } from "#jobs/submit/effects.ts";
import { outboxChange } from "#jobs/submit/outbox.ts";
import { outboxRows } from "#jobs/submit/outbox-rows.ts";
import { pruneOutbox } from "#jobs/submit/recovery.ts";
import type { OutboxRow } from "#jobs/submit/submit-state.ts";
import { createMemoryRows } from "#storage/rows.ts";
import { putChange, readAll } from "#storage/typed-rows.ts";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { outboxRow } from "../../setup/outbox-row.ts";

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;

const sent = (intentId: string, changes: Partial<OutboxRow>) =>
  outboxRow({
    intentId,
    request: { model: intentId, payload: { prompt: "a lamp" } },
    state: "accepted",
    sentAtMs: NOW - 40 * DAY_MS,
    baseline: ["before"],
    how: "answered",
    settledAtMs: NOW,
    ...changes,
  });

async function prune(rows: OutboxRow[], inBatch: string[] = []) {
  const store = createMemoryRows();
  const [intentId = "", ...earlierIntentIds] = inBatch;
  const [item] = agreedBatch("b", [{ model: "m", payload: {} }], 1).items;
  const items = item && inBatch.length > 0 ? [{ ...item, intentId, earlierIntentIds }] : [];
  const batch = putChange(batchRows, "key", batchKey("key", "b"), { ...agreedBatch("b", [], 1), items });
  const changes = [batch, ...rows.map((row) => outboxChange("key", row))];
  await store.edit({ store: "outbox", key: "", also: ["batches"] }, () => ({ changes, result: undefined }));
  await pruneOutbox({ accountId: "key", rows: store, nowMs: () => NOW } as SubmitEffects);
  return new Map((await readAll(store, outboxRows, "key")).map((row) => [row.intentId, row.baseline]));
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
