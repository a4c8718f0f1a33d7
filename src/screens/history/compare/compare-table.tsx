import { clsx } from "clsx";
import type { HistoryEntry } from "../history-entry.ts";
import { compareRows } from "./compare-rows.ts";

/** The parameters of the compared jobs. Rows that are the same for all recede. */
export function CompareTable({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <table className="w-full table-fixed border-collapse text-left text-[12.5px]">
      <caption className="sr-only">Parameters</caption>
      <thead>
        <tr className="text-ink-3">
          <th scope="col" className="w-32 py-1.5 pr-3 font-medium">
            Parameter
          </th>
          {entries.map((entry, place) => (
            <th key={entry.requestId} scope="col" className="py-1.5 pr-3 font-medium">
              {letterOf(place)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {compareRows(entries).map((row) => (
          <tr key={row.name} className={clsx("border-line border-t align-top", row.isSame && "text-ink-3")}>
            <th scope="row" className="wrap-anywhere py-1.5 pr-3 font-normal text-ink-3">
              {row.name}
              {row.isSame && <span className="sr-only">, the same for all</span>}
            </th>
            {row.values.map((value, place) => (
              <td key={entries[place]?.requestId} className="wrap-anywhere py-1.5 pr-3">
                <span className="line-clamp-4">{value ?? "–"}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How the compared jobs are called: A, B, C, D. */
export function letterOf(place: number): string {
  return String.fromCharCode(65 + place);
}
