import { useQuery } from "@tanstack/react-query";
import { FileArchive } from "lucide-react";
import { useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { allNamed } from "#connection/named-list.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import type { JsonRecord } from "#lib/read.ts";
import { type BulkJob, getBulkFiles } from "#media/download/bulk-entries.ts";
import { BulkPanel } from "#media/download/bulk-panel.tsx";
import { startBulk, useBulkRun } from "#media/download/bulk-run.ts";
import { STAYS_AFTER_DELETION } from "#media/media-failure.ts";
import { presets } from "#models/presets.ts";
import { inputKeys } from "#runs/job-inputs.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/dialog.tsx";
import { Spinner } from "#ui/indicators.tsx";
import { Notice } from "#ui/notice.tsx";
import { toast } from "#ui/toast-store.ts";
import { type SameInputs, useDeleteMedia, useSameInputs } from "./delete-media.ts";

interface DeleteMediaDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Finished jobs only: the specification leaves open what happens to others. */
  jobs: readonly BulkJob[];
  /** Called once all files were deleted. Those that could not be deleted stay in the dialog, to be tried again. */
  onDeleted?: (() => void) | undefined;
}

/** Asks before files are deleted, and says what is deleted, what stays, and what else uses the same inputs (spec 4.1, 8). */
export function DeleteMediaDialog({ open, onOpenChange, jobs, onDeleted }: DeleteMediaDialogProps) {
  const deletion = useDeleteMedia();
  const sameInputs = useSameInputs(jobs, open);
  const affectedPresets = usePresetsWithInput(
    jobs.map((job) => job.payload),
    open,
  );
  const [isSaving, setIsSaving] = useState(false);
  const files = jobs.reduce((count, job) => count + job.media.length, 0);
  const failed = deletion.data?.failed ?? [];

  function close() {
    deletion.reset();
    onOpenChange(false);
  }
  async function confirm() {
    const failedIds = failed.map((failure) => failure.requestId);
    const wanted = failedIds.length > 0 ? jobs.filter((job) => failedIds.includes(job.requestId)) : jobs;
    const result = await deletion.mutateAsync({ jobs: wanted, made: sameInputs?.made });
    if (result.failed.length > 0) return;
    toast({ title: "Files deleted", body: STAYS_AFTER_DELETION, tone: "success" });
    close();
    onDeleted?.();
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && !deletion.isPending && close()}
      title={jobs.length === 1 ? "Delete files of this job?" : `Delete files of ${counted(jobs.length, "job")}?`}
      description={`${counted(files, "generated file")}, and input files that you uploaded to the service, will be deleted permanently. You can’t undo this.`}
      confirmLabel={
        failed.length > 1
          ? `Try ${formatNumber(failed.length)} again`
          : failed.length === 1
            ? "Try again"
            : "Delete permanently"
      }
      danger
      busy={deletion.isPending || isSaving || !sameInputs}
      onConfirm={() => void confirm()}
    >
      <dl className="m-0 grid gap-2.5">
        <div>
          <dt className="font-medium">Not deleted</dt>
          <dd className="m-0 text-ink-2">
            The job, its settings and its charge stay. Input files on other hosts don’t change.
          </dd>
        </div>
        <div>
          <dt className="font-medium">Note</dt>
          <dd className="m-0 text-ink-2">Copies may remain available for up to 5 minutes.</dd>
        </div>
      </dl>
      <SameInputNotice same={sameInputs} />
      {affectedPresets.length > 0 && (
        <Notice
          tone="warning"
          title={`${counted(affectedPresets.length, "preset uses", "presets use")} the same input`}
          className="mt-3"
        >
          {affectedPresets.slice(0, 5).join(", ")}
          {affectedPresets.length > 5 && ` and ${formatNumber(affectedPresets.length - 5)} more`}.
        </Notice>
      )}
      {files > 0 && !failed[0] && <DownloadFirst jobs={jobs} onBusyChange={setIsSaving} />}
      {failed[0] && (
        <div className="mt-3 grid gap-2">
          {jobs.length > 1 && (
            <p role="status" className="m-0">
              {`${formatNumber(deletion.data?.deleted.length ?? 0)} deleted, ${formatNumber(failed.length)} failed`}
            </p>
          )}
          <ErrorNotice error={failed[0].error} operation="delete" />
        </div>
      )}
    </ConfirmDialog>
  );
}

/** How many other jobs use the same inputs, as far as this browser knows the jobs. */
function SameInputNotice({ same }: { same: SameInputs | undefined }) {
  if (!same) {
    return (
      <p role="status" className="m-0 mt-3 flex items-center gap-2 text-ink-2">
        <Spinner />
        Checking whether other jobs use the same input…
      </p>
    );
  }
  const { others, isWhole } = same;
  const partly = "Not all jobs were checked. Go to History to load the rest.";
  if (others === 0) {
    return isWhole ? null : <p className="m-0 mt-3 text-ink-2">No other loaded job uses the same input. {partly}</p>;
  }
  const count = `${counted(others, "other job uses", "other jobs use")} the same input`;
  return (
    <Notice tone="warning" title={isWhole ? count : `At least ${count}`} className="mt-3">
      If you uploaded it to the service, you’ll need to upload it again to run those jobs again.
      {!isWhole && ` ${partly}`}
    </Notice>
  );
}

/** The names of the presets that use one of the inputs of these payloads. Read while `isWanted`. */
function usePresetsWithInput(payloads: readonly (JsonRecord | undefined)[], isWanted: boolean): string[] {
  const accountId = useConnection()?.accountId ?? "";
  const inputs = new Set(payloads.flatMap((payload) => inputKeys(payload)));
  // Without this browser’s storage there are no presets that could be named.
  const { data: saved = [] } = useQuery({
    queryKey: ["all-presets", accountId],
    queryFn: () => allNamed(presets, accountId),
    enabled: isWanted && inputs.size > 0,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  if (!isWanted) return [];
  const using = saved.filter(({ item }) => inputKeys(item.payload).some((key) => inputs.has(key)));
  return using.map(({ item, part: modelId }) => `${item.name} (${modelId})`);
}

interface DownloadFirstProps {
  jobs: readonly BulkJob[];
  /** Says whether a zip is being written: meanwhile its files must not be deleted. */
  onBusyChange: (isBusy: boolean) => void;
}

/** Saves the files of some jobs as one zip before they are deleted, and shows how that went. */
function DownloadFirst({ jobs, onBusyChange }: DownloadFirstProps) {
  const { phase } = useBulkRun((state) => state.run);
  const isBusy = phase === "running" || phase === "reading";
  useEffect(() => onBusyChange(isBusy), [isBusy, onBusyChange]);
  return (
    <div className="mt-3 grid gap-2">
      {phase === "idle" ? (
        <Button size="sm" className="justify-self-start" onClick={() => void startBulk(getBulkFiles(jobs))}>
          <FileArchive aria-hidden className="size-4" />
          Download first
        </Button>
      ) : (
        <BulkPanel />
      )}
    </div>
  );
}
