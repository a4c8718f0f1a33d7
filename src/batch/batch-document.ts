// The batch that the screen shows: its rows with their prices and problems, its total, and the ways to change it.

import { useNavigate } from "@tanstack/react-router";
import { createContext, useContext, useEffect, useMemo, useRef, useState } from "react";
import { rowProblems } from "#batch/rows/row-problems.ts";
import { addBatch, BatchFullError, type BatchStorage, editBatch, newBatch } from "#batch/runner/batch-edits.ts";
import { batchSums, type ItemView, shareBatch } from "#batch/runner/batch-views.ts";
import { type BatchView, useBatch } from "#batch/runner/use-batches.ts";
import { useConnection } from "#connection/connection-store.ts";
import { refuseToSave } from "#connection/find-key.ts";
import type { MicroUsd } from "#lib/money.ts";
import { type RowPrices, useRowPrices } from "#runs/prices/row-prices.ts";
import { type ModelSchemas, useModelSchemas } from "#schema-form/use-model-schemas.ts";
import { browserRows } from "#storage/database.ts";
import type { Batch, BatchAxes, BatchItem, BatchRules } from "#storage/stored-batches.ts";
import { toast } from "#ui/toast-store.ts";

/** The batch of the screen, with everything that is computed from it. */
export interface BatchDocument extends BatchView {
  /** The parameters of every model that a row or an axis names. */
  schemas: ModelSchemas;
  prices: RowPrices;
  /** Why a row is not ready, in sentences, by the row's id. Rows that are ready, or were run, have no entry. */
  problems: ReadonlyMap<string, readonly string[]>;
  /** Ids of changed rows that were not checked yet. They are not ready. */
  unchecked: ReadonlySet<string>;
  /** A change is on the screen but not stored yet. */
  isSaving?: boolean;
  /**
   * Changes the batch on the screen at once, and then in storage. `change` must be pure: it is applied again to what is stored by
   * then. Runs that the person agreed to stay as they are. A write that fails shows a toast and is not thrown.
   */
  edit(change: (batch: Batch) => Batch): void;
}

const Context = createContext<BatchDocument | undefined>(undefined);

export const BatchDocumentProvider = Context.Provider;

/** The batch of the screen. Throws an `Error` outside of `BatchDocumentProvider`. */
export function useBatchDocument(): BatchDocument {
  const document = useContext(Context);
  if (!document) throw new Error("useBatchDocument is for the parts of the screen of a batch.");
  return document;
}

const NO_BATCH = { document: undefined };
const NO_ITEMS: readonly ItemView[] = [];

/**
 * The batch with an id. `document` is undefined until it was read (`isRead`), and where this browser has no such batch.
 */
export function useBatchDocumentById(id: string | undefined): { document: BatchDocument | undefined; isRead: boolean } {
  const { view, isRead, storage } = useBatch(id);
  const [edits, edit] = useEdits(id, storage);
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
  if (!shown) return { ...NO_BATCH, isRead };
  const isSaving = edits.pending.length > 0;
  return { document: { ...shown, schemas, prices, problems, unchecked, isSaving, edit }, isRead };
}

type Change = (batch: Batch) => Batch;

interface Edits {
  /** Edits that are shown and not stored yet, in their order. */
  pending: readonly Change[];
  /** The batch as the last edit stored it, which may be newer than the batch that was read. */
  written: Batch | undefined;
}

/** The edits that are not stored yet, and the function that makes one. */
function useEdits(id: string | undefined, storage: BatchStorage): [edits: Edits, edit: (change: Change) => void] {
  const [edits, setEdits] = useState<Edits>({ pending: [], written: undefined });
  const queue = useRef(Promise.resolve());
  function edit(change: Change) {
    if (id === undefined) return;
    // One state change, so that an edit is never shown twice or not at all.
    const finish = (result: Batch | undefined) =>
      setEdits(({ pending, written }) => ({
        pending: pending.filter((one) => one !== change),
        written: result ?? written,
      }));
    setEdits(({ pending, written }) => ({ pending: [...pending, change], written }));
    queue.current = queue.current
      .then(() => editBatch(storage, id, change))
      .then(finish, (error: unknown) => {
        finish(undefined);
        const body = error instanceof Error ? error.message : "Try again.";
        const action = { label: "Try again", onAct: () => edit(change) };
        toast({ title: "Change not saved", body, tone: "error", action });
      });
  }
  return [edits, edit];
}

type View = ReturnType<typeof useBatch>["view"];

function withEdits(view: View, { pending, written }: Edits): View {
  if (!view) return view;
  const isNewer = written?.id === view.batch.id && (written.revision ?? 0) > (view.batch.revision ?? 0);
  // Rows that did not change stay the same objects, although the written batch has new ones.
  const base = isNewer ? shareBatch(view.batch, written) : view.batch;
  const batch = pending.reduce((current, change) => change(current), base);
  if (batch === view.batch) return view;
  const known = new Map(view.items.map((one) => [one.item, one]));
  const byId = new Map(view.items.map((one) => [one.item.id, one]));
  const items = batch.items.map(
    (item): ItemView => known.get(item) ?? { state: { kind: "draft" }, ...byId.get(item.id), item },
  );
  return { ...view, batch, items, sums: batchSums(items, batch.rules) };
}

/** Rows are checked for at most so many milliseconds before a frame can be drawn. */
const SLICE_MS = 8;

interface RowProblems {
  problems: ReadonlyMap<string, readonly string[]>;
  /** Drafts that are still to be checked: they are not ready. */
  unchecked: ReadonlySet<string>;
}

/**
 * The problems of drafts. A few changed rows are checked right away; thousands are checked in slices between frames, so that
 * typing stays smooth.
 */
function useRowProblems(items: readonly ItemView[], schemas: ModelSchemas): RowProblems {
  const work = useMemo(() => startCheck(items, schemas), [items, schemas]);
  const [slices, setSlices] = useState(0);
  const result = useMemo((): RowProblems => {
    // Only its change matters: another slice of the work is done.
    void slices;
    const unchecked = work.items.slice(work.next).map(({ item }) => item.id);
    return { problems: new Map(work.problems), unchecked: new Set(unchecked) };
  }, [work, slices]);
  const isComplete = result.unchecked.size === 0;
  // One slice after each frame.
  useEffect(() => {
    if (isComplete) return;
    const timer = setTimeout(() => {
      checkSlice(work, schemas);
      setSlices((count) => count + 1);
    });
    return () => clearTimeout(timer);
  });
  return result;
}

interface CheckWork {
  items: readonly ItemView[];
  next: number;
  problems: Map<string, readonly string[]>;
}

function startCheck(all: readonly ItemView[], schemas: ModelSchemas): CheckWork {
  const work: CheckWork = { items: all.filter(({ state }) => state.kind === "draft"), next: 0, problems: new Map() };
  checkSlice(work, schemas);
  return work;
}

/** Checks rows for `SLICE_MS`. Rows that did not change cost nothing: `rowProblems` remembers them. */
function checkSlice(work: CheckWork, schemas: ModelSchemas): void {
  const endMs = performance.now() + SLICE_MS;
  while (work.next < work.items.length) {
    const item = work.items[work.next]?.item;
    work.next += 1;
    const sentences = item ? rowProblems(item, schemas) : [];
    if (item && sentences.length > 0) work.problems.set(item.id, sentences);
    if (work.next % 16 === 0 && performance.now() > endMs) return;
  }
}

/** Runs of one model at one price. */
export interface TotalLine {
  model: string;
  priceMicroUsd: MicroUsd;
  count: number;
}

/** What Run would submit now, and how many drafts it excludes. */
export interface RunTotal {
  /** Drafts without a problem whose price is known, in the order of the table. */
  ready: readonly BatchItem[];
  prices: ReadonlyMap<string, MicroUsd>;
  totalMicroUsd: MicroUsd;
  /** The service reported each of these prices for the very payload of its run. */
  isExact: boolean;
  lines: readonly TotalLine[];
  /** Drafts whose price is not known yet. */
  pricing: number;
  /** Drafts whose price could not be loaded. */
  unpriced: number;
  /** Drafts with a problem. */
  troubled: number;
  /** Ids of the groups of all drafts that are excluded. */
  leftOutGroups: readonly string[];
}

const UNCHECKED = { state: "pricing" } as const;

/** Adds up the drafts of a batch. */
export function runTotal(
  { items, problems, unchecked }: Pick<BatchDocument, "items" | "problems" | "unchecked">,
  of: RowPrices["of"],
): RunTotal {
  const ready: BatchItem[] = [];
  const prices = new Map<string, MicroUsd>();
  const lines = new Map<string, TotalLine>();
  const counts = { totalMicroUsd: 0, pricing: 0, unpriced: 0, troubled: 0 };
  const leftOut = new Set<string>();
  let isExact = true;
  for (const { item, state } of items) {
    if (state.kind !== "draft") continue;
    const isChecked = !unchecked.has(item.id) && !problems.has(item.id);
    if (!isChecked || of(item.request).state !== "priced") leftOut.add(item.groupId);
    if (problems.has(item.id)) {
      counts.troubled += 1;
      continue;
    }
    const price = unchecked.has(item.id) ? UNCHECKED : of(item.request);
    if (price.state === "pricing") counts.pricing += 1;
    else if (price.state === "failed") counts.unpriced += 1;
    else {
      const { model } = item.request;
      const { priceMicroUsd } = price;
      isExact &&= price.isExact;
      ready.push(item);
      prices.set(item.id, priceMicroUsd);
      counts.totalMicroUsd += priceMicroUsd;
      const key = JSON.stringify([model, priceMicroUsd]);
      const line = lines.get(key);
      if (line) line.count += 1;
      else lines.set(key, { model, priceMicroUsd, count: 1 });
    }
  }
  return { ready, prices, isExact, lines: byModel([...lines.values()]), leftOutGroups: [...leftOut], ...counts };
}

/**
 * How long the runs usually take, in milliseconds. Models run side by side, so the slowest counts. `usualMs` gives the usual time
 * of one run of a model; where one is unknown, the whole is undefined.
 */
export function usualDuration(
  { lines }: RunTotal,
  { parallel, parallelOf }: BatchRules,
  usualMs: (model: string) => number | undefined,
): number | undefined {
  const counts = new Map<string, number>();
  for (const { model, count } of lines) counts.set(model, (counts.get(model) ?? 0) + count);
  const times = [...counts].map(([model, count]) => {
    const ms = usualMs(model);
    return ms === undefined ? undefined : Math.ceil(count / (parallelOf[model] ?? parallel)) * ms;
  });
  return times.length === 0 || times.includes(undefined) ? undefined : Math.max(...times.map((ms) => ms ?? 0));
}

/** Groups lines by model, in the order in which the models first appear; within a model the cheapest comes first. */
function byModel(lines: readonly TotalLine[]): TotalLine[] {
  const models = [...new Set(lines.map(({ model }) => model))];
  return models.flatMap((model) =>
    lines.filter((line) => line.model === model).sort((a, b) => a.priceMicroUsd - b.priceMicroUsd),
  );
}

/** The batch that a dialog adds runs to: that of the screen, or a new one that is stored with its first runs. */
export interface RunTarget {
  /** The batch before the change; an empty one where it is new. */
  batch: Batch;
  /** Changes the batch, and names it `name` if it has no name. Returns false where nothing was changed; a toast says why. */
  put: (change: (batch: Batch) => Batch, name: string) => boolean;
}

/** The props of a dialog that makes runs. */
export interface SourceProps {
  target: RunTarget;
  /** The models of the batch. The first is offered for runs that name no model. */
  models: readonly string[];
  settings?: BatchAxes["settings"] | undefined;
}

/** The batch of the screen as a target. */
export function useDocumentTarget(): RunTarget {
  const { batch, edit } = useBatchDocument();
  return {
    batch,
    put(change, name) {
      const next = withSteadyIds((current) => withName(change(current), name));
      if (refuseToSave(next(batch), "batch")) return false;
      edit(next);
      return true;
    },
  };
}

/** A new batch as a target, stored with its first runs. `onStart` gets its id; without it the screen of the batch opens. */
export function useNewBatchTarget(onStart?: (batchId: string) => void): RunTarget {
  const accountId = useConnection()?.accountId ?? "";
  const navigate = useNavigate();
  const [batch] = useState(() => newBatch(""));
  const open = (batchId: string) => void navigate({ to: "/batch/$batchId", params: { batchId }, search: {} });
  return {
    batch,
    put(change, name) {
      const next = withName(change({ ...batch, createdAtMs: Date.now() }), name);
      if (refuseToSave(next, "batch")) return false;
      addBatch({ rows: browserRows, accountId }, next).then(
        () => (onStart ?? open)(next.id),
        (error: unknown) => {
          const why = error instanceof BatchFullError ? error.message : "Free some disk space, then try again.";
          toast({ tone: "error", title: "Batch not saved", body: why });
        },
      );
      return true;
    },
  };
}

const withName = (batch: Batch, name: string): Batch => (batch.name === "" ? { ...batch, name } : batch);

/**
 * A change that gives its new runs the same ids each time. It is applied twice, to the batch on the screen and to the stored
 * one, and both must have the same rows.
 */
export function withSteadyIds(change: (batch: Batch) => Batch): (batch: Batch) => Batch {
  const made: Pick<BatchItem, "id" | "intentId">[] = [];
  return (before) => {
    const after = change(before);
    const known = new Set(before.items.map(({ id }) => id));
    let at = 0;
    const items = after.items.map((item) => {
      if (known.has(item.id)) return item;
      made[at] ??= { id: item.id, intentId: item.intentId };
      at += 1;
      return { ...item, ...made[at - 1] };
    });
    return at === 0 ? after : { ...after, items };
  };
}
