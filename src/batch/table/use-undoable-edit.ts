import type { Batch } from "#storage/stored-batches.ts";
import { dismissToast, toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "../batch-document.ts";
import { restoredRows } from "./table-edits.ts";

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
