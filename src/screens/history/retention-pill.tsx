import { clsx } from "clsx";
import { daysLeft, retentionTone } from "#media/retention.ts";
import { Pill } from "#ui/pill.tsx";
import type { HistoryEntry } from "./history-entry.ts";

interface RetentionPillProps {
  entry: HistoryEntry;
  nowMs: number;
  overMedia?: boolean;
  className?: string;
}

/** How long the files of a job are still kept, once that is 14 days or fewer (spec 8: 60 days). */
export function RetentionPill({ entry, nowMs, overMedia = false, className }: RetentionPillProps) {
  const days = entry.media.length > 0 ? daysLeft(entry.createdAtSeconds, nowMs) : undefined;
  if (days === undefined) return null;
  const tone = retentionTone(days);
  if (tone === "fine" || tone === "over") return null;
  // Over a picture the ground is dark in both themes, so the colours are those of the dark one.
  const color = overMedia
    ? tone === "last"
      ? "text-[oklch(0.78_0.14_25)]!"
      : "text-[oklch(0.85_0.15_95)]!"
    : tone === "last"
      ? "text-failed!"
      : "text-unconfirmed!";
  return (
    <Pill overMedia={overMedia} className={clsx(color, overMedia && "bg-black/80!", className)}>
      {days === 1 ? "1 day left" : `${days} days left`}
    </Pill>
  );
}
