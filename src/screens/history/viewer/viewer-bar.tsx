import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, Columns2, Columns3, Info, type LucideIcon, Maximize, Star, X } from "lucide-react";
import type { Job, MediaKind } from "#api/types.ts";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { DownloadButton } from "#media/download/download-button.tsx";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { Kbd } from "#ui/shortcuts.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { entryName, type HistoryEntry } from "../history-entry.ts";
import { inputOf, ReuseMenu } from "../run-again.tsx";
import type { KeptZoom } from "./use-kept-zoom.ts";
import { VIEWER_DOWNLOAD, type ViewerAct, viewerCommand } from "./viewer-commands.ts";
import { ZoomControl } from "./zoom-control.tsx";

interface ViewerBarProps {
  entry: HistoryEntry;
  file: number;
  /** Such as "12 of 50". */
  position: string;
  marks: Marks;
  isDetailed: boolean;
  /** The acts that are possible now. */
  acts: Partial<Record<ViewerAct, () => unknown>>;
  /** Of the file that is there to see; undefined where there is none. */
  kind: MediaKind | undefined;
  zoom: KeptZoom;
  /** How many models have a result of this prompt, this one included. */
  modelCount: number;
  onClose: () => void;
}

/** What is shown, and what can be done with it; each act has its key. */
export function ViewerBar({ entry, file, position, marks, isDetailed, acts, kind, zoom, ...rest }: ViewerBarProps) {
  const isStarred = marks.marks.get(entry.requestId)?.isStarred ?? false;
  const isDeleted = useIsMediaDeleted(entry.requestId);
  const isPhone = useIsPhone();
  const files = entry.media.length;
  const onAct = (act: ViewerAct) => acts[act]?.();
  return (
    <div className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-1 border-line border-b px-3 py-2">
      {isPhone && <ActButton act="previous" icon={ChevronLeft} onAct={onAct} />}
      {isPhone && <ActButton act="next" icon={ChevronRight} onAct={onAct} />}
      <span role="status" className="mx-2 shrink-0 text-[12.5px] text-ink-3 tabular-nums">
        {position}
        {files > 1 && `, file ${file + 1} of ${files}`}
      </span>
      <span dir="auto" className="min-w-[6rem] flex-1 truncate text-left" title={visibleLine(entry.prompt, 1000)}>
        {entryName(entry)}
      </span>
      {kind === "image" && (
        <ZoomControl
          place="viewer"
          percent={zoom.percent}
          isFit={zoom.zoom.scale === 1}
          onIn={zoom.zoomIn}
          onOut={zoom.zoomOut}
          onFit={zoom.fit}
          onActual={zoom.actualSize}
        />
      )}
      <ActButton act="star" icon={Star} isPressed={isStarred} isFilled={isStarred} onAct={onAct} />
      {acts.compare && <ActButton act="compare" icon={Columns2} onAct={onAct} />}
      {acts["compare-models"] && <CompareModels count={rest.modelCount} onAct={onAct} />}
      <ActButton act="details" icon={Info} isPressed={isDetailed} onAct={onAct} />
      {kind !== "video" && <ActButton act="full-screen" icon={Maximize} onAct={onAct} className="max-sm:hidden" />}
      <ReuseMenu hasKeys entry={entry} item={inputOf(entry, file)} onAsInput={() => onAct("as-input")} />
      {!isDeleted && <DownloadButton job={asJob(entry)} index={file} command={VIEWER_DOWNLOAD} />}
      <IconButton label="Close" onClick={rest.onClose} className="max-sm:ms-auto">
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

function CompareModels({ count, onAct }: { count: number; onAct: (act: ViewerAct) => void }) {
  const command = viewerCommand("compare-models");
  return (
    <Button
      {...useCommandProps(command)}
      variant="ghost"
      title={`${count} models have a result of this prompt`}
      onClick={() => onAct("compare-models")}
    >
      <Columns3 aria-hidden className="size-4" />
      <span className="max-lg:sr-only">Compare models</span>
      <Kbd keys={command.keys} command={command.id} className="max-lg:hidden" />
    </Button>
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
      className={clsx("aria-pressed:bg-selected aria-pressed:text-ink!", className)}
    >
      <Icon aria-hidden className={clsx("size-4", isFilled && "fill-current")} />
    </IconButton>
  );
}

/** To the file before or after, in a margin of its own beside the file, as high as it is. */
export function EdgeButton({ act, isOff, onAct }: { act: "previous" | "next"; isOff: boolean; onAct: () => void }) {
  const command = viewerCommand(act);
  const Icon = act === "previous" ? ChevronLeft : ChevronRight;
  const props = useCommandProps(command);
  if (useIsPhone()) return null;
  return (
    <button
      {...props}
      type="button"
      aria-label={command.label}
      title={command.label}
      aria-disabled={isOff || undefined}
      onClick={onAct}
      className="group/edge grid w-14 shrink-0 cursor-pointer place-items-center border-0 bg-transparent text-ink-3 -outline-offset-4 hover:text-ink focus-visible:outline-2 focus-visible:outline-focus aria-disabled:cursor-default aria-disabled:opacity-30"
    >
      <span className="grid size-10 place-items-center rounded-full transition-colors duration-150 group-hover/edge:bg-hover">
        <Icon aria-hidden className="size-5" />
      </span>
    </button>
  );
}

function asJob(entry: HistoryEntry): Job {
  return { ...entry, raw: {} };
}
