import { formatMicroUsd } from "#lib/money.ts";
import { Table, type TableColumn } from "#ui/table.tsx";
import { seriesName } from "./series.ts";
import type { SpendView } from "./spend-view.ts";
import { bucketName, chargedText } from "./spend-words.ts";

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
    ...series.map((one, index) => ({
      ...number(seriesName(one), ({ charged }) => amount(charged[index] ?? 0)),
      key: `model ${one.model ?? ""}`,
      head: (
        <span dir="auto" className="inline-block max-w-[20ch] truncate align-bottom">
          {seriesName(one)}
        </span>
      ),
    })),
    {
      ...number("Total charged", ({ hasData, sums }) => (hasData ? chargedText(sums) : "No data")),
      cellClass: () => "font-medium",
    },
    ...(hasEstimates ? [number("Estimated", ({ sums }) => amount(sums.estimatedMicroUsd))] : []),
    number("Refunded", ({ sums }) => amount(sums.refundedMicroUsd)),
    number("Unknown", ({ sums }) => sums.unpriced + sums.pendingUnknown || ""),
  ];
  return (
    // A scrolled part takes the focus, so that the arrow keys reach all of it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the table cannot be scrolled by keys alone.
    <section aria-label="Values of the chart" tabIndex={0} className="h-[225px] overflow-auto">
      <Table columns={columns} rows={buckets} keyOf={({ startMs }) => startMs} isSticky />
    </section>
  );
}
