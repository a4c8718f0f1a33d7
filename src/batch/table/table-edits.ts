// What the table does to a batch. Pure: each gives another batch, or the same one where nothing is to be done.
import { newItem } from "#batch/rows/group-runs.ts";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { type Batch, type BatchItem, isAgreed, MAX_ITEMS } from "#storage/stored-batches.ts";
import { dismissToast, toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "../batch-document.ts";

/** What a cell can hold: a model, or a parameter's value; undefined takes the parameter out. */
type CellChange =
  | { kind: "model"; model: string; payload: JsonRecord }
  | { kind: "value"; key: string; value: unknown };

function changed(item: BatchItem, change: CellChange): BatchItem {
  const { unavailable: _, ...rest } = item;
  if (change.kind === "model") {
    return { ...rest, isEdited: true, request: { model: change.model, payload: change.payload } };
  }
  const { [change.key]: before, ...others } = item.request.payload;
  if (sameJson(before, change.value)) return item;
  const payload =
    change.value === undefined
      ? others
      : Object.hasOwn(item.request.payload, change.key)
        ? { ...item.request.payload, [change.key]: change.value }
        : { ...others, [change.key]: change.value };
  return { ...item, isEdited: true, request: { ...item.request, payload } };
}

/** Changes one cell of some drafts. */
export function withCell(batch: Batch, ids: ReadonlySet<string>, change: (item: BatchItem) => CellChange): Batch {
  return {
    ...batch,
    items: batch.items.map((item) => (ids.has(item.id) && !isAgreed(item) ? changed(item, change(item)) : item)),
  };
}

/** The whole settings of one draft. */
export function withPayload(batch: Batch, id: string, payload: JsonRecord): Batch {
  return {
    ...batch,
    items: batch.items.map((item) => {
      if (item.id !== id || isAgreed(item)) return item;
      const { unavailable: _, ...rest } = item;
      return { ...rest, isEdited: true, request: { ...item.request, payload } };
    }),
  };
}

/** A draft without what its model has no field for: it can be run then. */
export function withoutUnavailable(batch: Batch, ids: ReadonlySet<string>): Batch {
  return {
    ...batch,
    items: batch.items.map((item) => {
      if (!ids.has(item.id) || isAgreed(item)) return item;
      const { unavailable: _, ...rest } = item;
      return rest;
    }),
  };
}

/** Copies of runs as drafts, each after its original, while the batch has room. */
export function withCopies(batch: Batch, ids: ReadonlySet<string>, copies: ReadonlyMap<string, BatchItem>): Batch {
  const room = MAX_ITEMS - batch.items.length;
  let added = 0;
  return {
    ...batch,
    items: batch.items.flatMap((item) => {
      const copy = ids.has(item.id) ? copies.get(item.id) : undefined;
      if (!copy || added >= room) return item;
      added += 1;
      return [item, copy];
    }),
  };
}

/** Copies of runs, with ids of their own, by the ids of the originals. */
export function copyRuns(items: readonly BatchItem[]): ReadonlyMap<string, BatchItem> {
  return new Map(
    items.map((item) => {
      const { unavailable, source } = item;
      const more = { isEdited: true, ...(unavailable ? { unavailable } : {}), ...(source ? { source } : {}) } as const;
      return [item.id, newItem(item.request, item.groupId, more)];
    }),
  );
}

/** The batch without some drafts. */
export function withoutRows(batch: Batch, ids: ReadonlySet<string>): Batch {
  return { ...batch, items: batch.items.filter((item) => !ids.has(item.id) || isAgreed(item)) };
}

/** Rows one place up or down inside their group, as a block. */
export function movedRows(batch: Batch, ids: ReadonlySet<string>, by: -1 | 1): Batch {
  const groups = new Set(batch.items.filter(({ id }) => ids.has(id)).map(({ groupId }) => groupId));
  let items: readonly BatchItem[] = batch.items;
  for (const groupId of groups) {
    const positions = items.flatMap((item, at) => (item.groupId === groupId ? [at] : []));
    const own = positions.map((at) => items[at]).filter((item) => item !== undefined);
    const order = by === -1 ? own : own.toReversed();
    const moved: BatchItem[] = [];
    for (const item of order) {
      const before = moved.at(-1);
      if (ids.has(item.id) && before && !ids.has(before.id)) moved.splice(-1, 0, item);
      else moved.push(item);
    }
    const next = by === -1 ? moved : moved.reverse();
    const byPlace = new Map(positions.map((at, index) => [at, next[index]]));
    items = items.map((item, at) => byPlace.get(at) ?? item);
  }
  return { ...batch, items };
}

/**
 * Some drafts as they were before a change, in their positions of then, and without rows that it added. All others stay as they
 * are by now.
 */
function restoredRows(
  batch: Batch,
  before: readonly BatchItem[],
  ids: ReadonlySet<string>,
  added: ReadonlySet<string>,
): Batch {
  const there = new Map(batch.items.map((item) => [item.id, item]));
  const restored = before.flatMap((old) => {
    const now = there.get(old.id);
    if (!ids.has(old.id)) return now ?? [];
    return now && isAgreed(now) ? now : old;
  });
  const known = new Set(restored.map(({ id }) => id));
  const newer = batch.items.filter((item) => !known.has(item.id) && (isAgreed(item) || !added.has(item.id)));
  return { ...batch, items: [...restored, ...newer].slice(0, MAX_ITEMS) };
}

const MAX_UNDOS = 50;
const NONE: ReadonlySet<string> = new Set();

interface Undo {
  batchId: string;
  undo: () => void;
}

/** Changes of the tables of this page that can be undone, oldest first. A reload forgets them. */
let undos: readonly Undo[] = [];
/** The toast that offers Undo. Only the last change has one. */
let offered: number | undefined;

/** Undoes the last change of a batch's table. Whether there was one. */
export function undoLast(batchId: string): boolean {
  const last = undos.findLast((one) => one.batchId === batchId);
  last?.undo();
  return last !== undefined;
}

interface EditOptions {
  /** Said in a toast that offers Undo; without it only the keys undo it. */
  title?: string;
  /** The ids of rows that the change adds. */
  added?: ReadonlySet<string>;
}

/** A change of the rows with these ids that can be undone. */
export function useUndoableEdit(): (
  ids: ReadonlySet<string>,
  change: (batch: Batch) => Batch,
  options?: EditOptions,
) => void {
  const { batch, edit } = useBatchDocument();
  return (ids, change, { title, added = NONE } = {}) => {
    const before = batch.items;
    const entry: Undo = {
      batchId: batch.id,
      undo() {
        if (!undos.includes(entry)) return;
        undos = undos.filter((one) => one !== entry);
        withdrawOffer();
        edit((now) => restoredRows(now, before, ids, added));
      },
    };
    edit(change);
    undos = [...undos, entry].slice(-MAX_UNDOS);
    withdrawOffer();
    if (title !== undefined) offered = toast({ title, tone: "info", action: { label: "Undo", onAct: entry.undo } });
  };
}

function withdrawOffer(): void {
  if (offered !== undefined) dismissToast(offered);
  offered = undefined;
}
