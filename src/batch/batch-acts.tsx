import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addBatch, newBatch, newItem, removeBatch } from "#batch/runner/batch-edits.ts";
import { batchTitle } from "#batch/runner/batch-words.ts";
import { useBatches } from "#batch/runner/use-batches.ts";
import { randomId } from "#lib/random-id.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { ConfirmDialog } from "#ui/dialog.tsx";
import { toast } from "#ui/toast-store.ts";

/** Stores a copy of a batch and opens it. */
export function useCopyBatch(): (batch: Batch) => void {
  const { where } = useBatches();
  const navigate = useNavigate();
  return (batch) => {
    const copy = copyOfBatch(batch);
    addBatch(where, copy).then(
      () => void navigate({ to: "/batch/$batchId", params: { batchId: copy.id } }),
      () => toast({ title: "Not saved", body: "This browser could not save the copy.", tone: "error" }),
    );
  };
}

/** A batch of the same runs, all of them drafts, under the same rules. Nothing is stored yet. */
function copyOfBatch(batch: Batch): Batch {
  const ids = new Map(batch.groups.map(({ id }) => [id, randomId()]));
  return newBatch(`${batchTitle(batch)} (copy)`, {
    groups: batch.groups.map((group) => ({ ...group, id: ids.get(group.id) ?? group.id })),
    items: batch.items.map(({ request, groupId, unavailable, isEdited }) =>
      newItem(request, ids.get(groupId) ?? groupId, {
        ...(unavailable ? { unavailable } : {}),
        ...(isEdited ? { isEdited } : {}),
      }),
    ),
    rules: batch.rules,
    ...(batch.projectId === undefined ? {} : { projectId: batch.projectId }),
  });
}

interface DeleteBatchDialogProps {
  /** The batch to delete; the dialog is closed without one. */
  batch: Batch | undefined;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Asks before a batch is deleted. It is paused in this tab first: no further run is sent from here, those on their way go on. */
export function DeleteBatchDialog({ batch, onClose, onDeleted }: DeleteBatchDialogProps) {
  const { where, runner } = useBatches();
  const [isBusy, setIsBusy] = useState(false);
  async function remove({ id }: Batch) {
    setIsBusy(true);
    runner.pause(id);
    const isDeleted = await removeBatch(where, id).then(
      () => true,
      () => false,
    );
    setIsBusy(false);
    if (isDeleted) {
      onClose();
      onDeleted?.();
    } else {
      const body = "This browser could not delete the batch. It is paused in this tab.";
      toast({ title: "Not deleted", body, tone: "error" });
    }
  }
  return (
    <ConfirmDialog
      open={batch !== undefined}
      onOpenChange={(open) => !open && !isBusy && onClose()}
      title="Delete this batch?"
      description="The table of this batch is deleted from this browser. Its jobs, their files and their charges stay in History and Spend."
      confirmLabel="Delete batch"
      busy={isBusy}
      onConfirm={() => batch && void remove(batch)}
    />
  );
}
