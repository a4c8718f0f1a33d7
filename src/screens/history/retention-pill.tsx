import { clsx } from "clsx";
import { retentionTone } from "#media/retention.ts";
import { Pill } from "#ui/pill.tsx";
import { keptDays } from "./entry-facts.ts";
import type { HistoryEntry } from "./history-entry.ts";

interface RetentionPillProps {
  entry: HistoryEntry;
  nowMs: number;
  className?: string;
}

/** On a picture: how long the files of a job are still kept, once that is 14 days or fewer (spec 8: 60 days). */
export function RetentionPill({ entry, nowMs, className }: RetentionPillProps) {
  const days = keptDays(entry, nowMs);
  const tone = days === undefined ? "fine" : retentionTone(days);
  if (tone === "fine" || tone === "over") return null;
  // Over a picture the ground is dark in both themes, so the colours are those of the dark one.
  const color = tone === "last" ? "text-[oklch(0.78_0.14_25)]!" : "text-[oklch(0.85_0.15_95)]!";
  return (
    <Pill overMedia className={clsx(color, "bg-black/80!", className)}>
      {days === 1 ? "1 day left" : `${days} days left`}
    </Pill>
  );
}
