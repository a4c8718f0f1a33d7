import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, Columns2, Columns3, Info, Maximize, Star, Trash2, X } from "lucide-react";
import type { ReactNode } from "react";
import type { MediaKind } from "#api/types.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { DownloadButton } from "#media/download/download-button.tsx";
import { getPrompt } from "#runs/job-inputs.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import type { Acts } from "#ui/commands.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { resultCommands } from "../commands.ts";
import { ReuseMenu } from "../reuse/reuse-menu.tsx";
import type { StripItem } from "./strip.ts";
import { type ViewerZoom, ZoomControl } from "./viewer-stage.tsx";

/** The icons of the viewer's commands, on its buttons and in the palette. */
export const VIEWER_ICONS = {
  previous: ChevronLeft,
  next: ChevronRight,
  star: Star,
  compare: Columns2,
  compareModels: Columns3,
  details: Info,
  fullScreen: Maximize,
  delete: Trash2,
} as const;

type ViewerActs = Acts<typeof resultCommands>;

interface ViewerBarProps {
  shown: StripItem;
  resultCount: number;
  isStarred: boolean;
  isDetailed: boolean;
  acts: ViewerActs;
  isFirst: boolean;
  isLast: boolean;
  /** The kind of the file that is there to see; undefined without a file. */
  kind: MediaKind | undefined;
  zoom: ViewerZoom;
  /** How many models have a result of this prompt, this one included. */
  modelCount: number;
  /** Such as its price. */
  subtitle: string | undefined;
  /** Buttons for acts that only this list has. */
  children: ReactNode;
  onClose: () => void;
}

/** The line at the top of the viewer: what is shown, and what can be done with it. */
export function ViewerBar({
  shown,
  resultCount,
  isStarred,
  isDetailed,
  acts,
  isFirst,
  isLast,
  kind,
  zoom,
  modelCount,
  subtitle,
  children,
  onClose,
}: ViewerBarProps) {
  const { file, resultIndex } = shown;
  const { name, files, job } = shown.result;
  const isPhone = useIsPhone();
  return (
    <div className="flex min-h-13 shrink-0 flex-wrap items-center gap-1 border-line border-b px-3 py-2">
      {isPhone && <ActButton name="previous" isOff={isFirst} acts={acts} />}
      {isPhone && <ActButton name="next" isOff={isLast} acts={acts} />}
      <span role="status" className="mx-2 shrink-0 text-sm text-ink-3 tabular-nums">
        {`${formatNumber(resultIndex + 1)} of ${formatNumber(resultCount)}`}
        {files.length > 1 && `, file ${file + 1} of ${files.length}`}
      </span>
      <span
        dir="auto"
        className="min-w-[6rem] flex-1 truncate text-left"
        title={(job && visibleLine(getPrompt(job), 1000)) || undefined}
      >
        {name}
      </span>
      {subtitle && <span className="mx-2 shrink-0 text-sm text-ink-2 tabular-nums max-sm:hidden">{subtitle}</span>}
      {kind === "image" && <ZoomControl zoom={zoom} />}
      <ActButton name="star" isPressed={isStarred} isFilled={isStarred} acts={acts} />
      {children}
      <ActButton name="compare" acts={acts} />
      {acts.compareModels && <CompareModels count={modelCount} onCompare={acts.compareModels} />}
      <ActButton name="details" isPressed={isDetailed} acts={acts} />
      {kind !== "video" && <ActButton name="fullScreen" acts={acts} className="max-sm:hidden" />}
      <ActButton name="delete" acts={acts} />
      <ReuseMenu acts={acts} />
      {job && kind && (
        // Each file has a button of its own, so that one that is being read does not block the next.
        <DownloadButton key={`${job.requestId} ${file}`} job={job} index={file} command={resultCommands.download}>
          <span className="max-sm:sr-only">{resultCommands.download.label}</span>
        </DownloadButton>
      )}
      <IconButton label="Close" onClick={onClose} className="max-sm:ms-auto">
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

function CompareModels({ count, onCompare }: { count: number; onCompare: () => unknown }) {
  const command = resultCommands.compareModels;
  return (
    <Button
      {...useCommandProps(command)}
      variant="ghost"
      title={`${counted(count, "model has", "models have")} a result for this prompt`}
      onClick={() => void onCompare()}
    >
      <Columns3 aria-hidden className="size-4" />
      <span className="max-lg:sr-only">{command.label}</span>
      <Kbd command={command} className="max-lg:hidden" />
    </Button>
  );
}

interface ActButtonProps {
  name: keyof typeof VIEWER_ICONS;
  isPressed?: boolean | undefined;
  isOff?: boolean;
  isFilled?: boolean | undefined;
  className?: string | undefined;
  acts: ViewerActs;
}

/** Renders nothing where there is no such act now. */
function ActButton({ name, isPressed, isOff = false, isFilled = false, className, acts }: ActButtonProps) {
  const command = resultCommands[name];
  const Icon = VIEWER_ICONS[name];
  const act = acts[name];
  const props = useCommandProps(command);
  if (!act) return null;
  return (
    <IconButton
      {...props}
      label={command.label}
      aria-pressed={isPressed}
      aria-disabled={isOff || undefined}
      onClick={() => void act()}
      className={clsx("aria-pressed:bg-selected aria-pressed:text-ink!", className)}
    >
      <Icon aria-hidden className={clsx("size-4", isFilled && "fill-current")} />
    </IconButton>
  );
}
