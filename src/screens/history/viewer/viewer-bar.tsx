import { ChevronLeft, ChevronRight, Columns2, Info, Maximize, Star, X } from "lucide-react";
import type { Job } from "#api/types.ts";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { DownloadButton } from "#media/download/download-button.tsx";
import { IconButton } from "#ui/button.tsx";
import { entryName, type HistoryEntry } from "../history-entry.ts";
import { inputOf, ReuseMenu } from "../run-again.tsx";
import type { ViewerAct } from "./viewer-place.ts";

interface ViewerBarProps {
  entry: HistoryEntry;
  file: number;
  /** Such as "12 of 50". */
  position: string;
  marks: Marks;
  isDetailed: boolean;
  onAct: (act: ViewerAct) => void;
  onClose: () => void;
}

/** What is shown, and what can be done with it; each has its key. */
export function ViewerBar({ entry, file, position, marks, isDetailed, onAct, onClose }: ViewerBarProps) {
  const isStarred = marks.marks.get(entry.requestId)?.isStarred ?? false;
  const isDeleted = useIsMediaDeleted(entry.requestId);
  const files = entry.media.length;
  return (
    <div className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-1 border-line border-b px-3 py-2">
      <IconButton label="Previous" aria-keyshortcuts="ArrowLeft" onClick={() => onAct("previous")}>
        <ChevronLeft aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="Next" aria-keyshortcuts="ArrowRight" onClick={() => onAct("next")}>
        <ChevronRight aria-hidden className="size-4" />
      </IconButton>
      <span role="status" className="mx-2 shrink-0 text-[12.5px] text-ink-3 tabular-nums">
        {position}
        {files > 1 && `, file ${file + 1} of ${files}`}
      </span>
      <span className="min-w-[6rem] flex-1 truncate" title={visibleLine(entry.prompt, 1000)}>
        {entryName(entry)}
      </span>
      <IconButton
        label="Star"
        aria-pressed={isStarred}
        aria-keyshortcuts="."
        onClick={() => onAct("star")}
        className={isStarred ? "text-accent-text!" : ""}
      >
        <Star aria-hidden className={isStarred ? "size-4 fill-current" : "size-4"} />
      </IconButton>
      {files > 0 && !isDeleted && (
        <IconButton label="Compare" aria-keyshortcuts="m" onClick={() => onAct("compare")}>
          <Columns2 aria-hidden className="size-4" />
        </IconButton>
      )}
      <IconButton label="Details" aria-pressed={isDetailed} aria-keyshortcuts="i" onClick={() => onAct("details")}>
        <Info aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        label="Full screen"
        aria-keyshortcuts="f"
        onClick={() => onAct("full-screen")}
        className="max-sm:hidden"
      >
        <Maximize aria-hidden className="size-4" />
      </IconButton>
      <ReuseMenu hasKeys entry={entry} item={inputOf(entry, file)} onAsInput={() => onAct("as-input")} />
      {!isDeleted && <DownloadButton job={asJob(entry)} index={file} shortcut="d" />}
      <IconButton label="Close" onClick={onClose} className="max-sm:ml-auto">
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

function asJob(entry: HistoryEntry): Job {
  return { ...entry, raw: {} };
}
