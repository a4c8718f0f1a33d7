import { Columns2, Columns3, ListPlus, Star, Tag, Trash2, X } from "lucide-react";
import { useMemo, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { isFinal } from "#api/final-status.ts";
import { AddToBatchDialog } from "#jobs/batch/add-to-batch-dialog.tsx";
import { DeleteMediaDialog } from "#jobs/delete-media/delete-media-dialog.tsx";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { AsInputDialog } from "#jobs/reuse/as-input-dialog.tsx";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { filesOf } from "#media/download/bulk-entries.ts";
import { Button } from "#ui/button.tsx";
import { CommandButton, useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Field, TextInput } from "#ui/field.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { BulkButtons } from "./bulk-download.tsx";
import { MOST_COMPARED, otherModels } from "./compare/same-prompt.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { canRehost, inputOf, RehostButton, ReuseMenu } from "./run-again.tsx";
import { knownTags, readTags } from "./tags.ts";

interface ActionBarProps {
  /** The chosen jobs, in the order of the list. */
  chosen: readonly HistoryEntry[];
  marks: Marks;
  /** Where results of other models are looked for. */
  pool: readonly HistoryEntry[];
  onCompare: (jobs: readonly HistoryEntry[]) => void;
  onClear: () => void;
}

const group = "Selected jobs";
const COMPARE = { id: "selection.compare", label: "Compare", group, icon: Columns2 };
const COMPARE_MODELS = { id: "selection.compare-models", label: "Compare models", group, icon: Columns3 };
const STAR = { id: "selection.star", label: "Star", group, icon: Star };
const COLLECT = { id: "selection.collect", label: "Add to a collection", group, icon: Tag };
const BATCH = { id: "selection.batch", label: "Add to batch", group, icon: ListPlus };
const DELETE = { id: "selection.delete", label: "Delete files", group, icon: Trash2 };
const CLEAR = { id: "selection.clear", label: "Clear the selection", group, icon: X };

/** What can be done with the chosen jobs. Floats over the list while something is chosen. */
export function ActionBar({ chosen, marks, pool, onCompare, onClear }: ActionBarProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const [isCollecting, setIsCollecting] = useState(false);
  const [isBatching, setIsBatching] = useState(false);
  const deleted = useDeletedMedia().jobs;
  const withMedia = chosen.filter((entry) => entry.media.length > 0 && !deleted.has(entry.requestId));
  const files = filesOf(withMedia);
  const deletable = chosen.filter(
    ({ requestId, media, status }) => media.length > 0 && !deleted.get(requestId)?.isConfirmed && isFinal(status),
  );
  const ids = chosen.map((entry) => entry.requestId);
  const only = chosen.length === 1 ? chosen[0] : undefined;
  const input = only && inputOf(only, 0);
  const models = useMemo(() => (only ? otherModels(only, pool) : []), [only, pool]);
  useCommands([{ ...CLEAR, run: onClear }]);
  const isStarred = chosen.every((entry) => marks.marks.get(entry.requestId)?.isStarred);
  return (
    <div
      role="toolbar"
      aria-label="Selected jobs"
      className="flex flex-wrap items-center gap-1.5 rounded-[12px] border border-line-strong bg-raised py-2 pr-2 pl-4 shadow-float max-sm:pl-2"
    >
      <span role="status" className="font-medium tabular-nums">
        {chosen.length} selected
      </span>
      <span className="mr-2 text-ink-3 tabular-nums max-sm:hidden">
        {files.length === 1 ? "1 file" : `${files.length} files`}
      </span>
      {only && <ReuseMenu entry={only} item={input} onAsInput={() => setIsChoosing(true)} size="sm" />}
      {only && canRehost(only) && <RehostButton key={only.requestId} entry={only} size="sm" />}
      {withMedia.length >= 2 && withMedia.length <= MOST_COMPARED && (
        <CommandButton size="sm" command={{ ...COMPARE, run: () => onCompare(withMedia) }} />
      )}
      {models.length > 1 && <CommandButton size="sm" command={{ ...COMPARE_MODELS, run: () => onCompare(models) }} />}
      <CommandButton
        size="sm"
        aria-pressed={isStarred}
        className={isStarred ? "[&>svg]:fill-current" : ""}
        command={{ ...STAR, run: () => marks.toggleStar(ids) }}
      />
      <CommandButton size="sm" command={{ ...COLLECT, run: () => setIsCollecting(true) }}>
        Add to collection
      </CommandButton>
      <CommandButton size="sm" command={{ ...BATCH, run: () => setIsBatching(true) }} />
      <BulkButtons place="selection" wanted={files} label="Download zip" isEmpty={files.length === 0} />
      {deletable.length > 0 && (
        <CommandButton size="sm" variant="danger" command={{ ...DELETE, run: () => setIsAsking(true) }}>
          Delete files
        </CommandButton>
      )}
      <Button size="sm" variant="ghost" onClick={onClear} {...useCommandProps(CLEAR)}>
        <span className="sr-only">Clear the selection</span>
        <X aria-hidden className="size-4 sm:hidden" />
        <Kbd keys="esc" className="max-sm:hidden" />
      </Button>
      {isChoosing && input && <AsInputDialog item={input} onClose={() => setIsChoosing(false)} />}
      {isCollecting && <CollectDialog requestIds={ids} marks={marks} onClose={() => setIsCollecting(false)} />}
      {isBatching && <AddToBatchDialog jobs={chosen} onClose={() => setIsBatching(false)} />}
      <DeleteMediaDialog open={isAsking} onOpenChange={setIsAsking} jobs={deletable} onDeleted={onClear} />
    </div>
  );
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
    if (tags.length > 0) marks.change(requestIds, (before) => ({ tags: [...new Set([...before.tags, ...tags])] }));
    onClose();
  }
  const submit = handleSubmit(({ collection }) => collect(readTags(collection)));
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={requestIds.length === 1 ? "Add 1 job to a collection" : `Add ${requestIds.length} jobs to a collection`}
      description="A collection is a tag on several jobs. It is saved in this browser and included in exports of local data."
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
        <Field label="Collection" hint="Find it later under Starred & tags, or search for tag: and its name.">
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
