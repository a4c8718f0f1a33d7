import { clsx } from "clsx";
import { ChartColumn, Table2 } from "lucide-react";
import { useId, useState } from "react";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { axisFor } from "./chart-axis.ts";
import { ChartTable } from "./chart-table.tsx";
import { spendCommands } from "./commands.ts";
import { seriesColour, seriesName } from "./series.ts";
import { barHeight, SpendChart } from "./spend-chart.tsx";
import type { SpendView } from "./spend-view.ts";
import { chartTitle } from "./spend-words.ts";

/** The chart with its title, what its colours mean, and the same values as a table. */
export function ChartPanel({ view, limit }: { view: SpendView; limit: MicroUsd | undefined }) {
  const [isTable, setIsTable] = useState(false);
  const titleId = useId();
  const highest = Math.max(0, ...view.buckets.map(barHeight));
  const axis = axisFor(highest, view.unit === "day" ? limit : undefined);
  const hasEstimates = view.buckets.some(({ sums }) => sums.estimated > 0);
  const isLimited = view.unit === "day" && limit !== undefined;
  return (
    <section aria-labelledby={titleId} className="rounded-md border border-line bg-panel px-4 pt-3 pb-2">
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1.5 lg:flex-nowrap lg:items-start text-[12px] text-ink-2">
        <h2 id={titleId} className="m-0 me-auto shrink-0 font-semibold text-[13.5px] text-ink lg:leading-7">
          {chartTitle(view.unit)}
        </h2>
        <ul className="m-0 flex max-lg:order-last max-lg:w-full list-none flex-wrap gap-x-4 gap-y-1 p-0 lg:justify-end lg:pt-1.5">
          {view.series.map((one, index) => (
            <li key={one.model ?? "other"} className="flex min-w-0 items-center gap-1.5">
              <span aria-hidden="true" className={clsx("size-2.5 rounded-[2.5px]", seriesColour(one, index))} />
              <span dir="auto" className="max-w-[24ch] truncate">
                {seriesName(one)}
              </span>
            </li>
          ))}
          {hasEstimates && (
            <li className="flex items-center gap-1.5">
              <span aria-hidden="true" className="spend-estimated size-2.5 rounded-[2.5px]" />
              Estimated
            </li>
          )}
          {isLimited && (
            <li className="flex items-center gap-1.5 tabular-nums">
              <span aria-hidden="true" className="w-[18px] border-ink-2 border-t-[1.5px] border-dashed" />
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
            label: isTable ? "Show as chart" : "Show as table",
            icon: isTable ? ChartColumn : Table2,
            run: () => setIsTable(!isTable),
          }}
        />
      </div>
      {isTable ? <ChartTable view={view} /> : <SpendChart view={view} axis={axis} />}
    </section>
  );
}
