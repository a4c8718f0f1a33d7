import { clsx } from "clsx";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { isMediaDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { useFileFacts } from "#media/file-facts.ts";
import { fillScreen } from "#media/show/played-media.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { type Acts, type Command, commandsFor } from "#ui/command-store.ts";
import { FullDialog } from "#ui/dialog.tsx";
import { useRoom } from "#ui/use-room.ts";
import { resultCommands } from "../commands.ts";
import { DeleteMediaDialog } from "../delete-media/delete-media-dialog.tsx";
import { canDelete } from "../delete-media/use-delete-media.ts";
import { useMarks } from "../marks/use-marks.ts";
import { AsInputDialog } from "../reuse/as-input-dialog.tsx";
import { inputOf, useReuseActs } from "../reuse/reuse-menu.tsx";
import { otherModels } from "./compare/same-prompt.ts";
import { Filmstrip } from "./filmstrip.tsx";
import type { StripPlaces, ViewerPlace } from "./strip-places.ts";
import { EdgeButton, VIEWER_ICONS, ViewerBar } from "./viewer-bar.tsx";
import { ViewerDetails } from "./viewer-details.tsx";
import { ViewerKeys } from "./viewer-keys.tsx";
import { Neighbours, NO_FILE, ViewerStage } from "./viewer-stage.tsx";
import { useZoom } from "./viewer-zoom.tsx";

interface ViewerProps {
  places: StripPlaces;
  place: ViewerPlace;
  onPlace: (place: ViewerPlace) => void;
  onClose: () => void;
  /** Where results of other models are looked for. */
  pool?: readonly JobRecord[];
  /** With the jobs to compare; without them, whatever is nearest. Nothing is compared from here where this is not given. */
  onCompare?: (requestId: string, withJobs?: readonly JobRecord[]) => void;
  /** What only this list can do, beside what is done with every result, and the buttons for it. */
  ownCommands?: readonly Command[];
  ownButtons?: ReactNode;
  /** Beside the name. */
  facts?: string;
  /** In place of a file that is not there. Without it, the status of the job and why: then each result must have a job. */
  noFile?: ReactNode;
  /** Paler: it was rejected. */
  isFaint?: boolean;
  /** What gets the focus after closing; what had it before, where this is not given. */
  focusAfter?: () => HTMLElement | undefined;
}

/** Whether the details are open: as it was left, while the page is open. */
let wasDetailed = false;
const NO_JOBS: readonly JobRecord[] = [];

/** One file over the whole window, with its neighbours, its details, and a key for everything. */
export function Viewer({ places, place, onPlace, onClose, pool = NO_JOBS, onCompare, ...own }: ViewerProps) {
  const marks = useMarks();
  const [dialog, setDialog] = useState<"input" | "delete">();
  const [isDetailed, setIsDetailed] = useState(wasDetailed);
  const frame = useRef<HTMLDivElement>(null);
  const [room, pane] = useRoom();
  const deletions = useDeletedMedia().jobs;
  const index = places.indexOf(place);
  const shown = places.at(index);
  const job = shown?.result.job;
  const file = shown?.file ?? 0;
  const item = shown?.result.files[file];
  const facts = useFileFacts(item?.url ?? "");
  const width = facts?.width ?? item?.width;
  const height = facts?.height ?? item?.height;
  const fitted = width && height ? Math.min(pane.width / width, pane.height / height) : undefined;
  // The zoom stays while files of equal size follow each other.
  const zoom = useZoom(fitted ? `${width}x${height}` : (item?.url ?? ""), pane, fitted);
  const kind = useShownKind(item ?? NO_FILE);
  const reuseActs = useReuseActs(job);
  const models = useMemo(() => (job ? otherModels(job, pool) : []), [job, pool]);
  if (!shown) return null;
  const input = job && inputOf(job, file);
  const goTo = (at: number) => {
    const other = places.at(at);
    if (other) onPlace({ id: other.result.id, file: other.file });
  };
  const setDetailed = (open: boolean) => {
    wasDetailed = open;
    setIsDetailed(open);
  };
  const hasFile = item !== undefined && !isMediaDeleted(job?.requestId ?? "");
  const fullScreen = async () => {
    await fillScreen(frame.current);
    // Full screen takes the focus from elements outside it, and with it the keys of the viewer.
    frame.current?.focus();
  };
  const isStarred = job !== undefined && marks.marks.get(job.requestId)?.isStarred === true;
  const acts: Acts<typeof resultCommands> = {
    previous: () => goTo(index - 1),
    next: () => goTo(index + 1),
    first: () => goTo(0),
    last: () => goTo(places.count - 1),
    ...(hasFile && { fullScreen }),
    ...(job && { details: () => setDetailed(!isDetailed), star: () => marks.toggleStar([job.requestId]) }),
    ...reuseActs,
    ...(input && { input: () => setDialog("input") }),
    ...(job && canDelete(job, deletions) && { delete: () => setDialog("delete") }),
    ...(job && hasFile && onCompare && { compare: () => onCompare(job.requestId) }),
    ...(job && hasFile && onCompare && models.length > 1 && { compareModels: () => onCompare(job.requestId, models) }),
    ...(hasFile && kind === "image" && zoom.acts),
  };
  const isLoaded = facts?.isLoaded === true;
  const neighbours = isLoaded ? [index + 1, index - 1].flatMap((at) => places.at(at) ?? []) : [];

  return (
    <FullDialog
      title={shown.result.name}
      onClose={onClose}
      place="viewer"
      commands={[...commandsFor(resultCommands, acts, VIEWER_ICONS), ...(own.ownCommands ?? [])]}
      {...(own.focusAfter && { focusAfter: own.focusAfter })}
    >
      <ViewerBar
        shown={shown}
        resultCount={places.resultCount}
        isStarred={isStarred}
        isDetailed={isDetailed}
        acts={acts}
        kind={hasFile ? kind : undefined}
        zoom={zoom}
        input={input}
        modelCount={models.length}
        facts={own.facts}
        onClose={onClose}
      >
        {own.ownButtons}
      </ViewerBar>
      <div className="flex min-h-0 flex-1 max-md:flex-col short:flex-none">
        <div
          ref={frame}
          tabIndex={-1}
          className="flex min-h-0 min-w-0 flex-1 bg-canvas outline-none short:h-[90dvh] short:max-md:flex-none"
        >
          <EdgeButton name="previous" onAct={() => goTo(index - 1)} isOff={index === 0} />
          <div ref={room} className={clsx("relative min-h-0 min-w-0 flex-1", own.isFaint && "opacity-60")}>
            {own.noFile && !item ? (
              own.noFile
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
          <EdgeButton name="next" onAct={() => goTo(index + 1)} isOff={index === places.count - 1} />
        </div>
        {isDetailed && job && <ViewerDetails job={job} marks={marks} />}
      </div>
      <Filmstrip places={places} index={index} onPick={goTo} />
      <ViewerKeys acts={acts} kind={kind} hasFile={hasFile} />
      <Neighbours places={neighbours} />
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

/**
 * A list, or what it was when it last had the item that the viewer shows: a filter may take that away, because its star is
 * gone or its run has ended.
 */
export function useLastWith<T>(list: readonly T[], isShown: (item: T) => boolean): readonly T[] {
  const last = useRef(list);
  if (list.some(isShown) || !last.current.some(isShown)) last.current = list;
  return last.current;
}
