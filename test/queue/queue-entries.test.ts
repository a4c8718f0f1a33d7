import { describe, expect, it } from "vitest";
import { agreedRuns, batchSums, type ItemState } from "#batch/runner/batch-views.ts";
import type { BatchView } from "#batch/runner/use-batches.ts";
import type { Upload } from "#media/upload/upload-store.ts";
import { queueEntries } from "#queue/queue-entries.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import type { Run } from "#runs/submit/submissions.ts";
import { newRecord, type TrackedJob } from "#storage/job-records.ts";
import { agreedBatch } from "../setup/agreed-batch.ts";

const job = (requestId: string, atMs: number, more: Partial<TrackedJob> = {}): TrackedJob => ({
  ...newRecord({ requestId, model: "lumen", priceMicroUsd: 1, origin: "answered", submittedAtMs: atMs }),
  ...more,
});
const done = (requestId: string, finishedAtMs: number, more: Partial<TrackedJob> = {}) =>
  job(requestId, finishedAtMs - 1, { status: "success", finishedAtMs, ...more });

function batch(id: string, createdAtMs: number, states: readonly ItemState[]): BatchView {
  const requests = states.map(() => ({ model: "lumen", payload: {} }));
  const stored = { ...agreedBatch(id, requests, 5), createdAtMs };
  const items = stored.items.map((item, index) => ({ item, state: states[index] ?? { kind: "waiting" } }) as const);
  return {
    items,
    run: { phase: "paused", reason: undefined },
    sums: batchSums(items),
    batch: stored,
  };
}
const sent = (requestId: string, status: string): ItemState => ({
  kind: "sent",
  requestId,
  status,
  isRunning: status === "queued",
});
const upload: Upload = {
  id: "u",
  accountId: "a",
  modelId: "lumen",
  label: "Image",
  name: "x.png",
  file: new File(["x"], "x.png"),
  hasField: true,
  state: { phase: "waiting" },
};

const runIn = (state: SubmitState, intentId: string, model = "lumen"): Run => ({
  id: 1,
  intentId,
  request: { model, payload: {} },
  priceMicroUsd: 5,
  isOfBatch: false,
  isShown: true,
  state,
});

const NOTHING = {
  tracked: [],
  runs: [],
  batches: [],
  uploads: [],
  seen: new Set<string>(),
  shownId: undefined,
  sinceMs: 100,
};
const keys = (sources: Partial<Parameters<typeof queueEntries>[0]>) =>
  queueEntries({ ...NOTHING, ...sources }).entries.map(({ key }) => key);

describe("the queue", () => {
  it("keeps its order while jobs finish: newest first, then uploads", () => {
    const tracked = [job("c", 300), job("b", 200), job("a", 100)];
    const batches = [batch("batch", 250, [{ kind: "waiting" }])];
    expect(keys({ tracked, batches, uploads: [upload] })).toEqual(["c", "batch", "b", "a", "u"]);
    const later = [job("c", 300), { ...job("b", 200), status: "success", finishedAtMs: 400 }, job("a", 100)];
    expect(keys({ tracked: later, batches, uploads: [upload] })).toEqual(["c", "batch", "b", "a", "u"]);
  });

  it("keeps what has just finished until it was seen, or ten others came", () => {
    const tracked = Array.from({ length: 12 }, (_, index) => done(`${index}`, 1000 - index));
    expect(keys({ tracked })).toHaveLength(10);
    expect(keys({ tracked, seen: new Set(["0"]) })).not.toContain("0");
    expect(keys({ tracked, seen: new Set(["0"]), shownId: "0" })).toContain("0");
  });

  it("lists nothing that finished before the page was opened, or that was imported", () => {
    expect(keys({ tracked: [done("old", 99), done("import", 500, { origin: "imported" })] })).toEqual([]);
  });

  it("has the jobs of a batch inside it, and counts it once until it is over", () => {
    const tracked = [job("a", 300), job("b", 200)];
    const running = [batch("batch", 250, [sent("a", "queued"), { kind: "waiting" }])];
    const first = queueEntries({ ...NOTHING, tracked, batches: running });
    expect(first.entries.map(({ key }) => key)).toEqual(["batch", "b"]);
    expect(first.unfinished).toBe(2);
    const over = [
      batch("batch", 250, [sent("a", "success"), { kind: "refused", refusal: { status: 400, message: "" } }]),
    ];
    expect(queueEntries({ ...NOTHING, tracked, batches: over }).unfinished).toBe(1);
    expect(over[0]?.sums).toMatchObject({ submitted: 1, done: 1, failed: 1, isOver: true });
  });

  it("has what was tried before, and what has no job, of a batch inside it as well", () => {
    const [item] = batch("batch", 250, [sent("b", "success")]).items;
    const view = batch("batch", 250, [sent("b", "success"), { kind: "absent" }]);
    const items = view.items.map((one) => (one.item.id === item?.item.id ? { ...one, earlierJobs: ["a"] } : one));
    expect(keys({ batches: [{ ...view, items }], tracked: [done("a", 400), done("b", 500)] })).toEqual(["batch"]);
    const open = {
      phase: "unconfirmed",
      intentId: "batch-1",
      sinceMs: 0,
      priceMicroUsd: 5,
      goodPolls: 5,
      pollFailed: false,
      refusal: undefined,
      waitLeftMs: 0,
      canSendAgain: true,
    } as const;
    expect(keys({ batches: [view], runs: [runIn(open, "batch-1")] })).toEqual(["batch"]);
    expect(keys({ batches: [view], runs: [runIn(open, "another")] })).toContain("submit lumen");
  });

  it("has only those runs of a batch that were agreed to, and no batch of drafts or one that was dismissed", () => {
    const states = [sent("a", "queued"), { kind: "draft" }, { kind: "waiting" }] as const;
    const { entries } = queueEntries({ ...NOTHING, batches: [batch("mixed", 250, states)] });
    expect(
      entries.map((entry) => entry.kind === "batch" && agreedRuns(entry.view).map(({ state }) => state.kind)),
    ).toEqual([["sent", "waiting"]]);
    expect(keys({ batches: [batch("drafts", 250, [{ kind: "draft" }])] })).toEqual([]);
    // What it has sent is no job of its own by that.
    const over = batch("over", 250, [sent("b", "success")]);
    const dismissed = { ...over, batch: { ...over.batch, isDismissed: true as const } };
    expect(keys({ batches: [dismissed], tracked: [done("b", 400)] })).toEqual([]);
  });

  it("lists twenty jobs, and says how many more there are", () => {
    const tracked = Array.from({ length: 25 }, (_, index) => job(`${index}`, 1000 - index));
    const { entries, more, unfinished } = queueEntries({ ...NOTHING, tracked });
    expect([entries.length, more, unfinished]).toEqual([20, 5, 25]);
  });

  it("shows a run without a reply until it has a job, but not beside its batch", () => {
    const sending = { phase: "sending", startedAtMs: 1, step: "sent" } as const;
    const runs = [runIn(sending, "batch-0"), runIn({ phase: "idle" }, "another", "halide")];
    expect(keys({ runs })).toEqual(["submit lumen"]);
    expect(keys({ runs, batches: [batch("batch", 1, [{ kind: "sending" }])] })).toEqual(["batch"]);
  });

  it("tells whether something runs by itself, and whether the page is needed for it", () => {
    const told = (sources: Partial<Parameters<typeof queueEntries>[0]>) => {
      const { isRunning, isSubmitting } = queueEntries({ ...NOTHING, ...sources });
      return [isRunning, isSubmitting];
    };
    const half = batch("half", 250, [sent("x", "queued"), { kind: "waiting" }]);
    expect(told({ tracked: [done("a", 200)] })).toEqual([false, false]);
    expect(told({ tracked: [job("a", 200)] })).toEqual([true, false]);
    expect(told({ batches: [batch("paused", 250, [sent("x", "success"), { kind: "waiting" }])] })).toEqual([
      false,
      false,
    ]);
    expect(told({ batches: [half] })).toEqual([true, false]);
    expect(told({ batches: [{ ...half, run: { phase: "running" } }] })).toEqual([true, true]);
  });
});
