import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { useBatchDocument } from "../batch-document.ts";
import { RowDot } from "./run-row.tsx";
import { FILTER_TONES, ROW_FILTERS, type RowFilter, type TableLines } from "./table-lines.ts";

/** Which runs are shown, by status, with their counts. It is part of the address. */
export function StatusLine({ counts, show }: { counts: TableLines["counts"]; show: RowFilter | undefined }) {
  const { batch } = useBatchDocument();
  // While runs are under way none of these comes and goes: the others would move to and fro with each run.
  const isUnderWay = counts.waiting + counts.running > 0;
  const stands = (name: RowFilter) => isUnderWay && (name === "waiting" || name === "running" || name === "done");
  const shown = ROW_FILTERS.filter(({ name }) => counts[name] > 0 || name === show || stands(name));
  const entries = [
    { name: undefined, label: "All", count: counts.all },
    ...shown.map((one) => ({ ...one, count: counts[one.name] })),
  ];
  return (
    <nav aria-label="Runs by status" className="flex min-h-10 items-center overflow-x-auto px-3 [scrollbar-width:none]">
      <ul className="m-0 flex list-none gap-1 p-0">
        {entries.map(({ name, label, count }) => (
          <li key={label}>
            <Link
              to="/batch/$batchId"
              params={{ batchId: batch.id }}
              search={(old) => ({ ...old, show: name })}
              replace
              aria-current={name === show ? "true" : undefined}
              className={clsx(
                "inline-flex min-h-[26px] items-center gap-1.5 whitespace-nowrap rounded-sm px-2 text-[12.5px] pointer-coarse:min-h-11",
                name === show ? "bg-raised font-medium text-ink" : "text-ink-2 hover:bg-hover hover:text-ink",
              )}
            >
              {name !== undefined && <RowDot tone={FILTER_TONES[name]} />}
              {label} <span className="font-normal text-ink-3 tabular-nums">{count.toLocaleString("en-US")}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
