// The chart of Spend: a bar for each day, week or month, its axis, and the same values as a table.
import { clsx } from "clsx";
import { ChartColumn, Table2 } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { spendCommands } from "./commands.ts";
import {
  axisName,
  bucketName,
  chargedText,
  chartTitle,
  refundText,
  SUM_WORDS,
  seriesColorClass,
  seriesName,
} from "./ledger-words.ts";
import type { SpendBucket, SpendSeries, SpendView } from "./spend-view.ts";
import "./spend-chart.css";
import { Amount } from "./spend-figures.tsx";

interface Axis {
  /** Three values from zero up, in micro-USD. */
  ticks: [number, number, number];
  /** What the plot's height stands for. */
  topMicroUsd: number;
  /** The limit, where it is near enough to be drawn to scale. */
  limitMicroUsd: MicroUsd | undefined;
}

/** The factors of round amounts, times a power of ten. */
const ROUND_FACTORS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** A limit of more than this many times the highest bar would make all bars flat. It is only written in the legend then. */
const MAX_LIMIT_RATIO = 3;

/** Room above the highest tick or bar. */
const TOP_ROOM = 1.06;

/** The axis for bars of at most this height, and for a limit if it is near enough to be drawn. */
function axisFor(maxMicroUsd: number, limit: MicroUsd | undefined): Axis {
  const isNear = limit !== undefined && limit > 0 && (maxMicroUsd === 0 || limit <= MAX_LIMIT_RATIO * maxMicroUsd);
  const limitMicroUsd = isNear ? limit : undefined;
  const high = Math.max(maxMicroUsd, limitMicroUsd ?? 0);
  // Where nothing is charged, the axis goes up to one dollar.
  const step = high === 0 ? 500_000 : niceStep(high / 2);
  return { ticks: [0, step, 2 * step], topMicroUsd: Math.max(2 * step, high) * TOP_ROOM, limitMicroUsd };
}

/** The smallest round amount that is not below another, in whole micro-USD. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const factor = ROUND_FACTORS.find((factor) => factor * power >= least && Number.isInteger(factor * power)) ?? 10;
  return Math.max(1, factor * power);
}

/** `$0`, and `$5` where all ticks are whole dollars; else with the decimals that the finest of them needs. */
function tickText(value: number, { ticks }: Axis): string {
  const text = formatMicroUsd(value);
  return value === 0 || ticks.every((tick) => tick % 1_000_000 === 0) ? text.replace(/\D00(?=\D*$)/, "") : text;
}

/** The chart with its title and legend, or its values as a table. */
export function ChartPanel({ view, limit }: { view: SpendView; limit: MicroUsd | undefined }) {
  const [isTable, setIsTable] = useState(false);
  const titleId = useId();
  const highest = Math.max(0, ...view.buckets.map(barHeight));
  const axis = axisFor(highest, view.unit === "day" ? limit : undefined);
  const hasEstimates = view.buckets.some(({ sums }) => sums.estimated > 0);
  const isLimited = view.unit === "day" && limit !== undefined;
  return (
    <section aria-labelledby={titleId} className="rounded-md border border-line bg-panel px-4 pt-3 pb-2">
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1.5 lg:flex-nowrap lg:items-start text-xs text-ink-2">
        <h2 id={titleId} className="m-0 me-auto shrink-0 font-semibold text-base text-ink lg:leading-relaxed">
          {chartTitle(view.unit)}
        </h2>
        <ul className="m-0 flex max-lg:order-last max-lg:w-full list-none flex-wrap gap-x-4 gap-y-1 p-0 lg:justify-end lg:pt-1.5">
          {view.series.map((part, index) => (
            <li key={part.model ?? "other"} className="flex min-w-0 items-center gap-1.5">
              <span aria-hidden="true" className={clsx("size-2.5 rounded-xs", seriesColorClass(part, index))} />
              <span dir="auto" className="max-w-[24ch] truncate">
                {seriesName(part)}
              </span>
            </li>
          ))}
          {hasEstimates && (
            <li className="flex items-center gap-1.5">
              <span aria-hidden="true" className="spend-estimated size-2.5 rounded-xs" />
              Estimated
            </li>
          )}
          {isLimited && (
            <li className="flex items-center gap-1.5 tabular-nums">
              <span aria-hidden="true" className="w-4.5 border-ink-2 border-t-[1.5px] border-dashed" />
              Limit per day {formatMicroUsd(limit)}
              {axis.limitMicroUsd === undefined && ", above this chart"}
            </li>
          )}
        </ul>
        <CommandButton
          isIcon
          size="sm"
          aria-pressed={isTable}
          command={{
            ...spendCommands.table,
            label: isTable ? "Show chart" : spendCommands.table.label,
            icon: isTable ? ChartColumn : Table2,
            run: () => setIsTable(!isTable),
          }}
        />
      </div>
      {isTable ? <ChartTable view={view} /> : <SpendChart view={view} axis={axis} />}
    </section>
  );
}

type Bucket = SpendView["buckets"][number];

/** The values of the chart as a table, as high as the chart. */
export function ChartTable({ view }: { view: SpendView }) {
  const { buckets, series, unit } = view;
  const hasEstimates = buckets.some(({ sums }) => sums.estimated > 0);
  const amount = (value: number) => (value === 0 ? "" : formatMicroUsd(value));
  const number = (name: string, cell: TableColumn<Bucket>["cell"]): TableColumn<Bucket> => ({
    name,
    isNumeric: true,
    className: "whitespace-nowrap",
    cell,
  });
  const columns: TableColumn<Bucket>[] = [
    {
      name: unit === "day" ? "Day" : unit === "week" ? "Week" : "Month",
      isRowHeader: true,
      className: "whitespace-nowrap",
      cell: (bucket) => bucketName(bucket, unit),
    },
    ...series.map((part, index) => ({
      ...number(seriesName(part), ({ charged }) => amount(charged[index] ?? 0)),
      // Two parts may have no name: jobs without a model, and all other models.
      key: `model ${index} ${part.model ?? ""}`,
      head: (
        <span dir="auto" className="inline-block max-w-[20ch] truncate align-bottom">
          {seriesName(part)}
        </span>
      ),
    })),
    {
      ...number(SUM_WORDS.charged, ({ hasData, sums }) => (hasData ? chargedText(sums) : "No data")),
      cellClass: () => "font-medium",
    },
    ...(hasEstimates ? [number("Estimated", ({ sums }) => amount(sums.estimatedMicroUsd))] : []),
    number(SUM_WORDS.refunded, ({ sums }) => amount(sums.refundedMicroUsd)),
    number("Unknown", ({ sums }) => {
      const unknown = sums.unpriced + sums.pendingUnknown;
      return unknown === 0 ? "" : formatNumber(unknown);
    }),
  ];
  return (
    // The section takes the focus, so that the arrow keys can scroll it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the table cannot be scrolled by keys alone.
    <section aria-label="Chart values" tabIndex={0} className="h-56.25 overflow-auto">
      <Table columns={columns} rows={buckets} keyOf={({ startMs }) => startMs} isSticky />
    </section>
  );
}

/** A day, a week or a month in one sentence, for those who do not see the bars. */
function bucketSentence(bucket: SpendBucket, { unit, series }: SpendView): string {
  const name = bucketName(bucket, unit);
  if (!bucket.hasData) return `${name}: no data`;
  const parts = series.flatMap((one, index) => {
    const amount = bucket.charged[index] ?? 0;
    return amount === 0 ? [] : [`${seriesName(one)} ${formatMicroUsd(amount)}`];
  });
  const { estimated, estimatedMicroUsd, unpriced } = bucket.sums;
  const more = [
    estimated > 0 && `estimated ${formatMicroUsd(estimatedMicroUsd)}`,
    unpriced > 0 && `${counted(unpriced, "transaction")} with an unknown price`,
    refundText(bucket.sums),
  ].filter(Boolean);
  return `${name}: ${chargedText(bucket.sums)}. ${[...parts, ...more].join(", ")}`;
}

/** How high a bar is, in micro-USD: its parts that are above zero. */
const barHeight = ({ charged, sums }: SpendBucket) =>
  charged.reduce((sum, part) => sum + Math.max(0, part), 0) + Math.max(0, sums.estimatedMicroUsd);

/** A bar for each day, week or month, stacked by model; read with the pointer or the arrow keys. */
function SpendChart({ view, axis }: { view: SpendView; axis: Axis }) {
  const { buckets } = view;
  const [pointedIndex, setPointedIndex] = useState<number>();
  const last = buckets.length - 1;
  const shown = pointedIndex === undefined ? undefined : buckets[Math.min(pointedIndex, last)];
  const goTo = (event: KeyboardEvent, index: number) => {
    event.preventDefault();
    setPointedIndex(Math.min(last, Math.max(0, index)));
  };
  // These are the keys of a slider and not those of a list (`ui/list-keys.ts`): up and Page Up go to a later bar.
  const onKeyDown = (event: KeyboardEvent) => {
    const from = pointedIndex ?? last;
    if (event.key === "ArrowLeft" || event.key === "ArrowDown") goTo(event, from - 1);
    else if (event.key === "ArrowRight" || event.key === "ArrowUp") goTo(event, from + 1);
    else if (event.key === "PageDown") goTo(event, from - 7);
    else if (event.key === "PageUp") goTo(event, from + 7);
    else if (event.key === "Home") goTo(event, 0);
    else if (event.key === "End") goTo(event, last);
    else if (event.key === "Escape") setPointedIndex(undefined);
  };
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointedIndex(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * buckets.length))));
  };
  const currentIndex = Math.min(pointedIndex ?? last, last);
  const current = buckets[currentIndex];
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-ink-3 tabular-nums">
      <TickLabels axis={axis} />
      <div
        role="slider"
        tabIndex={0}
        aria-label="Charged, by time and model"
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={buckets.length}
        aria-valuenow={currentIndex + 1}
        aria-valuetext={current && bucketSentence(current, view)}
        className="relative h-50 cursor-crosshair rounded-sm"
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setPointedIndex(last)}
        onBlur={() => setPointedIndex(undefined)}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setPointedIndex(undefined)}
      >
        <Lines axis={axis} />
        <div className="absolute inset-0 flex">
          {buckets.map((bucket, index) => (
            <Bar
              key={bucket.startMs}
              bucket={bucket}
              series={view.series}
              axis={axis}
              isShown={pointedIndex === index}
            />
          ))}
        </div>
        <NoData share={buckets.filter(({ hasData }) => !hasData).length / buckets.length} />
        {shown && pointedIndex !== undefined && (
          <ChartTip bucket={shown} view={view} place={(pointedIndex + 0.5) / buckets.length} />
        )}
      </div>
      <span />
      <TimeLabels view={view} />
    </div>
  );
}

const share = (value: number, { topMicroUsd }: Axis) => `${(value / topMicroUsd) * 100}%`;

function TickLabels({ axis }: { axis: Axis }) {
  return (
    // The width is the same for most amounts, so that another scale does not move the bars.
    <div aria-hidden="true" className="relative h-50 min-w-[7ch] text-right">
      {axis.ticks.map((tick) => (
        <span key={tick} className="block h-0 overflow-hidden whitespace-nowrap opacity-0">
          {tickText(tick, axis)}
        </span>
      ))}
      {axis.ticks.map((tick) => (
        <span
          key={tick}
          className="absolute end-0 translate-y-1/2 whitespace-nowrap leading-tight"
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
            className={clsx("box-border w-[60%] max-w-7 border-panel border-t", seriesColorClass(one, index))}
            style={{ height: share(amount, axis), minHeight: "2px" }}
          />
        );
      })}
      {/* A charge of unknown price, which is not zero. */}
      {unpriced > 0 && bucket.sums.chargedMicroUsd + estimatedMicroUsd === 0 && (
        <span className="absolute bottom-0.5 font-medium text-xs text-ink-2">?</span>
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

/** Hatches the time before the first entry, of which nothing is known, with "No data" where there is room for it. */
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

/** About this many labels fit under the chart. */
const MAX_LABELS = 6;

function TimeLabels({ view: { buckets, unit } }: { view: SpendView }) {
  const last = buckets.length - 1;
  const every =
    buckets.length <= 7
      ? 1
      : unit === "day"
        ? Math.ceil(buckets.length / 5 / 7) * 7
        : Math.ceil(buckets.length / MAX_LABELS);
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

/** What one bar is made of, beside it. The parts add up to the amount in the first line. */
function ChartTip({ bucket, view, place }: { bucket: SpendBucket; view: SpendView; place: number }) {
  const { sums, charged, hasData } = bucket;
  const unknown = sums.unpriced + sums.pendingUnknown;
  const notes = [
    refundText(sums),
    sums.pending > sums.pendingUnknown ? `${formatMicroUsd(sums.pendingMicroUsd)} unconfirmed, not in the total` : "",
    unknown > 0 ? `${counted(unknown, "transaction")} with an unknown price, not in the total` : "",
  ].filter(Boolean);
  const parts = view.series
    .map((one, index) => ({ one, index, amount: charged[index] ?? 0 }))
    .filter(({ amount }) => amount !== 0)
    .reverse();
  return (
    <div
      aria-hidden="true"
      className={clsx(
        "pointer-events-none absolute top-0 z-10 w-56 max-w-[calc(100vw-6rem)] rounded-md border border-line-strong bg-raised p-3 text-sm text-ink-2 shadow-float",
        place < 0.5 ? "ms-5" : "-ms-5 -translate-x-full",
      )}
      style={{ left: `${place * 100}%` }}
    >
      <p className="m-0 flex justify-between gap-3 font-semibold text-ink">
        <span>{bucketName(bucket, view.unit)}</span>
        <span>{hasData && <Amount text={chargedText(sums)} />}</span>
      </p>
      {!hasData && <p className="m-0 mt-1 text-xs text-ink-3">No data before the first transaction in this browser.</p>}
      {parts.map(({ one, index, amount }) => (
        <p key={one.model ?? ""} className="m-0 mt-0.5 flex items-center gap-2">
          <span className={clsx("size-2.5 shrink-0 rounded-xs", seriesColorClass(one, index))} />
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {seriesName(one)}
          </span>
          <span className="text-ink">
            <Amount text={formatMicroUsd(amount)} />
          </span>
        </p>
      ))}
      {sums.estimated > 0 && (
        <p className="m-0 mt-0.5 flex items-center gap-2">
          <span className="spend-estimated size-2.5 shrink-0 rounded-xs" />
          <span className="flex-1">Estimated</span>
          <span>≈ {formatMicroUsd(sums.estimatedMicroUsd)}</span>
        </p>
      )}
      {notes.length > 0 && (
        <p className="m-0 mt-1.5 border-line border-t pt-1.5 text-xs text-ink-3">
          {notes.map((note) => (
            <span key={note} className="block">
              {note}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
