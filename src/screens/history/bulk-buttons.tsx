import { FileArchive, FolderDown } from "lucide-react";
import { canPickFolder } from "#media/archive/folder-handle.ts";
import { startBulk, type WantedFiles } from "#media/bulk/bulk-run.ts";
import { Button, type ButtonProps } from "#ui/button.tsx";

interface BulkButtonsProps extends Pick<ButtonProps, "variant"> {
  wanted: WantedFiles;
  /** On the button that makes a zip. */
  label: string;
  isEmpty?: boolean;
  /** On a phone the picture alone. */
  isShort?: boolean;
}

/** Saves many files: as one zip, and straight into a chosen folder where the browser lets a page write into one. */
export function BulkButtons({ wanted, label, isEmpty = false, isShort = false, variant }: BulkButtonsProps) {
  const word = isShort ? "max-sm:sr-only" : undefined;
  return (
    <>
      <Button size="sm" variant={variant} aria-disabled={isEmpty} onClick={() => void startBulk(wanted)}>
        <FileArchive aria-hidden className="size-4" />
        <span className={word}>{label}</span>
      </Button>
      {canPickFolder() && (
        <Button size="sm" variant={variant} aria-disabled={isEmpty} onClick={() => void startBulk(wanted, "folder")}>
          <FolderDown aria-hidden className="size-4" />
          <span className={word}>Save in a folder</span>
        </Button>
      )}
    </>
  );
}
