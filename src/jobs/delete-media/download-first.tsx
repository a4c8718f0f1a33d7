import { FileArchive } from "lucide-react";
import { useEffect } from "react";
import { type BulkJob, filesOf } from "#media/download/bulk-entries.ts";
import { BulkPanel } from "#media/download/bulk-panel.tsx";
import { startBulk, useBulkRun } from "#media/download/bulk-run.ts";
import { Button } from "#ui/button.tsx";

interface DownloadFirstProps {
  jobs: readonly BulkJob[];
  /** A zip is being written: its files must not go meanwhile. */
  onBusyChange: (isBusy: boolean) => void;
}

/** Saves the files of some jobs as one zip before they are deleted, and shows how that went. */
export function DownloadFirst({ jobs, onBusyChange }: DownloadFirstProps) {
  const { phase } = useBulkRun((state) => state.run);
  const isBusy = phase === "running" || phase === "reading";
  useEffect(() => onBusyChange(isBusy), [isBusy, onBusyChange]);
  return (
    <div className="mt-3 grid gap-2">
      {phase === "idle" ? (
        <Button size="sm" className="justify-self-start" onClick={() => void startBulk(filesOf(jobs))}>
          <FileArchive aria-hidden className="size-4" />
          Download first
        </Button>
      ) : (
        <BulkPanel />
      )}
    </div>
  );
}
