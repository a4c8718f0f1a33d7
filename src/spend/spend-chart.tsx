import "./spend-chart.css";
import { clsx } from "clsx";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { formatMicroUsd } from "#lib/money.ts";
import { type Axis, tickText } from "./chart-axis.ts";
import { ChartTip } from "./chart-tip.tsx";
import { seriesColour, seriesName } from "./series.ts";
import type { SpendBucket, SpendSeries, SpendView } from "./spend-view.ts";
import { axisName, bucketName, chargedText, refundText } from "./spend-words.ts";

/** A day, a week or a month in one sentence, for those who do not see the bars. */
function described(bucket: SpendBucket, { unit, series }: SpendView): string {
  const name = bucketName(bucket, unit);
  if (!bucket.hasData) return `${name}: no data`;
  const parts = series.flatMap((one, index) => {
    const amount = bucket.charged[index] ?? 0;
    return amount === 0 ? [] : [`${seriesName(one)} ${formatMicroUsd(amount)}`];
  });
  const { estimated, estimatedMicroUsd, unpriced } = bucket.sums;
  const more = [
    estimated > 0 && `estimated ${formatMicroUsd(estimatedMicroUsd)}`,
    unpriced > 0 && `${unpriced} at an unknown price`,
    refundText(bucket.sums),
  ].filter(Boolean);
  return `${name}: ${chargedText(bucket.sums)}. ${[...parts, ...more].join(", ")}`;
}

/** How high a bar is, in micro-USD: its parts that are above zero. */
export const barHeight = ({ charged, sums }: SpendBucket) =>
  charged.reduce((sum, part) => sum + Math.max(0, part), 0) + Math.max(0, sums.estimatedMicroUsd);

/** A bar for each day, week or month, stacked by model; read with the pointer or the arrow keys. */
export function SpendChart({ view, axis }: { view: SpendView; axis: Axis }) {
  const { buckets } = view;
  const [at, setAt] = useState<number>();
  const last = buckets.length - 1;
  const shown = at === undefined ? undefined : buckets[Math.min(at, last)];
  const goTo = (event: KeyboardEvent, index: number) => {
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, index)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const now = at ?? last;
    if (event.key === "ArrowLeft" || event.key === "ArrowDown") goTo(event, now - 1);
    else if (event.key === "ArrowRight" || event.key === "ArrowUp") goTo(event, now + 1);
    else if (event.key === "PageDown") goTo(event, now - 7);
    else if (event.key === "PageUp") goTo(event, now + 7);
    else if (event.key === "Home") goTo(event, 0);
    else if (event.key === "End") goTo(event, last);
    else if (event.key === "Escape") setAt(undefined);
  };
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * buckets.length))));
  };
  const now = Math.min(at ?? last, last);
  const current = buckets[now];
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-[12px] text-ink-3 tabular-nums">
      <TickLabels axis={axis} />
      <div
        role="slider"
        tabIndex={0}
        aria-label="Charged, by time and model"
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={buckets.length}
        aria-valuenow={now + 1}
        aria-valuetext={current && described(current, view)}
        className="relative h-[200px] cursor-crosshair rounded-sm"
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setAt(last)}
        onBlur={() => setAt(undefined)}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setAt(undefined)}
      >
        <Lines axis={axis} />
        <div className="absolute inset-0 flex">
          {buckets.map((bucket, index) => (
            <Bar key={bucket.startMs} bucket={bucket} series={view.series} axis={axis} isShown={at === index} />
          ))}
        </div>
        <NoData share={buckets.filter(({ hasData }) => !hasData).length / buckets.length} />
        {shown && at !== undefined && <ChartTip bucket={shown} view={view} place={(at + 0.5) / buckets.length} />}
      </div>
      <span />
      <TimeLabels view={view} />
    </div>
  );
}

const share = (value: number, { topMicroUsd }: Axis) => `${(value / topMicroUsd) * 100}%`;

function TickLabels({ axis }: { axis: Axis }) {
  return (
    // As wide for most amounts: another scale must not move the bars.
    <div aria-hidden="true" className="relative h-[200px] min-w-[7ch] text-right">
      {axis.ticks.map((tick) => (
        <span key={tick} className="block h-0 overflow-hidden whitespace-nowrap opacity-0">
          {tickText(tick, axis)}
        </span>
      ))}
      {axis.ticks.map((tick) => (
        <span
          key={tick}
          className="absolute end-0 translate-y-1/2 whitespace-nowrap leading-4"
          style={{ bottom: share(tick, axis) }}
        >
          {tickText(tick, axis)}
        </span>
      ))}
    </div>
  );
}

function Lines({ axis }: { axis: Axis }) {
  return (
    <>
      {axis.ticks.map((tick) => (
        <span
          key={tick}
          className={clsx("absolute inset-x-0 border-t", tick === 0 ? "border-line-strong" : "border-line")}
          style={{ bottom: share(tick, axis) }}
        />
      ))}
      {axis.limitMicroUsd !== undefined && (
        <span
          className="absolute inset-x-0 z-[1] border-ink-2 border-t-[1.5px] border-dashed"
          style={{ bottom: share(axis.limitMicroUsd, axis) }}
        />
      )}
    </>
  );
}

interface BarProps {
  bucket: SpendBucket;
  series: readonly SpendSeries[];
  axis: Axis;
  isShown: boolean;
}

function Bar({ bucket, series, axis, isShown }: BarProps) {
  const { estimatedMicroUsd, unpriced } = bucket.sums;
  return (
    <span
      className={clsx(
        "relative flex h-full min-w-0 flex-1 flex-col-reverse items-center",
        isShown && "bg-hover forced-colors:outline forced-colors:outline-1",
      )}
    >
      {series.map((one, index) => {
        const amount = Math.max(0, bucket.charged[index] ?? 0);
        if (amount === 0) return null;
        return (
          <span
            key={one.model ?? ""}
            className={clsx("box-border w-[60%] max-w-7 border-panel border-t", seriesColour(one, index))}
            style={{ height: share(amount, axis), minHeight: "2px" }}
          />
        );
      })}
      {/* Charged at a price that is unknown, which is not zero. */}
      {unpriced > 0 && bucket.sums.chargedMicroUsd + estimatedMicroUsd === 0 && (
        <span className="absolute bottom-0.5 font-medium text-[12px] text-ink-2">?</span>
      )}
      {estimatedMicroUsd > 0 && (
        <span
          className="spend-estimated box-border w-[60%] max-w-7"
          style={{ height: share(estimatedMicroUsd, axis), minHeight: "2px" }}
        />
      )}
    </span>
  );
}

/** Nothing is known of the time before the first entry: hatched, with its word where there is room for it. */
function NoData({ share: width }: { share: number }) {
  if (width === 0) return null;
  return (
    <span
      className="spend-none pointer-events-none absolute inset-y-0 start-0 grid place-items-center"
      style={{ width: `${width * 100}%` }}
    >
      {width > 0.12 && <span className="rounded-sm bg-panel px-1.5">No data</span>}
    </span>
  );
}

const LABELS = 6;

function TimeLabels({ view: { buckets, unit } }: { view: SpendView }) {
  const last = buckets.length - 1;
  const every =
    buckets.length <= 7
      ? 1
      : unit === "day"
        ? Math.ceil(buckets.length / 5 / 7) * 7
        : Math.ceil(buckets.length / LABELS);
  return (
    <div aria-hidden="true" className="relative mt-1 h-5">
      {buckets.map((bucket, index) => {
        if ((last - index) % every !== 0) return null;
        const isLast = index === last;
        const isOdd = ((last - index) / every) % 2 === 1;
        return (
          <span
            key={bucket.startMs}
            className={clsx(
              "absolute whitespace-nowrap",
              isLast ? "font-medium text-ink" : "",
              isLast && buckets.length > 7 ? "end-0" : "-translate-x-1/2",
              isOdd && "max-sm:hidden",
            )}
            style={isLast && buckets.length > 7 ? undefined : { left: `${((index + 0.5) / buckets.length) * 100}%` }}
          >
            {isLast && unit === "day" ? "Today" : axisName(bucket, unit)}
          </span>
        );
      })}
    </div>
  );
}
