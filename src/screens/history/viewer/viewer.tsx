import { useMemo, useRef, useState } from "react";
import { resultCommands } from "#jobs/commands.ts";
import { DeleteMediaDialog } from "#jobs/delete-media/delete-media-dialog.tsx";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { useRoom } from "#jobs/result/use-room.ts";
import { AsInputDialog } from "#jobs/reuse/as-input-dialog.tsx";
import { isMediaDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { useFileFacts } from "#media/file-facts.ts";
import { fillScreen } from "#media/show/played-media.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { type Acts, commandsFor } from "#ui/command-store.ts";
import { FullDialog } from "#ui/dialog.tsx";
import { otherModels } from "../compare/same-prompt.ts";
import { canDelete } from "../job-acts.tsx";
import { entryName } from "../job-facts.ts";
import { inputOf, useReuseActs } from "../run-again.tsx";
import { Filmstrip } from "./filmstrip.tsx";
import { stripPlaces } from "./strip-places.ts";
import { useKeptZoom } from "./use-kept-zoom.ts";
import { EdgeButton, VIEWER_ICONS, ViewerBar } from "./viewer-bar.tsx";
import { ViewerDetails } from "./viewer-details.tsx";
import { ViewerKeys } from "./viewer-keys.tsx";
import type { ViewerPlace } from "./viewer-place.ts";
import { Neighbours, ViewerStage } from "./viewer-stage.tsx";

interface ViewerProps {
  entries: readonly JobRecord[];
  /** Where results of other models are looked for. */
  pool: readonly JobRecord[];
  place: ViewerPlace;
  onPlace: (place: ViewerPlace) => void;
  onClose: () => void;
  /** With the jobs to compare; without them, whatever is nearest. */
  onCompare: (requestId: string, withJobs?: readonly JobRecord[]) => void;
  marks: Marks;
  nowMs: number;
}

/** Whether the details are open: as it was left, while the page is open. */
let wasDetailed = false;

/** One file over the whole window, with its neighbours, its details, and a key for everything. */
export function Viewer({ entries, pool, place, onPlace, onClose, onCompare, marks, nowMs }: ViewerProps) {
  const [dialog, setDialog] = useState<"input" | "delete">();
  const [isDetailed, setIsDetailed] = useState(wasDetailed);
  const frame = useRef<HTMLDivElement>(null);
  const [room, pane] = useRoom();
  const deletions = useDeletedMedia().jobs;
  const places = useMemo(() => stripPlaces(entries), [entries]);
  const index = places.indexOf(place);
  const shown = places.at(index);
  const entry = shown?.entry;
  const file = shown?.file ?? 0;
  const item = entry?.media[file];
  const zoom = useKeptZoom(item, pane);
  const kind = useShownKind(item ?? NO_FILE);
  const isLoaded = useFileFacts(item?.url ?? "")?.isLoaded === true;
  const reuseActs = useReuseActs(entry);
  const models = useMemo(() => (entry ? otherModels(entry, pool) : []), [entry, pool]);
  if (!entry) return null;
  const input = inputOf(entry, file);
  const goTo = (at: number) => {
    const other = places.at(at);
    if (other) onPlace({ requestId: other.entry.requestId, file: other.file });
  };
  const setDetailed = (open: boolean) => {
    wasDetailed = open;
    setIsDetailed(open);
  };

  const hasFile = item !== undefined && !isMediaDeleted(entry.requestId);
  const fullScreen = async () => {
    await fillScreen(frame.current);
    // Full screen takes the focus from elements outside it, and with it the keys of the viewer.
    frame.current?.focus();
  };
  const acts: Acts<typeof resultCommands> = {
    previous: () => goTo(index - 1),
    next: () => goTo(index + 1),
    first: () => goTo(0),
    last: () => goTo(places.count - 1),
    details: () => setDetailed(!isDetailed),
    star: () => marks.toggleStar([entry.requestId]),
    fullScreen,
    ...reuseActs,
    ...(input && { input: () => setDialog("input") }),
    ...(canDelete(entry, deletions) && { delete: () => setDialog("delete") }),
    ...(hasFile && { compare: () => onCompare(entry.requestId) }),
    ...(hasFile && models.length > 1 && { compareModels: () => onCompare(entry.requestId, models) }),
    ...(hasFile &&
      kind === "image" && {
        zoomIn: zoom.zoomIn,
        zoomOut: zoom.zoomOut,
        actualSize: zoom.actualSize,
        fit: zoom.fit,
      }),
  };
  const neighbours = isLoaded ? [index + 1, index - 1].flatMap((at) => places.at(at) ?? []) : [];

  return (
    <FullDialog
      title={entryName(entry)}
      onClose={onClose}
      place="viewer"
      commands={commandsFor(resultCommands, acts, VIEWER_ICONS)}
    >
      <ViewerBar
        entry={entry}
        file={file}
        position={`${entries.indexOf(entry) + 1} of ${entries.length.toLocaleString("en-US")}`}
        marks={marks}
        isDetailed={isDetailed}
        acts={acts}
        kind={hasFile ? kind : undefined}
        zoom={zoom}
        input={input}
        modelCount={models.length}
        onClose={onClose}
      />
      <div className="flex min-h-0 flex-1 max-md:flex-col short:flex-none">
        <div
          ref={frame}
          tabIndex={-1}
          className="flex min-h-0 min-w-0 flex-1 bg-canvas outline-none short:h-[90dvh] short:max-md:flex-none"
        >
          <EdgeButton name="previous" onAct={() => goTo(index - 1)} isOff={index === 0} />
          <div ref={room} className="relative min-h-0 min-w-0 flex-1">
            <ViewerStage
              entry={entry}
              file={file}
              zoom={zoom}
              onSwipe={(step) => goTo(index + step)}
              onFullScreen={() => void fullScreen()}
            />
          </div>
          <EdgeButton name="next" onAct={() => goTo(index + 1)} isOff={index === places.count - 1} />
        </div>
        {isDetailed && <ViewerDetails entry={entry} marks={marks} nowMs={nowMs} />}
      </div>
      <Filmstrip places={places} index={index} onPick={goTo} />
      <ViewerKeys acts={acts} kind={kind} hasFile={hasFile} />
      <Neighbours items={neighbours} />
      {dialog === "input" && input && <AsInputDialog item={input} onClose={() => setDialog(undefined)} />}
      <DeleteMediaDialog
        open={dialog === "delete"}
        onOpenChange={(isOpen) => setDialog(isOpen ? "delete" : undefined)}
        jobs={[entry]}
      />
    </FullDialog>
  );
}

const NO_FILE = { url: "", kind: "other" } as const;
