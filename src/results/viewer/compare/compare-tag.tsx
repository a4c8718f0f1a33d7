import { clsx } from "clsx";
import { Star, Volume2, VolumeX } from "lucide-react";
import type { CSSProperties } from "react";
import { formatElapsed } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { Marks } from "#results/marks/use-marks.ts";
import { jobName } from "#runs/job-facts.ts";
import { JobPrice } from "#runs/prices/job-price.tsx";
import { type JobRecord, tookMs } from "#storage/job-records.ts";

interface CompareTagProps {
  job: JobRecord;
  letter: string;
  /** Screen pixels for each pixel of the file, in percent; undefined while its size is not known. */
  percent: number | undefined;
  marks: Marks;
  /** Several prompts are compared: each is named. */
  hasPrompt: boolean;
  /** Whether its sound is the one that is heard; undefined where it has none. */
  isHeard?: boolean | undefined;
  onListen: () => void;
  /** Laid over the picture: dark glass in both themes. */
  isOver: boolean;
  /** CSS pixels, where its place has a fixed height. */
  height?: number | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

/** Which of the compared results this is: its letter, model, price and time, its prompt where they differ, its star. */
export function CompareTag({ job, letter, percent, marks, hasPrompt, isHeard, isOver, ...rest }: CompareTagProps) {
  const isStarred = marks.marks.get(job.requestId)?.isStarred ?? false;
  const took = tookMs(job);
  const hasPrice = job.priceMicroUsd !== undefined || job.estimatedMicroUsd !== undefined;
  const facts = [
    took === undefined ? undefined : formatElapsed(took),
    percent === undefined ? undefined : `${Math.round(percent)} %`,
  ].filter((fact) => fact !== undefined);
  const quiet = isOver ? "text-white/75" : "text-ink-3";
  const round = clsx(
    "grid size-7 shrink-0 cursor-pointer place-items-center rounded-sm border-0 bg-transparent outline-offset-0 focus-visible:outline-2 focus-visible:outline-focus pointer-coarse:size-11",
    isOver ? "text-white hover:bg-white/15" : "text-ink-2 hover:bg-hover",
  );
  return (
    <div
      data-tag={letter}
      className={clsx(
        "flex min-w-0 items-center gap-2 text-[12.5px]",
        isOver && "rounded-[9px] bg-black/65 py-1 ps-1.5 pe-1 text-white",
        rest.className,
      )}
      style={{ ...rest.style, height: rest.height }}
    >
      <span
        className={clsx(
          "grid size-[22px] shrink-0 place-items-center rounded-[6px] font-semibold text-[12px]",
          isOver ? "bg-white text-black" : "bg-ink text-canvas",
        )}
      >
        {letter}
      </span>
      <span className="flex min-w-0 flex-1 flex-col leading-[17px]">
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="max-w-full shrink-0 truncate font-medium">{visibleLine(job.model ?? "—")}</span>
          <span className={clsx("min-w-0 truncate tabular-nums max-sm:hidden", quiet)}>
            <JobPrice job={job} />
            {hasPrice && facts.length > 0 && " · "}
            {facts.join(" · ")}
          </span>
        </span>
        {hasPrompt && (
          <span dir="auto" className={clsx("truncate text-left text-[12px]", quiet)}>
            {jobName(job)}
          </span>
        )}
      </span>
      {isHeard !== undefined && (
        <button
          type="button"
          data-field=""
          aria-label={`Listen to ${letter}`}
          title={`Listen to ${letter}`}
          aria-pressed={isHeard}
          onClick={rest.onListen}
          className={round}
        >
          {isHeard ? <Volume2 aria-hidden className="size-4" /> : <VolumeX aria-hidden className="size-4 opacity-60" />}
        </button>
      )}
      <button
        type="button"
        data-field=""
        aria-label={`Star ${letter}`}
        title={`Star ${letter}`}
        aria-pressed={isStarred}
        onClick={() => marks.toggleStar([job.requestId])}
        className={round}
      >
        <Star aria-hidden className={clsx("size-4", isStarred && "fill-current")} />
      </button>
    </div>
  );
}
