import { describe, expect, test } from "vitest";
import { newItem } from "#batch/rows/group-runs.ts";
import {
  addBatch,
  agreeToRun,
  BatchFullError,
  cancelWaiting,
  dismissBatch,
  editBatch,
  keepAgreed,
  newBatch,
  removeBatch,
  removeItem,
} from "#batch/runner/batch-edits.ts";
import { createMemoryRows, StorageError } from "#storage/rows.ts";
import { type Batch, type BatchItem, batchKey, batchRows, isAgreed, MAX_ITEMS } from "#storage/stored-batches.ts";
import { readOne } from "#storage/typed-rows.ts";
import fc from "../../setup/fc.ts";

const REQUEST = { model: "lumen", payload: { prompt: "a lamp" } };

/** A stored batch of two drafts and two runs that were agreed to. */
async function openBatch() {
  const where = { rows: createMemoryRows(), accountId: "key" };
  const item = (id: string, more: Partial<BatchItem> = {}) =>
    newItem(REQUEST, "g", { id, intentId: `i-${id}`, ...more });
  const stored = newBatch("Lamps", {
    groups: [{ id: "g", name: "Runs", kind: "runs" }],
    items: [
      item("a", { priceMicroUsd: 5 }),
      item("b"),
      item("c", { priceMicroUsd: 7, earlierIntentIds: ["i-old"] }),
      item("d"),
    ],
  });
  await addBatch(where, stored);
  const read = async () => {
    const batch = await readOne(where.rows, batchRows, batchKey("key", stored.id));
    if (!batch) throw new Error("The batch is gone.");
    return batch;
  };
  return { where, id: stored.id, stored, read };
}

describe("the table of a batch", () => {
  test("is edited, but for the runs that were agreed to", async () => {
    const { where, id, stored, read } = await openBatch();
    await editBatch(where, id, (batch) => ({
      ...batch,
      id: "another",
      name: "Lanterns",
      groups: [],
      items: batch.items.flatMap((item) =>
        item.id === "a" || item.id === "b"
          ? []
          : { ...item, request: { model: "halide", payload: {} }, isEdited: true },
      ),
    }));
    const now = await read();
    expect(now.name).toBe("Lanterns");
    expect(now.items.map(({ id }) => id)).toEqual(["a", "c", "d"]);
    expect(now.items[0]).toEqual(stored.items[0]);
    expect(now.items[1]).toMatchObject({ request: REQUEST, priceMicroUsd: 7, earlierIntentIds: ["i-old"] });
    expect(now.items[2]).toMatchObject({ request: { model: "halide" }, isEdited: true });
    // Runs that stay keep their group.
    expect(now.groups).toEqual(stored.groups);
  });

  test("lets results be rejected, and rows be moved, whatever their state", async () => {
    const { where, id, read } = await openBatch();
    await editBatch(where, id, (batch) => ({
      ...batch,
      items: batch.items.toReversed().map((item): BatchItem => ({ ...item, isRejected: true })),
    }));
    const { items } = await read();
    expect(items.map(({ id }) => id)).toEqual(["d", "c", "b", "a"]);
    expect(items.every(({ isRejected }) => isRejected)).toBe(true);
    expect(items.map(({ priceMicroUsd }) => priceMicroUsd)).toEqual([undefined, 7, undefined, 5]);
  });

  test("never makes a run an agreed one, and no copy shares an intent", async () => {
    const { where, id, read } = await openBatch();
    await editBatch(where, id, (batch) => ({
      ...batch,
      items: [
        ...batch.items.map((item) => ({ ...item, id: `copy of ${item.id}`, priceMicroUsd: 1 })),
        ...batch.items.map((item) => ({ ...item, priceMicroUsd: 1 })),
        ...batch.items,
      ],
    }));
    const { items } = await read();
    expect(items.filter(isAgreed).map(({ intentId, priceMicroUsd }) => [intentId, priceMicroUsd])).toEqual([
      ["i-a", 5],
      ["i-c", 7],
    ]);
    expect(new Set(items.map(({ intentId }) => intentId)).size).toBe(12);
    expect(new Set(items.map(({ id }) => id)).size).toBe(12);
    expect(items.find(({ id }) => id === "b")?.intentId).toBe("i-b");
  });

  test("takes at most so many rows, and says so", async () => {
    const { where, id, read } = await openBatch();
    const many = Array.from({ length: MAX_ITEMS }, () => newItem(REQUEST, "g"));
    const added = editBatch(where, id, (batch) => ({ ...batch, items: [...batch.items, ...many] }));
    await expect(added).rejects.toBeInstanceOf(BatchFullError);
    await expect(added).rejects.toThrow("Too many runs: 2,004. A batch can have up to 2,000. Nothing was changed.");
    await expect(addBatch(where, newBatch("", { items: [...many, newItem(REQUEST, "g")] }))).rejects.toThrow("2,001");
    expect((await read()).items).toHaveLength(4);
  });

  test("of a newer version is not touched", async () => {
    const { where, id, stored } = await openBatch();
    const row = { key: batchKey("key", id), scope: "key", v: batchRows.version + 1, body: { ...stored, more: true } };
    await where.rows.edit({ store: "batches", key: row.key }, () => ({
      changes: [{ kind: "put", store: "batches", row }],
      result: undefined,
    }));
    const acts = [
      () => editBatch(where, id, (batch) => ({ ...batch, name: "x" })),
      () => agreeToRun(where, id, new Map([["b", 1]])),
      () => cancelWaiting(where, id, new Set()),
      () => removeItem(where, id, "b"),
      () => dismissBatch(where, id),
      () => removeBatch(where, id),
    ];
    for (const act of acts) await expect(act()).rejects.toBeInstanceOf(StorageError);
    expect(await where.rows.get("batches", row.key)).toEqual(row);
  });

  test("whatever a change returns, agreed runs stay as they are", () => {
    const field = fc.record(
      { id: fc.constantFrom("a", "b", "c", "d", "e"), intentId: fc.constantFrom("i-a", "i-b", "i-c", "i-e", "i-old") },
      { requiredKeys: ["id", "intentId"] },
    );
    const items = fc.array(
      fc.tuple(field, fc.option(fc.nat(9), { nil: undefined }), fc.boolean()).map(
        ([ids, price, isOther]): BatchItem => ({
          ...ids,
          groupId: "g",
          request: isOther ? { model: "other", payload: {} } : REQUEST,
          ...(price === undefined ? {} : { priceMicroUsd: price }),
        }),
      ),
    );
    const unique = <T>(all: readonly T[]) => new Set(all).size === all.length;
    fc.assert(
      fc.property(items, items, (before, after) => {
        const distinct = before.filter(
          (item, at) =>
            before.findIndex(({ id }) => id === item.id) === at &&
            before.findIndex(({ intentId }) => intentId === item.intentId) === at,
        );
        const batch: Batch = newBatch("", { id: "1", items: distinct });
        const now = keepAgreed(batch, { ...batch, items: after });
        expect(now.items.filter(isAgreed).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
          distinct.filter(isAgreed).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        );
        expect(unique(now.items.map(({ id }) => id))).toBe(true);
        expect(unique(now.items.map(({ intentId }) => intentId))).toBe(true);
      }),
      { numRuns: Number(process.env.CASES ?? 300) },
    );
  });
});

describe("consent", () => {
  test("is to the exact price of drafts that are ready, and puts the batch into the queue again", async () => {
    const { where, id, read } = await openBatch();
    await dismissBatch(where, id);
    expect((await read()).isDismissed).toBe(true);
    await editBatch(where, id, (batch) => ({
      ...batch,
      items: batch.items.map((item) => (item.id === "d" ? { ...item, unavailable: ["Seed"] } : item)),
    }));
    const prices = new Map(["a", "b", "d"].map((itemId) => [itemId, 11]));
    await agreeToRun(where, id, prices);
    const { items, isDismissed } = await read();
    expect(items.map(({ priceMicroUsd }) => priceMicroUsd)).toEqual([5, 11, 7, undefined]);
    expect(isDismissed).toBeUndefined();
  });

  test("leaves a row that was changed after it was priced as a draft", async () => {
    const { where, id, read } = await openBatch();
    const priced = (await read()).items;
    await editBatch(where, id, (batch) => ({
      ...batch,
      items: batch.items.map((item) =>
        item.id === "b" ? { ...item, request: { ...item.request, payload: { prompt: "changed" } } } : item,
      ),
    }));
    await agreeToRun(where, id, new Map(["b", "d"].map((itemId) => [itemId, 11])), priced);
    expect((await read()).items.map(({ priceMicroUsd }) => priceMicroUsd)).toEqual([5, undefined, 7, 11]);
  });

  test("is taken back for what waits, or for some of it", async () => {
    const { where, id, read } = await openBatch();
    await cancelWaiting(where, id, new Set(["i-a"]), new Set(["a", "b"]));
    expect((await read()).items.filter(isAgreed).map(({ id }) => id)).toEqual(["a", "c"]);
    await cancelWaiting(where, id, new Set(), new Set(["a"]));
    expect((await read()).items.filter(isAgreed).map(({ id }) => id)).toEqual(["c"]);
    await cancelWaiting(where, id, new Set());
    const { items } = await read();
    expect(items.filter(isAgreed)).toEqual([]);
    // The attempts before are remembered.
    expect(items[2]?.earlierIntentIds).toEqual(["i-old"]);
  });
});
