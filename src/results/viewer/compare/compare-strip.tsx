import { clsx } from "clsx";
import { useState } from "react";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { jobName } from "#runs/job-facts.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { Segmented } from "#ui/segmented.tsx";
import { type Pair, withPick } from "./compare-modes.ts";
import { letterOf } from "./compare-rows.ts";

interface CompareStripProps {
  jobs: readonly JobRecord[];
  pair: Pair;
  onPair: (pair: Pair) => void;
}

const SIDES = [
  { value: "0", label: "A" },
  { value: "1", label: "B" },
] as const;

/** All chosen results: a press lays one over the other, as A or as B. */
export function CompareStrip({ jobs, pair, onPair }: CompareStripProps) {
  const [side, setSide] = useState<"0" | "1">("1");
  const deleted = useDeletedMedia().jobs;
  return (
    <div className="flex shrink-0 items-center gap-3 border-line border-t px-3 py-2">
      <span className="shrink-0 text-[12.5px] text-ink-3 max-sm:sr-only">Replace</span>
      <Segmented label="Replace" options={SIDES} value={side} onChange={setSide} className="shrink-0" />
      <ul
        aria-label="Filmstrip"
        className="m-0 flex min-w-0 list-none gap-2 overflow-x-auto p-1 [scrollbar-width:none]"
      >
        {jobs.map((job, place) => {
          const on = pair.indexOf(place);
          const item = job.media[0];
          return (
            <li key={job.requestId} className="shrink-0">
              <button
                type="button"
                data-field=""
                aria-pressed={on >= 0}
                title={job.model}
                onClick={() => onPair(withPick(pair, side === "0" ? 0 : 1, place))}
                className={clsx(
                  "relative block h-11 w-14 cursor-pointer overflow-hidden rounded-sm border-0 bg-raised p-0 text-ink-2 outline-offset-1 focus-visible:outline-2 focus-visible:outline-focus",
                  on < 0 && "opacity-60 hover:opacity-100",
                )}
              >
                <span className="sr-only">
                  {on >= 0 && `${letterOf(on)}, `}
                  {job.model ?? jobName(job)}
                </span>
                {item && (
                  <CachedThumb
                    key={item.url}
                    item={item}
                    alt=""
                    createdAtSeconds={job.createdAtSeconds}
                    isDeleted={deleted.has(job.requestId)}
                    isSmall
                  />
                )}
                {on >= 0 && (
                  <span
                    aria-hidden
                    className="absolute bottom-1 left-1 grid size-[18px] place-items-center rounded-[5px] bg-white font-semibold text-[11px] text-black"
                  >
                    {letterOf(on)}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
