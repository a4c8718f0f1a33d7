import { useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import type { JsonRecord } from "#lib/read.ts";
import type { BulkJob } from "#media/download/bulk-entries.ts";
import { allPresets } from "#storage/presets.ts";
import { ConfirmDialog } from "#ui/dialog.tsx";
import { Spinner } from "#ui/indicators.tsx";
import { lazyNamed } from "#ui/lazy-named.tsx";
import { Notice } from "#ui/notice.tsx";
import { toast } from "#ui/toast.tsx";
import { inputKeys } from "../job-inputs.ts";
import { type SameInputs, useSameInputs } from "./same-inputs.ts";
import { useDeleteMedia } from "./use-delete-media.ts";

// It writes a zip: code that a deletion alone does not need.
const DownloadFirst = lazyNamed(() => import("./download-first.tsx"), "DownloadFirst");

interface DeleteMediaDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Finished jobs only: the specification leaves open what happens to others. */
  jobs: readonly BulkJob[];
  onDeleted?: ((requestIds: string[]) => void) | undefined;
}

/** Asks before media are deleted: what goes, what stays, and what else uses the same inputs (spec 4.1, 8). */
export function DeleteMediaDialog({ open, onOpenChange, jobs, onDeleted }: DeleteMediaDialogProps) {
  const deletion = useDeleteMedia();
  const same = useSameInputs(jobs, open);
  const presets = usePresetsWithInput(
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
    const left = failed.map((failure) => failure.requestId);
    const wanted = left.length > 0 ? jobs.filter((job) => left.includes(job.requestId)) : jobs;
    const result = await deletion.mutateAsync({ jobs: wanted, made: same?.made });
    if (result.deleted.length > 0) onDeleted?.(result.deleted);
    if (result.failed.length > 0) return;
    toast({ title: "Media deleted", body: "The job record and the charge stay.", tone: "success" });
    close();
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && !deletion.isPending && close()}
      title={jobs.length === 1 ? "Delete the media of this job?" : `Delete the media of ${jobs.length} jobs?`}
      description={`${countOf(files, "generated file")} will be deleted for good. This cannot be undone.`}
      confirmLabel={
        failed.length > 1 ? `Try ${failed.length} again` : failed.length === 1 ? "Try again" : "Delete for good"
      }
      danger
      busy={deletion.isPending || isSaving || !same}
      onConfirm={() => void confirm()}
    >
      <dl className="m-0 grid gap-2.5">
        <div>
          <dt className="font-medium">What goes</dt>
          <dd className="m-0 text-ink-2">
            The generated files, and input files that were uploaded to the service's storage.
          </dd>
        </div>
        <div>
          <dt className="font-medium">What stays</dt>
          <dd className="m-0 text-ink-2">
            The job record, its parameters and its charge. Inputs hosted elsewhere are not touched.
          </dd>
        </div>
        <div>
          <dt className="font-medium">For a while</dt>
          <dd className="m-0 text-ink-2">Copies may still be served for up to five minutes.</dd>
        </div>
      </dl>
      <SameInputNotice same={same} />
      {presets.length > 0 && (
        <Notice
          tone="warning"
          title={`${countOf(presets.length, "preset")} ${presets.length === 1 ? "holds" : "hold"} the same input`}
          className="mt-3"
        >
          {presets.slice(0, 5).join(", ")}
          {presets.length > 5 && ` and ${presets.length - 5} more`}.
        </Notice>
      )}
      {files > 0 && !failed[0] && <DownloadFirst jobs={jobs} onBusyChange={setIsSaving} />}
      {failed[0] && (
        <div className="mt-3 grid gap-2">
          {jobs.length > 1 && (
            <p role="status" className="m-0">
              {`${deletion.data?.deleted.length ?? 0} deleted, ${failed.length} not.`}
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
        Looking for other jobs that use the same input
      </p>
    );
  }
  const { others, isWhole } = same;
  const partly = "Not all of your jobs are indexed in this browser: History reads the rest.";
  if (others === 0) {
    return isWhole ? null : (
      <p className="m-0 mt-3 text-ink-2">No other job is known to use the same input. {partly}</p>
    );
  }
  const count = `${countOf(others, "other job")} of yours ${others === 1 ? "uses" : "use"} the same input`;
  return (
    <Notice tone="warning" title={isWhole ? count : `At least ${count}`} className="mt-3">
      If that file is on the service's storage, running them again will need a new upload.
      {!isWhole && ` ${partly}`}
    </Notice>
  );
}

function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** Names of the presets that hold one of the inputs of these payloads; read while `isWanted`. */
function usePresetsWithInput(payloads: readonly (JsonRecord | undefined)[], isWanted: boolean): string[] {
  const accountId = useConnection()?.accountId ?? "";
  const inputs = payloads.flatMap((payload) => inputKeys(payload)).join("\n");
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    if (!isWanted || inputs === "") return;
    let isCurrent = true;
    const wanted = new Set(inputs.split("\n"));
    allPresets(accountId)
      .then((presets) => {
        const using = presets.filter((preset) => inputKeys(preset.payload).some((key) => wanted.has(key)));
        if (isCurrent) setNames(using.map(({ name, modelId }) => `${name} (${modelId})`));
      })
      // Without the storage there are no presets that could be named.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [accountId, inputs, isWanted]);
  return isWanted && inputs !== "" ? names : [];
}
