import { Link, useNavigate } from "@tanstack/react-router";
import { Copy, Trash2 } from "lucide-react";
import { useState } from "react";
import { newItem } from "#batch/rows/group-runs.ts";
import { addBatch, newBatch, removeBatch } from "#batch/runner/batch-edits.ts";
import { batchState, batchTitle, chargedWords } from "#batch/runner/batch-words.ts";
import { type BatchView, useBatches } from "#batch/runner/use-batches.ts";
import { counted } from "#lib/numbers.ts";
import { randomId } from "#lib/random-id.ts";
import { formatAge } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { runWords } from "#runs/status-words.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { IconButton } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/dialog.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast-store.ts";

/** The batches of this browser, newest first. */
export function BatchList() {
  const { views } = useBatches();
  const [deleting, setDeleting] = useState<Batch>();
  const copy = useCopyBatch();
  if (views.length === 0) return null;
  return (
    <section aria-label="Your batches" className="mx-auto w-full max-w-180 px-4 pb-10">
      <h2 className="m-0 mb-2 font-semibold text-base">Your batches</h2>
      <ul className="m-0 list-none border-line border-t p-0">
        {views.map((view) => {
          const title = visibleLine(batchTitle(view.batch), 100);
          const isDraft = view.sums.drafts === view.items.length;
          const { word, tone } = isDraft
            ? { word: runWords({ kind: "draft" }).word, tone: undefined }
            : batchState(view);
          return (
            <li key={view.batch.id} className="flex items-center gap-2 border-line border-b">
              <Link
                to="/batch/$batchId"
                params={{ batchId: view.batch.id }}
                className="flex min-h-12 min-w-0 flex-1 flex-wrap items-center gap-x-3 rounded-sm px-2 py-1.5 hover:bg-hover"
              >
                <span dir="auto" className="min-w-0 flex-1 basis-48 truncate font-medium">
                  {title}
                </span>
                <span className="text-sm text-ink-3 tabular-nums">{countWords(view)}</span>
                <span className="flex items-center gap-1.5 text-sm text-ink-2">
                  {tone && <StatusDot tone={tone} />}
                  {word}
                </span>
                <span className="w-28 text-end text-sm text-ink-3">
                  <Time seconds={view.batch.createdAtMs / 1000} format={(seconds) => formatAge(seconds, Date.now())} />
                </span>
              </Link>
              <IconButton size="sm" label={`Duplicate batch: ${title}`} onClick={() => copy(view.batch)}>
                <Copy aria-hidden="true" className="size-4" />
              </IconButton>
              <IconButton size="sm" label={`Delete batch: ${title}`} onClick={() => setDeleting(view.batch)}>
                <Trash2 aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          );
        })}
      </ul>
      <DeleteBatchDialog batch={deleting} onClose={() => setDeleting(undefined)} />
    </section>
  );
}

function countWords(view: BatchView): string {
  const { items, sums } = view;
  if (sums.drafts < items.length) return chargedWords(view);
  return counted(items.length, "run");
}

/** Stores a copy of a batch and opens it. */
export function useCopyBatch(): (batch: Batch) => void {
  const { storage } = useBatches();
  const navigate = useNavigate();
  return (batch) => {
    const copy = createCopy(batch);
    addBatch(storage, copy).then(
      () => void navigate({ to: "/batch/$batchId", params: { batchId: copy.id } }),
      () => toast({ title: "Not saved", body: "This browser couldn’t save the copy.", tone: "error" }),
    );
  };
}

/** A batch of the same runs, all of them drafts, under the same rules. Nothing is stored yet. */
function createCopy(batch: Batch): Batch {
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

/** Asks before a batch is deleted. The batch is paused in this tab first, so that no further run is sent from here. */
export function DeleteBatchDialog({ batch, onClose, onDeleted }: DeleteBatchDialogProps) {
  const { storage, runner } = useBatches();
  const [isBusy, setIsBusy] = useState(false);
  async function remove({ id }: Batch) {
    setIsBusy(true);
    runner.pause(id);
    const isDeleted = await removeBatch(storage, id).then(
      () => true,
      () => false,
    );
    setIsBusy(false);
    if (isDeleted) {
      onClose();
      onDeleted?.();
    } else {
      const body = "This browser couldn’t delete the batch. The batch is paused in this tab.";
      toast({ title: "Not deleted", body, tone: "error" });
    }
  }
  return (
    <ConfirmDialog
      open={batch !== undefined}
      onOpenChange={(open) => !open && !isBusy && onClose()}
      title="Delete batch?"
      description="The batch is deleted from this browser. Its jobs stay in History and Spend."
      confirmLabel="Delete batch"
      busy={isBusy}
      onConfirm={() => batch && void remove(batch)}
    />
  );
}
