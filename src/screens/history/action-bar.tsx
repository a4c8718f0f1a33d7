import { Columns2, Star, Tag, Trash2, X } from "lucide-react";
import { useState } from "react";
import { isFinal } from "#api/job-status.ts";
import { DeleteMediaDialog } from "#jobs/delete-media-dialog.tsx";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { AsInput } from "#jobs/reuse/as-input.tsx";
import { filesOf } from "#media/bulk/bulk-job.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { Button } from "#ui/button.tsx";
import { Kbd } from "#ui/kbd.tsx";
import { BulkButtons } from "./bulk-buttons.tsx";
import { CollectDialog } from "./collect-dialog.tsx";
import type { HistoryEntry } from "./history-entry.ts";
import { RehostButton } from "./rehost-button.tsx";
import { canRehost } from "./use-rehost.ts";
import { inputOf } from "./viewer/input-of.ts";
import { ReuseMenu } from "./viewer/reuse-menu.tsx";

interface ActionBarProps {
  /** The chosen jobs, in the order of the list. */
  chosen: readonly HistoryEntry[];
  marks: Marks;
  onCompare: () => void;
  onClear: () => void;
}

export const MOST_COMPARED = 4;

/** What can be done with the chosen jobs. Floats over the list while something is chosen. */
export function ActionBar({ chosen, marks, onCompare, onClear }: ActionBarProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const [isCollecting, setIsCollecting] = useState(false);
  const withMedia = chosen.filter((entry) => entry.media.length > 0 && !isMediaDeleted(entry.requestId));
  const files = filesOf(withMedia);
  const deletable = withMedia.filter((entry) => isFinal(entry.status));
  const ids = chosen.map((entry) => entry.requestId);
  const only = chosen.length === 1 ? chosen[0] : undefined;
  const input = only && inputOf(only, 0);
  const isStarred = chosen.every((entry) => marks.marks.get(entry.requestId)?.isStarred);
  return (
    <div
      role="toolbar"
      aria-label="Chosen jobs"
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
        <Button size="sm" onClick={onCompare}>
          <Columns2 aria-hidden className="size-4" />
          Compare
        </Button>
      )}
      <Button size="sm" onClick={() => marks.toggleStar(ids)} aria-pressed={isStarred}>
        <Star aria-hidden className={isStarred ? "size-4 fill-current" : "size-4"} />
        Star
      </Button>
      <Button size="sm" onClick={() => setIsCollecting(true)}>
        <Tag aria-hidden className="size-4" />
        Collect
      </Button>
      <BulkButtons wanted={files} label="Download zip" isEmpty={files.length === 0} />
      {deletable.length > 0 && (
        <Button size="sm" variant="danger" onClick={() => setIsAsking(true)}>
          <Trash2 aria-hidden className="size-4" />
          Delete media
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={onClear}>
        <span className="sr-only">Clear the selection</span>
        <X aria-hidden className="size-4 sm:hidden" />
        <Kbd keys="esc" className="max-sm:hidden" />
      </Button>
      {isChoosing && input && <AsInput item={input} onClose={() => setIsChoosing(false)} />}
      {isCollecting && <CollectDialog requestIds={ids} marks={marks} onClose={() => setIsCollecting(false)} />}
      <DeleteMediaDialog open={isAsking} onOpenChange={setIsAsking} jobs={deletable} onDeleted={onClear} />
    </div>
  );
}
