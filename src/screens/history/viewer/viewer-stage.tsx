import { hasNoResult } from "#api/final-status.ts";
import { resultCommands } from "#jobs/commands.ts";
import { JobStatus } from "#jobs/job-status.tsx";
import { NoResultReason, otherEndMoney } from "#jobs/no-result.tsx";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { MediaView } from "#media/show/media-view.tsx";
import { PlayedMedia } from "#media/show/played-media.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import { ZoomPane } from "#media/show/zoom-pane.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { entryName } from "../job-facts.ts";
import { canRehost, RehostButton } from "../run-again.tsx";
import type { KeptZoom } from "./use-kept-zoom.ts";

interface ViewerStageProps {
  entry: JobRecord;
  file: number;
  zoom: KeptZoom;
  onSwipe: (step: 1 | -1) => void;
  onFullScreen: () => void;
}

const NO_FILE = { url: "", kind: "other" } as const;
/** From here on pixels are shown as squares, so that they can be judged. Percent. */
const SQUARES_FROM = 300;

/**
 * The file in full: a picture zooms and moves, a clip or sound has its bar below. Without a file, the job's status and
 * why.
 */
export function ViewerStage({ entry, file, zoom, onSwipe, onFullScreen }: ViewerStageProps) {
  const isDeleted = useIsMediaDeleted(entry.requestId);
  const item = entry.media[file];
  const kind = useShownKind(item ?? NO_FILE);
  if (!item) return <NoFile entry={entry} />;
  const view = {
    item,
    alt: entryName(entry),
    payload: entry.payload,
    createdAtSeconds: entry.createdAtSeconds,
    isDeleted,
    className: "rounded-none! bg-transparent!",
  };
  if (kind !== "image") {
    return (
      <PlayedMedia
        {...view}
        key={item.url}
        hasCommands
        frameName={`${entry.model ?? "clip"}-${entry.requestId.slice(0, 8)}`}
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

function NoFile({ entry }: { entry: JobRecord }) {
  const otherEnd = otherEndMoney(entry.status, undefined);
  return (
    <div className="grid h-full place-items-center p-6 text-center">
      <div className="grid max-w-md justify-items-center gap-2">
        <JobStatus status={entry.status} />
        {hasNoResult(entry.status) && (entry.failureReason || entry.status !== "cancelled") && (
          <div className="text-ink-2">
            <NoResultReason reason={entry.failureReason} requestId={entry.requestId} />
          </div>
        )}
        {otherEnd && <p className="m-0 text-ink-3">{otherEnd}</p>}
        {entry.status === "failed" && <p className="m-0 text-ink-3">Its charge was refunded in full.</p>}
        {canRehost(entry) && <RehostButton hasRoom entry={entry} />}
      </div>
    </div>
  );
}

/** Loads the files beside the shown one, so that a step shows them at once. Pictures only: they are small. */
export function Neighbours({ items }: { items: readonly { entry: JobRecord; file: number }[] }) {
  return (
    <div aria-hidden inert className="pointer-events-none fixed top-[200vh] left-0 size-px overflow-hidden">
      {items.map(({ entry, file }) => {
        const item = entry.media[file];
        return (
          item?.kind === "image" && (
            <MediaView
              key={item.url}
              item={item}
              alt=""
              payload={entry.payload}
              createdAtSeconds={entry.createdAtSeconds}
            />
          )
        );
      })}
    </div>
  );
}
