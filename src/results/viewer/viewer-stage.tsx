import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { MediaView } from "#media/show/media-view.tsx";
import { PlayedMedia } from "#media/show/played-media.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import { ZoomPane } from "#media/show/zoom-pane.tsx";
import { JobStatus } from "#runs/job-status.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { resultCommands } from "../commands.ts";
import { NoResult } from "../no-result.tsx";
import { canRehost, RehostButton } from "../reuse/rehost-button.tsx";
import type { StripItem, ViewedResult } from "./strip.ts";
import type { ViewerZoom } from "./viewer-zoom.tsx";

interface ViewerStageProps {
  result: ViewedResult;
  file: number;
  zoom: ViewerZoom;
  onSwipe: (step: 1 | -1) => void;
  onFullScreen: () => void;
}

/** From here on pixels are shown as squares, so that they can be judged. Percent. */
const SQUARES_FROM = 300;

/**
 * The file in full: a picture zooms and moves, a clip or sound has its bar below. Without a file, the job's status and
 * why.
 */
export function ViewerStage({ result, file, zoom, onSwipe, onFullScreen }: ViewerStageProps) {
  const { job } = result;
  const isDeleted = useIsMediaDeleted(job?.requestId ?? "");
  const item = result.files[file];
  const kind = useShownKind(item);
  if (!item) return job && <MissingFile job={job} />;
  const view = {
    item,
    alt: result.name,
    payload: job?.payload,
    createdAtSeconds: job?.createdAtSeconds,
    isDeleted,
    className: "rounded-none! bg-transparent!",
  };
  if (kind !== "image") {
    return (
      <PlayedMedia
        {...view}
        key={item.url}
        hasCommands
        frameName={`${job?.model ?? "clip"}-${(job?.requestId ?? result.id).slice(0, 8)}`}
        fullScreen={kind === "video" ? { run: onFullScreen, command: resultCommands.fullScreen } : undefined}
      />
    );
  }
  const hasSquares = zoom.percent !== undefined && zoom.percent >= SQUARES_FROM;
  return (
    <ZoomPane
      zoom={zoom.zoom}
      onZoom={zoom.onZoom}
      largest={zoom.largest}
      onSwipe={onSwipe}
      className={hasSquares ? "h-full [&_img]:[image-rendering:pixelated]" : "h-full"}
    >
      <MediaView key={item.url} {...view} className="aspect-auto! h-full rounded-none! bg-transparent!" />
    </ZoomPane>
  );
}

function MissingFile({ job }: { job: JobRecord }) {
  return (
    <div className="grid h-full place-items-center p-6 text-center">
      <div className="grid max-w-md justify-items-center gap-2">
        <JobStatus status={job.status} />
        <div className="text-ink-2 empty:hidden">
          <NoResult job={job} />
        </div>
        {canRehost(job) && <RehostButton showsTrouble job={job} />}
      </div>
    </div>
  );
}

/** Loads the pictures beside the shown file, so that a step shows them at once. A clip would cost too much to load ahead. */
export function PreloadNeighbours({ items }: { items: readonly StripItem[] }) {
  return (
    <div aria-hidden inert className="pointer-events-none fixed top-[200vh] left-0 size-px overflow-hidden">
      {items.map(({ result: { files, job }, file }) => {
        const item = files[file];
        return (
          item?.kind === "image" && (
            <MediaView
              key={item.url}
              item={item}
              alt=""
              payload={job?.payload}
              createdAtSeconds={job?.createdAtSeconds}
            />
          )
        );
      })}
    </div>
  );
}
