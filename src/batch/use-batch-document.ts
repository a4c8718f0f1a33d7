import { useMemo, useRef, useState } from "react";
import { type BatchPlace, editBatch } from "#batch/runner/batch-edits.ts";
import { shareBatch } from "#batch/runner/batch-views.ts";
import type { ItemView } from "#batch/runner/item-states.ts";
import { batchSums } from "#batch/runner/item-states.ts";
import { useBatch } from "#batch/runner/use-batches.ts";
import { useRowPrices } from "#runs/prices/use-row-prices.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { useModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { toast } from "#ui/toast-store.ts";
import type { BatchDocument } from "./batch-document.ts";
import { useRowProblems } from "./use-row-problems.ts";

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
