import type { Batch } from "#jobs/stored-batches.ts";
import { Dialog } from "#ui/dialog.tsx";

interface SaveRecipeDialogProps {
  batch: Batch;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Saves a batch under a name, as a file or as a link: without prices, jobs and files. */
export function SaveRecipeDialog({ open, onOpenChange }: SaveRecipeDialogProps) {
  return <Dialog open={open} onOpenChange={onOpenChange} title="Save as recipe" />;
}
