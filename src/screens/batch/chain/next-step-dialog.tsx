import type { ItemView } from "#jobs/batch/batch-runner.ts";
import { Dialog } from "#ui/dialog.tsx";

interface NextStepDialogProps {
  /** The chosen runs, in the order of the table. */
  items: readonly ItemView[];
  onClose: () => void;
}

/** Runs that are made from the results of chosen runs. They become drafts of the batch; nothing is sent. */
export function NextStepDialog({ items, onClose }: NextStepDialogProps) {
  const title = `Next step for ${items.length === 1 ? "1 result" : `${items.length} results`}`;
  return <Dialog open onOpenChange={(open) => !open && onClose()} title={title} />;
}
