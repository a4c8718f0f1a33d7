import { describe, expect, test } from "vitest";
import { newItem } from "#batch/rows/group-runs.ts";
import { newBatch } from "#batch/runner/batch-edits.ts";
import type { StoredRow } from "#storage/rows.ts";
import { type Batch, type BatchRules, batchRows } from "#storage/stored-batches.ts";

const read = (body: unknown, v = batchRows.version) =>
  batchRows.read(body, { key: "key|1", scope: "key", v, body } satisfies StoredRow);

const REQUEST = { model: "lumen", payload: { prompt: "a lamp" } };

describe("stored batches", () => {
  test("of version 1 are read: every run was agreed to, and one number was all the rules", () => {
    const items = ["a", "b"].map((intentId) => ({ intentId, request: REQUEST, priceMicroUsd: 5 }));
    const batch = read({ id: "1", createdAtMs: 2, concurrency: 3, items, projectId: "p" }, 1);
    expect(batch).toEqual({
      id: "1",
      name: "",
      createdAtMs: 2,
      groups: [{ id: "1", name: "Runs", kind: "runs" }],
      items: items.map((item) => ({ ...item, id: item.intentId, groupId: "1" })),
      rules: { parallel: 3, parallelOf: {}, order: "rows", retries: 0 },
      projectId: "p",
    });
    // It is written as it is read from then on.
    expect(read(batch)).toEqual(batch);
  });

  test("are read as they were written", () => {
    const batch: Batch = newBatch("Lamps", {
      groups: [
        {
          id: "g",
          name: "Axes",
          kind: "axes",
          axes: { models: ["lumen"], settings: {}, parameters: [{ key: "size", values: [1, "2"] }], way: "zip" },
        },
      ],
      items: [
        newItem(REQUEST, "g", { unavailable: ["Seed"], isEdited: true, source: { itemId: "x", use: "last-frame" } }),
        newItem(REQUEST, "g", { priceMicroUsd: 4, earlierIntentIds: ["old"], isRejected: true }),
      ],
      // Every rule, so that one that the reader forgets is missing afterwards.
      rules: {
        parallel: 4,
        parallelOf: { lumen: 2 },
        order: "cheapest",
        retries: 1,
        stopAfterFailures: 3,
        stopAtMicroUsd: 9,
        stopAtStar: true,
      } satisfies Required<BatchRules>,
      isDismissed: true,
    });
    expect(read(structuredClone(batch))).toEqual(batch);
  });

  test("with a run that cannot be read are not read at all, and odd rules are as in a new batch", () => {
    const item = newItem(REQUEST, "g");
    expect(read({ id: "1", createdAtMs: 1, items: [item, { ...item, priceMicroUsd: -1 }] })).toBeUndefined();
    expect(read({ id: "1", createdAtMs: 1, items: [item, { ...item, intentId: 5 }] })).toBeUndefined();
    const rules = { parallel: 1e9, order: "random", retries: -4, stopAtMicroUsd: 0.5, parallelOf: { lumen: "2" } };
    expect(read({ id: "1", createdAtMs: 1, items: [item], rules })?.rules).toEqual({
      parallel: 16,
      parallelOf: {},
      order: "rows",
      retries: 0,
    });
  });
});
