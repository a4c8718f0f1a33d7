import { describe, expect, test } from "vitest";
import { batchSums, createBatchViews, indexSent } from "#batch/runner/batch-views.ts";
import { getDeletedMedia } from "#media/deleted-media.ts";
import type { IntentState } from "#runs/rules/intent.ts";
import { newRecord } from "#storage/job-records.ts";
import { type Batch, DEFAULT_RULES } from "#storage/stored-batches.ts";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { makeIntent } from "../../setup/make-intent.ts";

const requests = Array.from({ length: 6 }, (_, index) => ({ model: "lumen", payload: { prompt: `number ${index}` } }));
const deleted = getDeletedMedia("key");

const row = (intentId: string, state: IntentState, requestIds: string[] = []) =>
  makeIntent({ intentId, state, priceMicroUsd: 5, requestIds });
const record = (requestId: string, status: string) =>
  newRecord({ requestId, status, priceMicroUsd: 5, submittedAtMs: 0, origin: "answered" });

/** As it is read from the database again: other objects that say the same. */
const again = <T>(value: T): T => structuredClone(value);

describe("the views of batches", () => {
  const stored: Batch = agreedBatch("1", requests, 7);
  const job = record("j", "queued");

  test("are the same objects, down to a run, as long as nothing of them changes", () => {
    const views = createBatchViews();
    const other = agreedBatch("2", requests, 7);
    const outbox = [row("1-0", "accepted", ["j"])];
    const [first, second] = views({ batches: [stored, other], sent: indexSent(outbox, [job]), deleted });
    const now = views({ batches: again([stored, other]), sent: indexSent(again(outbox), [again(job)]), deleted });
    expect(now[0]).toBe(first);
    expect(now[1]).toBe(second);

    // One run changes its state: the others stay.
    const sent = [...again(outbox), row("1-2", "sending")];
    const [third, fourth] = views({ batches: again([stored, other]), sent: indexSent(sent, [job]), deleted });
    expect(fourth).toBe(second);
    expect(third).not.toBe(first);
    expect(third?.batch).toBe(first?.batch);
    expect(third?.items.map((view, index) => view === first?.items[index])).toEqual([
      true,
      true,
      false,
      true,
      true,
      true,
    ]);

    // One run is edited, one goes, one comes.
    const edited = again(stored);
    const items = edited.items.map((item, index) => (index === 4 ? { ...item, isRejected: true as const } : item));
    const next = {
      ...edited,
      items: [...items.slice(1), { ...items[5], id: "new", intentId: "new" } as (typeof items)[0]],
    };
    const [fifth] = views({ batches: [next], sent: indexSent(sent, [job]), deleted });
    expect(fifth?.items.map((view) => third?.items.includes(view))).toEqual([true, true, true, false, true, false]);
    expect(fifth?.batch.groups).toBe(first?.batch.groups);
  });

  test("tell what every attempt came to", () => {
    const [item, ...rest] = stored.items;
    const retried = { ...stored, items: [{ ...item, earlierIntentIds: ["old"] } as typeof item, ...rest] } as Batch;
    const outbox = [
      row("old", "accepted", ["f"]),
      row("1-0", "accepted", ["j", "twin"]),
      row("1-1", "unconfirmed"),
      row("1-2", "sending"),
      row("1-3", "rejected"),
      row("1-4", "not-sent"),
    ];
    const tracked = [job, { ...job, requestId: "f", status: "failed" }];
    const [view] = createBatchViews()({ batches: [retried], sent: indexSent(outbox, tracked), deleted });
    expect(view?.items.map(({ state }) => state.kind)).toEqual([
      "sent",
      "unconfirmed",
      "sending",
      "refused",
      "waiting",
      "waiting",
    ]);
    expect(view?.sums).toEqual({
      drafts: 0,
      waiting: 2,
      submitted: 1,
      done: 0,
      failed: 1,
      retried: 0,
      waitingMicroUsd: 14,
      chargedMicroUsd: 10,
      refundedMicroUsd: 5,
      unconfirmed: 1,
      unconfirmedMicroUsd: 5,
      duplicateMicroUsd: 5,
      isOver: false,
    });
  });

  test("a draft counts as one, and is sent where it was sent", () => {
    const items = stored.items.map(({ priceMicroUsd: _, ...item }) => item);
    const [view] = createBatchViews()({
      batches: [{ ...stored, items }],
      sent: indexSent([row("1-0", "accepted", ["j"])], [{ ...job, status: "success" }]),
      deleted,
    });
    expect(view?.sums).toMatchObject({ drafts: 5, submitted: 1, done: 1, waiting: 0, isOver: true });
  });

  test("a failed run that the rules submit anew is not over", () => {
    const outbox = stored.items.map(({ intentId }) => row(intentId, "accepted", [intentId]));
    const tracked = stored.items.map(({ intentId }) => record(intentId, "failed"));
    const views = (retries: number) =>
      createBatchViews()({
        batches: [{ ...stored, rules: { ...DEFAULT_RULES, retries } }],
        sent: indexSent(outbox, tracked),
        deleted,
      })[0];
    expect(views(0)?.sums).toMatchObject({ failed: 6, retried: 0, isOver: true });
    expect(views(1)?.sums).toMatchObject({ failed: 6, retried: 6, waitingMicroUsd: 42, isOver: false });
    expect(batchSums(views(1)?.items ?? [])).toMatchObject({ retried: 0, isOver: true });
    for (const job of tracked) job.status = "cancelled";
    expect(views(1)?.sums).toMatchObject({ retried: 0, isOver: true });
  });
});
