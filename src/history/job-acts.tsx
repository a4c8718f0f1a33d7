import { type ReactNode, useMemo, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { counted } from "#lib/numbers.ts";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { type BulkFile, getBulkFiles } from "#media/download/bulk-entries.ts";
import { startBulk } from "#media/download/bulk-run.ts";
import type { resultCommands } from "#results/commands.ts";
import { canDelete } from "#results/deletion/delete-media.ts";
import { DeleteMediaDialog } from "#results/deletion/delete-media-dialog.tsx";
import type { Marks } from "#results/marks/marks.ts";
import { knownTags, readTags } from "#results/marks/tags.ts";
import { AsInputDialog } from "#results/reuse/as-input-dialog.tsx";
import { getReusableFile, useReuseActs } from "#results/reuse/reuse-menu.tsx";
import { MAX_COMPARED, otherModels } from "#results/viewer/compare/same-prompt.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Button } from "#ui/button.tsx";
import type { Acts } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { AddToBatchDialog } from "./add-to-batch-dialog.tsx";

interface JobActsOptions {
  /** The selected jobs, in the order of the list; else the one that has the focus. */
  jobs: readonly JobRecord[];
  marks: Marks;
  /** Results of other models are looked for among them. */
  knownJobs: readonly JobRecord[];
  onCompare: (jobs: readonly JobRecord[]) => void;
  onDeleted: () => void;
}

export interface JobActs {
  /** The acts on results that are possible now. */
  acts: Acts<typeof resultCommands>;
  /** The files of all these jobs. */
  files: readonly BulkFile[];
  collect: () => void;
  addToBatch: () => void;
  /** The dialogs that the acts open, to be rendered where they outlive the selection. */
  dialogs: ReactNode;
}

type OpenDialog = { kind: "delete" | "input" | "collect" | "batch"; jobs: readonly JobRecord[] };

/** What can be done with jobs of the list: by the bar of the selection, by keys and from the palette. */
export function useJobActs({ jobs, marks, knownJobs, onCompare, onDeleted }: JobActsOptions): JobActs {
  const [open, setOpen] = useState<OpenDialog>();
  const deleted = useDeletedMedia().jobs;
  const only = jobs.length === 1 ? jobs[0] : undefined;
  const reuseActs = useReuseActs(only);
  const models = useMemo(() => (only ? otherModels(only, knownJobs, deleted) : []), [only, knownJobs, deleted]);
  const withFiles = jobs.filter((entry) => entry.media.length > 0 && !deleted.has(entry.requestId));
  const files = getBulkFiles(withFiles);
  const canCompare = withFiles.length >= 2 && withFiles.length <= MAX_COMPARED;
  const input = only && getReusableFile(only, 0);
  const deletable = jobs.filter((entry) => canDelete(entry, deleted));
  const acts: JobActs["acts"] = {
    ...(jobs.length > 0 && { star: () => marks.toggleStar(jobs.map(({ requestId }) => requestId)) }),
    ...reuseActs,
    ...(input && { input: () => setOpen({ kind: "input", jobs }) }),
    ...(files.length > 0 && { download: () => startBulk(files) }),
    ...(canCompare && { compare: () => onCompare(withFiles) }),
    ...(models.length > 1 && { compareModels: () => onCompare(models) }),
    ...(deletable.length > 0 && { delete: () => setOpen({ kind: "delete", jobs: deletable }) }),
  };
  const close = () => setOpen(undefined);
  const dialogJobs = open?.jobs ?? [];
  const openInput = open?.kind === "input" && dialogJobs[0] ? getReusableFile(dialogJobs[0], 0) : undefined;
  const dialogs = (
    <>
      {openInput && <AsInputDialog item={openInput} onClose={close} />}
      {open?.kind === "collect" && (
        <CollectDialog requestIds={dialogJobs.map(({ requestId }) => requestId)} marks={marks} onClose={close} />
      )}
      {open?.kind === "batch" && <AddToBatchDialog jobs={dialogJobs} onClose={close} />}
      {open?.kind === "delete" && (
        <DeleteMediaDialog open onOpenChange={(isOpen) => !isOpen && close()} jobs={dialogJobs} onDeleted={onDeleted} />
      )}
    </>
  );
  return {
    acts,
    files,
    collect: () => setOpen({ kind: "collect", jobs }),
    addToBatch: () => setOpen({ kind: "batch", jobs }),
    dialogs,
  };
}

interface CollectDialogProps {
  requestIds: readonly string[];
  marks: Marks;
  onClose: () => void;
}

/** Puts the chosen jobs into a collection: a tag that they share, stored in this browser and found by `tag:`. */
function CollectDialog({ requestIds, marks, onClose }: CollectDialogProps) {
  const { register, handleSubmit, control } = useForm({ defaultValues: { collection: "" } });
  const isEmpty = readTags(useWatch({ control, name: "collection" })).length === 0;
  const known = knownTags(marks.marks);
  function collect(tags: readonly string[]) {
    if (tags.length > 0) marks.change(requestIds, (mark) => ({ tags: [...new Set([...mark.tags, ...tags])] }));
    onClose();
  }
  const submit = handleSubmit(({ collection }) => collect(readTags(collection)));
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Add ${counted(requestIds.length, "job")} to collection`}
      description="A collection is a tag on several jobs. It’s saved in this browser and included in exports of local data."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" aria-disabled={isEmpty} onClick={submit}>
            Add
          </Button>
        </>
      }
    >
      <form onSubmit={submit}>
        <Field label="Collection" hint="Find it later under Starred & tags, or search for tag:name.">
          {({ id, describedBy }) => (
            <TextInput id={id} aria-describedby={describedBy} placeholder="client" {...register("collection")} />
          )}
        </Field>
      </form>
      {known.length > 0 && (
        <div className="mt-3 flex flex-wrap gap-1.5">
          {known.map((tag) => (
            <Button key={tag} size="sm" onClick={() => collect([tag])}>
              <bdi>{tag}</bdi>
            </Button>
          ))}
        </div>
      )}
    </Dialog>
  );
}
