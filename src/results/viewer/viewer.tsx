import { clsx } from "clsx";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { useFileFacts } from "#media/file-facts.ts";
import { fillScreen } from "#media/show/played-media.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { useCommandProps } from "#ui/command-button.tsx";
import { type Acts, type Command, commandsFor } from "#ui/commands.ts";
import { FullDialog } from "#ui/dialog.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { useRoom } from "#ui/use-room.ts";
import { resultCommands } from "../commands.ts";
import { DeleteMediaDialog } from "../deletion/delete-media-dialog.tsx";
import { canDelete } from "../deletion/use-delete-media.ts";
import { useMarks } from "../marks/use-marks.ts";
import { AsInputDialog } from "../reuse/as-input-dialog.tsx";
import { inputOf, useReuseActs } from "../reuse/reuse-menu.tsx";
import { otherModels } from "./compare/same-prompt.ts";
import { Filmstrip } from "./filmstrip.tsx";
import type { Strip, ViewedFile } from "./strip.ts";
import { VIEWER_ICONS, ViewerBar } from "./viewer-bar.tsx";
import { ViewerDetails } from "./viewer-details.tsx";
import { ViewerKeys } from "./viewer-keys.tsx";
import { PreloadNeighbours, ViewerStage } from "./viewer-stage.tsx";
import { useZoom } from "./viewer-zoom.tsx";

interface ViewerProps {
  strip: Strip;
  viewed: ViewedFile;
  onView: (file: ViewedFile) => void;
  onClose: () => void;
  /** All jobs that are known: results of other models are looked for among them. */
  knownJobs?: readonly JobRecord[];
  /**
   * Compares a job with others; without them the caller chooses. Where this is not given, nothing is compared from the
   * viewer.
   */
  onCompare?: (requestId: string, withJobs?: readonly JobRecord[]) => void;
  /** What only this list can do, beside what is done with every result, and the buttons for it. */
  extraCommands?: readonly Command[];
  extraButtons?: ReactNode;
  /** Beside the name, such as the price. */
  subtitle?: string;
  /** Shown for a result without a file. Required where a result may have no job. */
  missingFile?: ReactNode;
  /** Dims the file. */
  isFaint?: boolean;
  /** What gets the focus after closing; what had it before, where this is not given or finds nothing. */
  focusAfter?: () => HTMLElement | undefined;
}

/** Remembered until the page is reloaded. */
let wasDetailed = false;
const NO_JOBS: readonly JobRecord[] = [];
const NO_COMMANDS: readonly Command[] = [];

/** One file over the whole window, with its neighbours, its details, and what can be done with it. */
export function Viewer({
  strip,
  viewed,
  onView,
  onClose,
  knownJobs = NO_JOBS,
  onCompare,
  extraCommands = NO_COMMANDS,
  extraButtons,
  subtitle,
  missingFile,
  isFaint = false,
  focusAfter,
}: ViewerProps) {
  const marks = useMarks();
  const [dialog, setDialog] = useState<"input" | "delete">();
  const [isDetailed, setIsDetailed] = useState(wasDetailed);
  const frame = useRef<HTMLDivElement>(null);
  const [stageRef, pane] = useRoom();
  const deletions = useDeletedMedia().jobs;
  const index = strip.indexOf(viewed);
  const shown = strip.at(index);
  const job = shown?.result.job;
  const file = shown?.file ?? 0;
  const item = shown?.result.files[file];
  const facts = useFileFacts(item?.url ?? "");
  const width = facts?.width ?? item?.width;
  const height = facts?.height ?? item?.height;
  const fitted = width && height ? Math.min(pane.width / width, pane.height / height) : undefined;
  // The zoom stays while files of equal size follow each other.
  const zoom = useZoom(pane, fitted, fitted ? `${width}x${height}` : item?.url);
  const shownKind = useShownKind(item);
  const reuseActs = useReuseActs(job);
  const models = useMemo(() => (job ? otherModels(job, knownJobs, deletions) : []), [job, knownJobs, deletions]);
  if (!shown) return null;
  const input = job && inputOf(job, file);
  const goTo = (at: number) => {
    const other = strip.at(at);
    if (other) onView({ id: other.result.id, file: other.file });
  };
  const setDetailed = (open: boolean) => {
    wasDetailed = open;
    setIsDetailed(open);
  };
  const hasFile = item !== undefined && !(job && deletions.has(job.requestId));
  const kind = hasFile ? shownKind : undefined;
  const fullScreen = async () => {
    await fillScreen(frame.current);
    // Full screen takes the focus from elements outside it, and with it the keys of the viewer.
    frame.current?.focus();
  };
  const isFirst = index === 0;
  const isLast = index === strip.count - 1;
  const isStarred = job !== undefined && marks.marks.get(job.requestId)?.isStarred === true;
  const acts: Acts<typeof resultCommands> = {
    previous: () => goTo(index - 1),
    next: () => goTo(index + 1),
    first: () => goTo(0),
    last: () => goTo(strip.count - 1),
    ...(hasFile && { fullScreen }),
    ...(job && { details: () => setDetailed(!isDetailed), star: () => marks.toggleStar([job.requestId]) }),
    ...reuseActs,
    ...(input && { input: () => setDialog("input") }),
    ...(job && canDelete(job, deletions) && { delete: () => setDialog("delete") }),
    ...(job && hasFile && onCompare && { compare: () => onCompare(job.requestId) }),
    ...(job && hasFile && onCompare && models.length > 1 && { compareModels: () => onCompare(job.requestId, models) }),
    ...(kind === "image" && zoom.acts),
  };
  const isLoaded = facts?.isLoaded === true;
  const neighbours = isLoaded ? [index + 1, index - 1].flatMap((at) => strip.at(at) ?? []) : [];

  return (
    <FullDialog
      title={shown.result.name}
      onClose={onClose}
      place="viewer"
      commands={[...commandsFor(resultCommands, acts, VIEWER_ICONS), ...extraCommands]}
      {...(focusAfter && { focusAfter })}
    >
      <ViewerBar
        shown={shown}
        resultCount={strip.resultCount}
        isStarred={isStarred}
        isDetailed={isDetailed}
        acts={acts}
        isFirst={isFirst}
        isLast={isLast}
        kind={kind}
        zoom={zoom}
        input={input}
        modelCount={models.length}
        subtitle={subtitle}
        onClose={onClose}
      >
        {extraButtons}
      </ViewerBar>
      <div className="flex min-h-0 flex-1 max-md:flex-col short:flex-none">
        <div
          ref={frame}
          tabIndex={-1}
          className="flex min-h-0 min-w-0 flex-1 bg-canvas outline-none short:h-[90dvh] short:max-md:flex-none"
        >
          <EdgeButton name="previous" onAct={() => goTo(index - 1)} isOff={isFirst} />
          <div ref={stageRef} className={clsx("relative min-h-0 min-w-0 flex-1", isFaint && "opacity-60")}>
            {missingFile && !item ? (
              missingFile
            ) : (
              <ViewerStage
                result={shown.result}
                file={file}
                zoom={zoom}
                onSwipe={(step) => goTo(index + step)}
                onFullScreen={() => void fullScreen()}
              />
            )}
          </div>
          <EdgeButton name="next" onAct={() => goTo(index + 1)} isOff={isLast} />
        </div>
        {isDetailed && job && <ViewerDetails job={job} marks={marks} />}
      </div>
      <Filmstrip strip={strip} index={index} onPick={goTo} />
      <ViewerKeys acts={acts} kind={kind} />
      <PreloadNeighbours items={neighbours} />
      {dialog === "input" && input && <AsInputDialog item={input} onClose={() => setDialog(undefined)} />}
      {job && (
        <DeleteMediaDialog
          open={dialog === "delete"}
          onOpenChange={(isOpen) => setDialog(isOpen ? "delete" : undefined)}
          jobs={[job]}
        />
      )}
    </FullDialog>
  );
}

/** To the file before or after, in a margin of its own beside the file, as high as it is. */
function EdgeButton({ name, isOff, onAct }: { name: "previous" | "next"; isOff: boolean; onAct: () => void }) {
  const command = resultCommands[name];
  const Icon = VIEWER_ICONS[name];
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
