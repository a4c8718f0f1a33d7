import { clsx } from "clsx";
import type { ReactNode } from "react";
import { counted, formatNumber } from "#lib/numbers.ts";
import { formatClock } from "#lib/time.ts";
import { usePollTimes } from "./poll-times.ts";
import { createTicks, type TimeScale, timeScale } from "./time-scale.ts";
import { useNow } from "./use-now.ts";
import { getRoughTime, rangeText, roundTime, type UsualTime, useUsualTimes } from "./usual-time.ts";

interface WaitingTimeProps {
  /** Undefined until the service has accepted the run. */
  requestId: string | undefined;
  model: string | undefined;
  /** What it makes: "image", "video", "audio". Jobs of this kind stand in where there are too few of the model. */
  kind?: string | undefined;
  /** When it was submitted, in ms; undefined where nobody knows. */
  sinceMs: number | undefined;
  /** A button at the end of the first line, on a phone. */
  act?: ReactNode;
}

/**
 * The time that a job has taken so far, on a scale with the range that is usual for this person. Its height is the same
 * whatever is known, so that nothing below it moves.
 */
export function WaitingTime({ requestId, model, kind, sinceMs, act }: WaitingTimeProps) {
  const nowMs = useNow();
  const times = useUsualTimes();
  const usual = times.of(model, kind);
  const elapsedMs = sinceMs === undefined ? undefined : Math.max(0, nowMs - sinceMs);
  const { lastMs, slowText } = usePollTimes(requestId ?? "");
  const isLate = usual !== undefined && elapsedMs !== undefined && elapsedMs > usual.highMs;
  const late = isLate ? "Taking longer than usual. Still running." : undefined;
  return (
    // A wide pane has all in one line, because a grid of results leaves less room below it there.
    <div className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 @5xl:grid-cols-[auto_auto_minmax(0,1fr)_auto]">
      <span
        role="timer"
        aria-label="Elapsed"
        className="min-h-9 max-md:min-h-11 font-medium text-xl leading-normal tracking-tighter tabular-nums"
      >
        {elapsedMs === undefined ? "—" : formatClock(elapsedMs)}
      </span>
      <span className="truncate text-lg text-ink-2">{usual && `Usually ${rangeText(usual)}`}</span>
      {act}
      <span className="min-h-4.5 text-sm text-ink-3 tabular-nums max-md:col-span-full max-md:row-start-4 @5xl:col-start-4">
        {requestId !== undefined &&
          lastMs !== undefined &&
          `Updated ${formatNumber(Math.max(0, Math.round((nowMs - lastMs) / 1000)))} s ago`}
      </span>
      <div className="col-span-full row-start-2 mt-3 min-h-9.5 @5xl:col-span-1 @5xl:col-start-3 @5xl:row-start-1 @5xl:mx-3 @5xl:mt-0 @5xl:self-end">
        {usual && elapsedMs !== undefined ? (
          <TimeBand usual={usual} elapsedMs={elapsedMs} kind={kind} />
        ) : (
          !usual &&
          !times.isReading && (
            <p className="m-0 flex min-h-9.5 items-center text-sm text-ink-3">
              {getRoughTime(kind)} Typical times appear after a few jobs.
            </p>
          )
        )}
      </div>
      <p role="status" className="col-span-full row-start-3 m-0 mt-1 min-h-4.5 text-sm text-ink-2">
        {[late, requestId === undefined ? undefined : slowText].filter(Boolean).join(" ") ||
          (usual && elapsedMs !== undefined && (
            <span className={clsx("text-ink-3", fitsSource(timeScale(elapsedMs, usual)) && "sm:hidden")}>
              {sourceText(usual, kind)}
            </span>
          ))}
      </p>
    </div>
  );
}

const KIND_WORDS: Readonly<Record<string, string>> = { image: "image job", video: "video job", audio: "audio job" };

function sourceText({ jobs, of }: UsualTime, kind: string | undefined): string {
  return `Based on your last ${counted(jobs, (of === "kind" && KIND_WORDS[kind ?? ""]) || "job")}`;
}

/** The words fit into a usual range of at least this many percent of the scale. */
const MIN_RANGE_FOR_WORDS = 36;
const fitsSource = ({ low, high }: TimeScale) => high - low >= MIN_RANGE_FOR_WORDS;

/** Elapsed time against the usual range. It is a scale of time and no progress bar: nobody knows the progress. */
function TimeBand({ usual, elapsedMs, kind }: { usual: UsualTime; elapsedMs: number; kind: string | undefined }) {
  const scale = timeScale(elapsedMs, usual);
  const source = sourceText(usual, kind);
  return (
    <div
      role="img"
      aria-label={`Usual time: ${rangeText(usual)}. ${source}`}
      className="relative h-9.5 text-xs text-ink-3 leading-snug tabular-nums"
    >
      <span className="absolute inset-x-0 top-1.5 h-2 overflow-hidden rounded-full bg-raised forced-colors:border forced-colors:border-[CanvasText]">
        <span
          className="absolute inset-y-0 left-0 bg-ink-3 forced-colors:bg-[CanvasText]"
          style={{ width: `${scale.now}%` }}
        />
        {/* Over the elapsed time: the usual range stays visible when a job takes longer. */}
        <span
          className="absolute inset-y-0 bg-queued/45 forced-colors:bg-[Highlight]"
          style={{ left: `${scale.low}%`, width: `${scale.high - scale.low}%` }}
        />
      </span>
      <span
        className="absolute top-0 h-5 w-1 -translate-x-1/2 rounded-full bg-ink ring-3 ring-canvas forced-colors:bg-[CanvasText]"
        style={{ left: `clamp(2px, ${scale.now}%, calc(100% - 2px))` }}
      />
      {createTicks(scale, usual).map(({ at, ms, kind: place }) => (
        <span
          key={place}
          className={clsx(
            "absolute top-5.5 whitespace-nowrap",
            place === "end" && "-translate-x-full",
            (place === "low" || place === "high") && "-translate-x-1/2",
          )}
          style={{ left: `${at}%` }}
        >
          {ms === 0 ? "0" : roundTime(ms)}
        </span>
      ))}
      {fitsSource(scale) && (
        <span
          className="absolute top-5.5 -translate-x-1/2 whitespace-nowrap text-ink-2 max-sm:hidden"
          style={{ left: `${(scale.low + scale.high) / 2}%` }}
        >
          {source}
        </span>
      )}
    </div>
  );
}
