import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addBatch, BatchFullError, newBatch } from "#batch/runner/batch-edits.ts";
import { useConnection } from "#connection/connection-store.ts";
import { refuseToSave } from "#connection/find-key.ts";
import { browserRows } from "#storage/database.ts";
import type { Batch, BatchAxes, BatchItem } from "#storage/stored-batches.ts";
import { toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "../batch-document.ts";

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
