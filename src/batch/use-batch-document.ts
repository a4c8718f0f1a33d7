import { useEffect, useMemo, useRef, useState } from "react";
import { rowProblems } from "#batch/rows/row-problems.ts";
import { type BatchPlace, editBatch } from "#batch/runner/batch-edits.ts";
import { shareBatch } from "#batch/runner/batch-views.ts";
import { batchSums, type ItemView } from "#batch/runner/item-states.ts";
import { useBatch } from "#batch/runner/use-batches.ts";
import { useRowPrices } from "#runs/prices/use-row-prices.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { type ModelSchemas, useModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { toast } from "#ui/toast-store.ts";
import type { BatchDocument } from "./batch-document.ts";

const NO_BATCH = { document: undefined };
const NO_ITEMS: readonly ItemView[] = [];

/**
 * The batch of an address, with its prices and problems. `document` is undefined while it is read (`isRead` is false), and
 * where this browser has no such batch.
 */
export function useBatchDocumentById(id: string | undefined): { document: BatchDocument | undefined; isRead: boolean } {
  const { view, isRead, where } = useBatch(id);
  const jobs = useTrackedJobs();
  const [edits, edit] = useEdits(id, where);
  const shown = useMemo(() => withEdits(view, edits), [view, edits]);
  const batch = shown?.batch;
  const models = useMemo(
    () =>
      batch
        ? [
            ...batch.groups.flatMap(({ axes }) => axes?.models ?? []),
            ...batch.items.map(({ request }) => request.model),
          ]
        : [],
    [batch],
  );
  const schemas = useModelSchemas(models);
  const { problems, unchecked } = useRowProblems(shown?.items ?? NO_ITEMS, schemas);
  const priced = useMemo(
    () =>
      (shown?.items ?? NO_ITEMS)
        .filter(({ item, state }) => state.kind === "draft" && !problems.has(item.id) && !unchecked.has(item.id))
        .map(({ item }) => item.request),
    [shown, problems, unchecked],
  );
  const prices = useRowPrices(priced, schemas);
  const jobsById = useMemo(() => new Map(jobs.map((job) => [job.requestId, job])), [jobs]);
  if (!shown) return { ...NO_BATCH, isRead };
  const isSaving = edits.pending.length > 0;
  return { document: { ...shown, schemas, prices, problems, unchecked, jobs: jobsById, isSaving, edit }, isRead };
}

type Change = (batch: Batch) => Batch;

interface Edits {
  /** Edits that are shown and not stored yet, in their order. */
  pending: readonly Change[];
  /** What the last one of them was stored as: it may be newer than what was read last. */
  written: Batch | undefined;
}

/** The edits of the screen, and the way to make one. */
function useEdits(id: string | undefined, where: BatchPlace): [edits: Edits, edit: (change: Change) => void] {
  const [edits, setEdits] = useState<Edits>({ pending: [], written: undefined });
  const queue = useRef(Promise.resolve());
  function edit(change: Change) {
    if (id === undefined) return;
    // In one step, so that no edit is shown twice or not at all.
    const end = (result: Batch | undefined) =>
      setEdits(({ pending, written }) => ({
        pending: pending.filter((one) => one !== change),
        written: result ?? written,
      }));
    setEdits(({ pending, written }) => ({ pending: [...pending, change], written }));
    queue.current = queue.current
      .then(() => editBatch(where, id, change))
      .then(end, (error: unknown) => {
        end(undefined);
        const body = error instanceof Error ? error.message : "Try again.";
        const action = { label: "Try again", onAct: () => edit(change) };
        toast({ title: "The change was not saved", body, tone: "error", action });
      });
  }
  return [edits, edit];
}

type View = ReturnType<typeof useBatch>["view"];

function withEdits(view: View, { pending, written }: Edits): View {
  if (!view) return view;
  const isNewer = written?.id === view.batch.id && (written.revision ?? 0) > (view.batch.revision ?? 0);
  // What was written is another object for each row, also for those that are as they were.
  const base = isNewer ? shareBatch(view.batch, written) : view.batch;
  const batch = pending.reduce((now, change) => change(now), base);
  if (batch === view.batch) return view;
  const known = new Map(view.items.map((one) => [one.item, one]));
  const states = new Map(view.items.map((one) => [one.item.id, one.state]));
  const items = batch.items.map(
    (item) => known.get(item) ?? { item, state: states.get(item.id) ?? ({ kind: "draft" } as const) },
  );
  return { ...view, batch, items, sums: batchSums(items, batch.rules) };
}

/** Rows are checked for so long, ms, before a frame may be drawn. */
const SLICE_MS = 8;

interface RowProblems {
  problems: ReadonlyMap<string, readonly string[]>;
  /** Drafts that are still to be checked: they are not ready. */
  unchecked: ReadonlySet<string>;
}

/**
 * Why drafts are not ready. A few rows are checked at once; where thousands change together, in slices between frames, so that
 * typing stays smooth.
 */
function useRowProblems(items: readonly ItemView[], schemas: ModelSchemas): RowProblems {
  const work = useMemo(() => startWork(items, schemas), [items, schemas]);
  const [slices, setSlices] = useState(0);
  const result = useMemo((): RowProblems => {
    // Read for its change alone: a slice has gone on with the work.
    void slices;
    const left = work.items.slice(work.next).map(({ item }) => item.id);
    return { problems: new Map(work.problems), unchecked: new Set(left) };
  }, [work, slices]);
  const isWhole = result.unchecked.size === 0;
  // One slice after each drawing.
  useEffect(() => {
    if (isWhole) return;
    const timer = setTimeout(() => {
      goOn(work, schemas);
      setSlices((count) => count + 1);
    });
    return () => clearTimeout(timer);
  });
  return result;
}

interface Work {
  items: readonly ItemView[];
  next: number;
  problems: Map<string, readonly string[]>;
}

function startWork(all: readonly ItemView[], schemas: ModelSchemas): Work {
  const work: Work = { items: all.filter(({ state }) => state.kind === "draft"), next: 0, problems: new Map() };
  goOn(work, schemas);
  return work;
}

/** What was found before of a row that did not change takes no time. */
function goOn(work: Work, schemas: ModelSchemas): void {
  const endMs = performance.now() + SLICE_MS;
  while (work.next < work.items.length) {
    const item = work.items[work.next]?.item;
    work.next += 1;
    const sentences = item ? rowProblems(item, schemas) : [];
    if (item && sentences.length > 0) work.problems.set(item.id, sentences);
    if (work.next % 16 === 0 && performance.now() > endMs) return;
  }
}
