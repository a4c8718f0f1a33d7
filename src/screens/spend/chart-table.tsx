import type { SpendView } from "#ledger/spend-view.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { seriesName } from "./series.ts";
import { bucketName, chargedText } from "./spend-words.ts";

const CELL = "px-2.5 py-1 text-right tabular-nums whitespace-nowrap";
const FIRST = "sticky start-0 bg-panel px-2.5 py-1 text-left font-normal whitespace-nowrap";

/** The values of the chart as a table, as high as the chart. */
export function ChartTable({ view }: { view: SpendView }) {
  const { buckets, series, unit } = view;
  const hasEstimates = buckets.some(({ sums }) => sums.estimated > 0);
  const amount = (value: number) => (value === 0 ? "" : formatMicroUsd(value));
  return (
    // A scrolled part takes the focus, so that the arrow keys reach all of it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the table cannot be scrolled by keys alone.
    <section aria-label="Values of the chart" tabIndex={0} className="h-[225px] overflow-auto text-[12.5px]">
      <table className="w-full border-collapse">
        <thead className="sticky top-0 z-[1] bg-panel text-ink-3">
          <tr>
            <th scope="col" className={FIRST}>
              {unit === "day" ? "Day" : unit === "week" ? "Week" : "Month"}
            </th>
            {series.map((one) => (
              <th key={one.model ?? "other"} scope="col" className={`${CELL} font-normal`}>
                <span dir="auto" className="inline-block max-w-[20ch] truncate align-bottom">
                  {seriesName(one)}
                </span>
              </th>
            ))}
            <th scope="col" className={`${CELL} font-normal`}>
              Total charged
            </th>
            {hasEstimates && (
              <th scope="col" className={`${CELL} font-normal`}>
                Estimated
              </th>
            )}
            <th scope="col" className={`${CELL} font-normal`}>
              Refunded
            </th>
            <th scope="col" className={`${CELL} font-normal`}>
              Unknown
            </th>
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <tr key={bucket.startMs} className="border-line border-t">
              <th scope="row" className={FIRST}>
                {bucketName(bucket, unit)}
              </th>
              {series.map((one, index) => (
                <td key={one.model ?? "other"} className={CELL}>
                  {amount(bucket.charged[index] ?? 0)}
                </td>
              ))}
              <td className={`${CELL} font-medium`}>{bucket.hasData ? chargedText(bucket.sums) : "No data"}</td>
              {hasEstimates && <td className={CELL}>{amount(bucket.sums.estimatedMicroUsd)}</td>}
              <td className={CELL}>{amount(bucket.sums.refundedMicroUsd)}</td>
              <td className={CELL}>{bucket.sums.unpriced + bucket.sums.pendingUnknown || ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
