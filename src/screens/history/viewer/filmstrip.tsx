import { clsx } from "clsx";
import { useEffect, useRef } from "react";
import { JobStatus } from "#jobs/job-status.tsx";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { MediaThumb } from "#media/media-thumb.tsx";
import { entryName } from "../entry-name.ts";
import type { HistoryEntry } from "../history-entry.ts";

/** How many neighbours are shown on each side. */
const AROUND = 8;

interface FilmstripProps {
  entries: readonly HistoryEntry[];
  index: number;
  onPick: (index: number) => void;
}

/** The jobs around the one that is shown. */
export function Filmstrip({ entries, index, onPick }: FilmstripProps) {
  const current = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    void index;
    current.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [index]);
  const from = Math.max(0, index - AROUND);
  return (
    <nav
      aria-label="Filmstrip"
      className="flex shrink-0 gap-2 overflow-x-auto border-line border-t px-4 py-2.5 [scrollbar-width:none]"
    >
      {entries.slice(from, index + AROUND + 1).map((entry, place) => {
        const isCurrent = from + place === index;
        const first = entry.media[0];
        return (
          <button
            key={entry.requestId}
            ref={isCurrent ? current : undefined}
            type="button"
            aria-current={isCurrent || undefined}
            onClick={() => onPick(from + place)}
            className={clsx(
              "relative h-14 w-20 shrink-0 cursor-pointer overflow-hidden rounded-sm border-0 bg-hover p-0 text-ink-2 outline-2 outline-offset-2 focus-visible:outline-focus",
              isCurrent ? "outline-accent" : "outline-transparent hover:brightness-110",
            )}
          >
            <span className="sr-only">{entryName(entry)}</span>
            {first ? (
              <MediaThumb
                key={first.url}
                item={first}
                alt=""
                createdAtSeconds={entry.createdAtSeconds}
                isDeleted={isMediaDeleted(entry.requestId)}
                isSmall
              />
            ) : (
              <JobStatus status={entry.status} className="text-[11px]" />
            )}
          </button>
        );
      })}
    </nav>
  );
}
