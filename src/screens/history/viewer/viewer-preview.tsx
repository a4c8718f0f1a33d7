import type { RefObject } from "react";
import { useRef } from "react";
import { hasNoResult } from "#api/final-status.ts";
import { JobStatus } from "#jobs/job-status.tsx";
import { NoResultReason, otherEndMoney } from "#jobs/no-result.tsx";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { MediaView } from "#media/show/media-view.tsx";
import { useShownKind } from "#media/show/use-media-state.ts";
import { VideoTools } from "#media/show/video-tools.tsx";
import { type Zoom, ZoomPane } from "#media/show/zoom-pane.tsx";
import { entryName, type HistoryEntry } from "../history-entry.ts";
import { canRehost, RehostButton } from "../run-again.tsx";

interface ViewerPreviewProps {
  entry: HistoryEntry;
  file: number;
  zoom: Zoom;
  onZoom: (make: (zoom: Zoom) => Zoom) => void;
  /** Around the clip or sound, for the keys of the viewer. */
  clip: RefObject<HTMLDivElement | null>;
}

const NO_FILE = { url: "", kind: "other" } as const;

/**
 * The file in full: a picture zooms and moves, a clip has its tools, a sound its waveform. Without a file, the job's
 * status and why.
 */
export function ViewerPreview({ entry, file, zoom, onZoom, clip }: ViewerPreviewProps) {
  const own = useRef<HTMLDivElement>(null);
  const isDeleted = useIsMediaDeleted(entry.requestId);
  const item = entry.media[file];
  const kind = useShownKind(item ?? NO_FILE);
  if (!item) {
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
  const view = (
    <MediaView
      item={item}
      alt={entryName(entry)}
      payload={entry.payload}
      createdAtSeconds={entry.createdAtSeconds}
      isDeleted={isDeleted}
      className="aspect-auto! h-full rounded-none! bg-transparent!"
    />
  );
  if (kind === "image") {
    return (
      <ZoomPane zoom={zoom} onZoom={onZoom} className="h-full">
        {view}
      </ZoomPane>
    );
  }
  const name = `${entry.model ?? "clip"}-${entry.requestId.slice(0, 8)}`;
  return (
    <div ref={clip} className="flex h-full flex-col">
      <div ref={own} className="min-h-0 flex-1">
        {view}
      </div>
      {kind === "video" && !isDeleted && (
        <div className="flex justify-center py-2">
          <VideoTools
            key={item.url}
            videos={() => [...(own.current?.querySelectorAll("video") ?? [])]}
            grab={{ url: item.url, name }}
          />
        </div>
      )}
    </div>
  );
}
