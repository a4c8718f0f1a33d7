import type { ItemView } from "#jobs/batch/batch-runner.ts";
import { Dialog } from "#ui/dialog.tsx";

interface JoinClipsDialogProps {
  /** The chosen runs, in the order of the table. */
  items: readonly ItemView[];
  onClose: () => void;
}

/** The clips of chosen runs as one file, made in the page. */
export function JoinClipsDialog({ items, onClose }: JoinClipsDialogProps) {
  const title = `Join ${items.length} clips`;
  return <Dialog open onOpenChange={(open) => !open && onClose()} title={title} />;
}
