import { useNavigate } from "@tanstack/react-router";
import { createContext, useContext, useEffect, useMemo, useRef, useState } from "react";
import { rowProblems } from "#batch/rows/row-problems.ts";
import { addBatch, BatchFullError, type BatchPlace, editBatch, newBatch } from "#batch/runner/batch-edits.ts";
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

/** The batch that the screen shows, with all that follows from it. */
export interface BatchDocument extends BatchView {
  /** The parameters of every model that a row or an axis names. */
  schemas: ModelSchemas;
  prices: RowPrices;
  /** Why a row is not ready, in sentences, by the row's id. Rows that are ready, or were run, have no entry. */
  problems: ReadonlyMap<string, readonly string[]>;
  /** Rows that were changed just now and are still to be checked, by id. They are not ready. */
  unchecked: ReadonlySet<string>;
  /** A change is shown and not stored yet. */
  isSaving?: boolean;
  /**
   * Changes the batch: shown at once, then stored. `change` is pure, and is applied again to what is stored by then. Runs that
   * the person agreed to stay as they are, whatever it returns for them. A write that fails is shown, not thrown.
   */
  edit(change: (batch: Batch) => Batch): void;
}

const Context = createContext<BatchDocument | undefined>(undefined);

export const BatchDocumentProvider = Context.Provider;

/** The batch of the screen. Throws outside of it. */
export function useBatchDocument(): BatchDocument {
  const document = useContext(Context);
  if (!document) throw new Error("useBatchDocument is for the parts of the screen of a batch.");
  return document;
}

const NO_BATCH = { document: undefined };
const NO_ITEMS: readonly ItemView[] = [];

/**
 * The batch of an address, with its prices and problems. `document` is undefined while it is read (`isRead` is false), and
 * where this browser has no such batch.
 */
export function useBatchDocumentById(id: string | undefined): { document: BatchDocument | undefined; isRead: boolean } {
  const { view, isRead, where } = useBatch(id);
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
  if (!shown) return { ...NO_BATCH, isRead };
  const isSaving = edits.pending.length > 0;
  return { document: { ...shown, schemas, prices, problems, unchecked, isSaving, edit }, isRead };
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
  const byId = new Map(view.items.map((one) => [one.item.id, one]));
  const items = batch.items.map(
    (item): ItemView => known.get(item) ?? { state: { kind: "draft" }, ...byId.get(item.id), item },
  );
  return { ...view, batch, items, sums: batchSums(items, batch.rules) };
}

/** The time that rows are checked, in ms, before a frame may be drawn. */
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

/** Runs of one model at one price. */
export interface TotalLine {
  model: string;
  priceMicroUsd: MicroUsd;
  count: number;
}

/** What Run would submit now, and what it leaves out. */
export interface RunTotal {
  /** Drafts without a problem whose price is known, in the order of the table. */
  ready: readonly BatchItem[];
  prices: ReadonlyMap<string, MicroUsd>;
  totalMicroUsd: MicroUsd;
  /** The service reported each of these prices for the very payload of its run. */
  isExact: boolean;
  lines: readonly TotalLine[];
  /** Drafts whose price is not known yet, whose price was refused, and with a problem. */
  pricing: number;
  unpriced: number;
  troubled: number;
  /** The groups that those belong to, by id. */
  leftOutGroups: readonly string[];
}

const UNCHECKED = { state: "pricing" } as const;

/** Adds up the drafts of a batch. Whole micro-USD. */
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
 * How long the runs usually take, in ms: each model has lanes of its own, so the slowest counts. `usualMs` is the usual time
 * of one run of a model. Undefined where that of any is not known.
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

/** The lines of one model stand together, in the order in which the models come, cheapest first. */
function byModel(lines: readonly TotalLine[]): TotalLine[] {
  const models = [...new Set(lines.map(({ model }) => model))];
  return models.flatMap((model) =>
    lines.filter((line) => line.model === model).sort((a, b) => a.priceMicroUsd - b.priceMicroUsd),
  );
}

/** Where a source puts its runs: the batch of the screen, or one that is stored with them. */
export interface RunTarget {
  /** What is there already; empty where there is no batch yet. */
  batch: Batch;
  /** Changes the batch. `name` is what one is called that has no name. Gives false where nothing was changed, and says why. */
  put: (change: (batch: Batch) => Batch, name: string) => boolean;
}

/** What a source of runs is given. */
export interface SourceProps {
  target: RunTarget;
  /** The models of the batch: what runs without a model of their own begin with. */
  models: readonly string[];
  settings?: BatchAxes["settings"] | undefined;
}

/** The batch of the screen as a target. */
export function useDocumentTarget(): RunTarget {
  const { batch, edit } = useBatchDocument();
  return {
    batch,
    put(change, name) {
      const next = withSteadyIds((before) => named(change(before), name));
      if (refuseToSave(next(batch), "batch")) return false;
      edit(next);
      return true;
    },
  };
}

/** A batch that is stored with its first runs. `onStart` is called with its id; by default its address is opened. */
export function useNewBatchTarget(onStart?: (batchId: string) => void): RunTarget {
  const accountId = useConnection()?.accountId ?? "";
  const navigate = useNavigate();
  const [batch] = useState(() => newBatch(""));
  const open = (batchId: string) => void navigate({ to: "/batch/$batchId", params: { batchId }, search: {} });
  return {
    batch,
    put(change, name) {
      const next = named(change({ ...batch, createdAtMs: Date.now() }), name);
      if (refuseToSave(next, "batch")) return false;
      addBatch({ rows: browserRows, accountId }, next).then(
        () => (onStart ?? open)(next.id),
        (error: unknown) => {
          const why = error instanceof BatchFullError ? error.message : "Free some storage, then try again.";
          toast({ tone: "error", title: "This browser could not save the batch", body: why });
        },
      );
      return true;
    },
  };
}

const named = (batch: Batch, name: string): Batch => (batch.name === "" ? { ...batch, name } : batch);

/**
 * The same change, whose new runs have the same ids however often it is applied: it is shown first, and then applied again
 * to what is stored.
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
