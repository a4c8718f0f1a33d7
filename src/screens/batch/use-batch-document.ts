import { useEffect, useMemo, useRef, useState } from "react";
import { type BatchPlace, editBatch } from "#jobs/batch/batch-edits.ts";
import type { ItemView } from "#jobs/batch/batch-runner.ts";
import { useBatch } from "#jobs/batch/use-batches.ts";
import { useRowPrices } from "#jobs/price/use-row-prices.ts";
import type { Batch } from "#jobs/stored-batches.ts";
import { useModelSchemas } from "#jobs/use-model-schemas.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { StorageError } from "#storage/rows.ts";
import { toast } from "#ui/toast.tsx";
import type { BatchDocument } from "./batch-document.ts";
import { useRowProblems } from "./use-row-problems.ts";

const NO_BATCH = { document: undefined };
const NO_ITEMS: readonly ItemView[] = [];

/**
 * The batch of an address, with its prices and problems. `document` is undefined while it is read (`isRead` is false), and
 * where this browser has no such batch.
 */
export function useBatchDocumentOf(id: string | undefined): { document: BatchDocument | undefined; isRead: boolean } {
  const { view, isRead, where } = useBatch(id);
  const jobs = useTrackedJobs();
  const [pending, edit] = usePendingEdits(id, where, view?.batch);
  const shown = useMemo(() => withEdits(view, pending), [view, pending]);
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
  return { document: { ...shown, schemas, prices, problems, unchecked, jobs: jobsById, edit }, isRead };
}

type Change = (batch: Batch) => Batch;

/** Edits that are shown and not stored yet, in their order, and the way to make one. */
function usePendingEdits(
  id: string | undefined,
  where: BatchPlace,
  stored: Batch | undefined,
): [pending: readonly Change[], edit: (change: Change) => void] {
  const [pending, setPending] = useState<readonly Change[]>([]);
  const written = useRef(new Set<Change>());
  const queue = useRef(Promise.resolve());
  // What was written is shown by what is stored from the next reading on.
  useEffect(() => {
    if (stored === undefined) return;
    setPending((all) => all.filter((change) => !written.current.delete(change)));
  }, [stored]);
  function edit(change: Change) {
    if (id === undefined) return;
    setPending((all) => [...all, change]);
    queue.current = queue.current
      .then(() => editBatch(where, id, change))
      .then(
        () => void written.current.add(change),
        (error: unknown) => {
          setPending((all) => all.filter((one) => one !== change));
          const body = error instanceof StorageError || error instanceof Error ? error.message : "Try again.";
          toast({ title: "The change was not saved", body, tone: "error" });
        },
      );
  }
  return [pending, edit];
}

type View = ReturnType<typeof useBatch>["view"];

function withEdits(view: View, pending: readonly Change[]): View {
  if (!view || pending.length === 0) return view;
  const batch = pending.reduce((now, change) => change(now), view.batch);
  if (batch === view.batch) return view;
  const known = new Map(view.items.map((one) => [one.item, one]));
  const states = new Map(view.items.map((one) => [one.item.id, one.state]));
  const items = batch.items.map(
    (item) => known.get(item) ?? { item, state: states.get(item.id) ?? ({ kind: "draft" } as const) },
  );
  return { ...view, batch, items };
}
