import { clsx } from "clsx";
import { Images } from "lucide-react";
import { useState } from "react";
import { JobStatus } from "#jobs/job-status.tsx";
import { formatMicroUsd } from "#lib/money.ts";
import { useIsMediaDeleted } from "#media/deleted-media.ts";
import { MediaThumb } from "#media/media-thumb.tsx";
import { Pill } from "#ui/pill.tsx";
import type { HistoryEntry } from "./history-entry.ts";
import { RetentionPill } from "./retention-pill.tsx";
import { canRehost } from "./use-rehost.ts";
import { useSettled } from "./use-settled.ts";

interface JobTileProps {
  entry: HistoryEntry;
  nowMs: number;
  isPassing: boolean;
}

/** The picture of a job in the grid: its first file, or its status where there is none. */
export function JobTile({ entry, nowMs, isPassing }: JobTileProps) {
  const isSettled = useSettled(entry.requestId, isPassing);
  const [isHovered, setIsHovered] = useState(false);
  const isDeleted = useIsMediaDeleted(entry.requestId);
  const first = entry.media[0];
  const isRefused = canRehost(entry);
  return (
    <span
      className={clsx(
        "relative block size-full overflow-hidden rounded-md",
        first ? "bg-hover" : "border border-line bg-panel",
      )}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
    >
      {first ? (
        <>
          {isSettled && (
            <MediaThumb
              key={first.url}
              item={first}
              alt=""
              createdAtSeconds={entry.createdAtSeconds}
              isDeleted={isDeleted}
              isHovered={isHovered}
            />
          )}
          {!isDeleted && <RetentionPill entry={entry} nowMs={nowMs} className="absolute bottom-2 left-2" />}
          {entry.media.length > 1 && (
            <Pill overMedia className="absolute right-2 bottom-2">
              <Images aria-hidden className="size-3.5" />
              {entry.media.length}
            </Pill>
          )}
        </>
      ) : (
        <span
          className={clsx(
            "flex size-full flex-col items-center justify-center gap-2 p-3 text-center",
            // Room for the button that the cell puts over it: a button does not belong into a link.
            isRefused && "pb-12! pointer-coarse:pb-14!",
          )}
        >
          <span className="flex flex-wrap items-center justify-center">
            <JobStatus status={entry.status} />
            {entry.status === "failed" && entry.priceMicroUsd !== undefined && (
              <span>, refunded {formatMicroUsd(entry.priceMicroUsd)}</span>
            )}
          </span>
          {entry.failureReason && (
            <span className="wrap-anywhere line-clamp-3 text-balance text-[12.5px] text-ink-2">
              {isRefused ? "The host of the input refused the download." : entry.failureReason}
            </span>
          )}
        </span>
      )}
    </span>
  );
}
