import { useEffect } from "react";
import { allowArchiveFolder, archiveFolder, useArchiveFolder } from "#media/download/archive-folder.ts";
import { useArchive } from "#results/archive/archive-store.ts";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";

/** Whether the browser wants a press before the page may write into the folder again. */
export function useIsArchiveWaiting(): boolean {
  const { isOn } = useArchive();
  const { phase, folder } = useArchiveFolder();
  useEffect(() => {
    if (isOn) void archiveFolder();
  }, [isOn]);
  return isOn && phase === "asking" && folder !== undefined;
}

/** After a restart a browser may want a press before it lets the page write into the folder again: asks for it. */
export function ArchiveWaiting({ className }: { className?: string }) {
  const { folder } = useArchiveFolder();
  if (!useIsArchiveWaiting() || !folder) return null;
  return (
    <Notice
      tone="info"
      title="Finished jobs are waiting to be saved"
      className={className}
      actions={
        <Button size="sm" onClick={() => void allowArchiveFolder()}>
          Allow access
        </Button>
      }
    >
      The browser asks for your permission to write to {folder.name} again. Nothing is lost: the service keeps the files
      for 60 days.
    </Notice>
  );
}
