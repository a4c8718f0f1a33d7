// Changes of a batch by its table, as pure functions from a batch to another one; and below them the changes that can be undone.

import { newItem } from "#batch/rows/group-runs.ts";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { type Batch, type BatchItem, isAgreed, MAX_ITEMS } from "#storage/stored-batches.ts";
import { dismissToast, toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "../batch-document.ts";

/** The new content of a cell: a model with its payload, or a parameter's value; undefined removes the parameter. */
type CellChange =
  | { kind: "model"; model: string; payload: JsonRecord }
  | { kind: "value"; key: string; value: unknown };

function applyChange(item: BatchItem, change: CellChange): BatchItem {
  const { unavailable: _, ...rest } = item;
  if (change.kind === "model") {
    return { ...rest, isEdited: true, request: { model: change.model, payload: change.payload } };
  }
  const { [change.key]: oldValue, ...others } = item.request.payload;
  if (sameJson(oldValue, change.value)) return item;
  const payload =
    change.value === undefined
      ? others
      : Object.hasOwn(item.request.payload, change.key)
        ? { ...item.request.payload, [change.key]: change.value }
        : { ...others, [change.key]: change.value };
  return { ...item, isEdited: true, request: { ...item.request, payload } };
}

/** Changes one cell of each of some drafts. */
export function withCell(batch: Batch, ids: ReadonlySet<string>, change: (item: BatchItem) => CellChange): Batch {
  return {
    ...batch,
    items: batch.items.map((item) => (ids.has(item.id) && !isAgreed(item) ? applyChange(item, change(item)) : item)),
  };
}

/** Replaces all settings of one draft. */
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

/** Drafts without their notes of missing fields: the person runs them without these values. */
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

/** Inserts copies, each after its original, until the batch is full. */
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

/** Copies runs as drafts with new ids. The result is by the ids of the originals. */
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

/** Moves rows one place up or down inside their groups. */
export function movedRows(batch: Batch, ids: ReadonlySet<string>, by: -1 | 1): Batch {
  const groups = new Set(batch.items.filter(({ id }) => ids.has(id)).map(({ groupId }) => groupId));
  let items: readonly BatchItem[] = batch.items;
  for (const groupId of groups) {
    const positions = items.flatMap((item, at) => (item.groupId === groupId ? [at] : []));
    const rows = positions.map((at) => items[at]).filter((item) => item !== undefined);
    const order = by === -1 ? rows : rows.toReversed();
    const moved: BatchItem[] = [];
    for (const item of order) {
      const previous = moved.at(-1);
      if (ids.has(item.id) && previous && !ids.has(previous.id)) moved.splice(-1, 0, item);
      else moved.push(item);
    }
    const next = by === -1 ? moved : moved.reverse();
    const byPosition = new Map(positions.map((at, index) => [at, next[index]]));
    items = items.map((item, at) => byPosition.get(at) ?? item);
  }
  return { ...batch, items };
}

/**
 * Undoes a change: the rows in `ids` are again as and where they were in `before`, and the rows in `added` are removed. All other
 * rows, and agreed ones, stay as they are now.
 */
function restoredRows(
  batch: Batch,
  before: readonly BatchItem[],
  ids: ReadonlySet<string>,
  added: ReadonlySet<string>,
): Batch {
  const currentById = new Map(batch.items.map((item) => [item.id, item]));
  const restored = before.flatMap((old) => {
    const current = currentById.get(old.id);
    if (!ids.has(old.id)) return current ?? [];
    return current && isAgreed(current) ? current : old;
  });
  const known = new Set(restored.map(({ id }) => id));
  const newer = batch.items.filter((item) => !known.has(item.id) && (isAgreed(item) || !added.has(item.id)));
  return { ...batch, items: [...restored, ...newer].slice(0, MAX_ITEMS) };
}

/** Changes that can be undone. */
const MAX_UNDOS = 50;
const NONE: ReadonlySet<string> = new Set();

interface Undo {
  batchId: string;
  undo: () => void;
}

/** Changes that can be undone, of all tables of this page, oldest first. A reload forgets them. */
let undos: readonly Undo[] = [];
/** The id of the toast that offers Undo. Only the last change has one. */
let undoToast: number | undefined;

/** Undoes the last change of a batch's table. Returns whether there was one. */
export function undoLast(batchId: string): boolean {
  const last = undos.findLast((one) => one.batchId === batchId);
  last?.undo();
  return last !== undefined;
}

interface EditOptions {
  /** The title of a toast that offers Undo. Without it, only the shortcut undoes the change. */
  title?: string;
  /** The ids of rows that the change adds. */
  added?: ReadonlySet<string>;
}

/** Returns the function that changes the rows in `ids` in a way that can be undone. */
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
        dismissUndoToast();
        edit((current) => restoredRows(current, before, ids, added));
      },
    };
    edit(change);
    undos = [...undos, entry].slice(-MAX_UNDOS);
    dismissUndoToast();
    if (title !== undefined) undoToast = toast({ title, tone: "info", action: { label: "Undo", onAct: entry.undo } });
  };
}

function dismissUndoToast(): void {
  if (undoToast !== undefined) dismissToast(undoToast);
  undoToast = undefined;
}
