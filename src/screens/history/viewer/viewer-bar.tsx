import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, Columns2, Info, type LucideIcon, Maximize, Star, X } from "lucide-react";
import type { Job } from "#api/types.ts";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { DownloadButton } from "#media/download/download-button.tsx";
import { IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { entryName, type HistoryEntry } from "../history-entry.ts";
import { inputOf, ReuseMenu } from "../run-again.tsx";
import { VIEWER_DOWNLOAD, type ViewerAct, viewerCommand } from "./viewer-commands.ts";

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
      <ActButton act="previous" icon={ChevronLeft} onAct={onAct} />
      <ActButton act="next" icon={ChevronRight} onAct={onAct} />
      <span role="status" className="mx-2 shrink-0 text-[12.5px] text-ink-3 tabular-nums">
        {position}
        {files > 1 && `, file ${file + 1} of ${files}`}
      </span>
      <span dir="auto" className="min-w-[6rem] flex-1 truncate text-left" title={visibleLine(entry.prompt, 1000)}>
        {entryName(entry)}
      </span>
      <ActButton act="star" icon={Star} isPressed={isStarred} isFilled={isStarred} onAct={onAct} />
      {files > 0 && !isDeleted && <ActButton act="compare" icon={Columns2} onAct={onAct} />}
      <ActButton act="details" icon={Info} isPressed={isDetailed} onAct={onAct} />
      <ActButton act="full-screen" icon={Maximize} onAct={onAct} className="max-sm:hidden" />
      <ReuseMenu hasKeys entry={entry} item={inputOf(entry, file)} onAsInput={() => onAct("as-input")} />
      {!isDeleted && <DownloadButton job={asJob(entry)} index={file} command={VIEWER_DOWNLOAD} />}
      <IconButton label="Close" onClick={onClose} className="max-sm:ms-auto">
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

interface ActButtonProps {
  act: ViewerAct;
  icon: LucideIcon;
  isPressed?: boolean | undefined;
  isFilled?: boolean | undefined;
  className?: string | undefined;
  onAct: (act: ViewerAct) => void;
}

function ActButton({ act, icon: Icon, isPressed, isFilled = false, className, onAct }: ActButtonProps) {
  const command = viewerCommand(act);
  return (
    <IconButton
      {...useCommandProps(command)}
      label={command.label}
      aria-pressed={isPressed}
      onClick={() => onAct(act)}
      className={clsx(className, isFilled && "text-accent-text!")}
    >
      <Icon aria-hidden className={clsx("size-4", isFilled && "fill-current")} />
    </IconButton>
  );
}

function asJob(entry: HistoryEntry): Job {
  return { ...entry, raw: {} };
}
