import { clsx } from "clsx";
import { useState } from "react";
import type { JobRecord } from "#storage/job-records.ts";
import { FoldButton } from "#ui/button.tsx";
import { type CompareRow, compareRows, letterOf } from "./compare-rows.ts";
import type { Sides } from "./compare-scale.ts";

interface CompareTableProps {
  entries: readonly JobRecord[];
  sides: readonly (Sides | undefined)[];
}

/** What the compared jobs were and were asked for. What differs stands first; what is the same is paler, and folds. */
export function CompareTable({ entries, sides }: CompareTableProps) {
  const [isOpen, setIsOpen] = useState(true);
  const rows = compareRows(entries, sides);
  const same = rows.filter(({ isSame }) => isSame);
  const others = rows.filter(({ isSame }) => !isSame);
  return (
    <table className="w-full table-fixed border-collapse text-left text-[12.5px]">
      <caption className="sr-only">Settings</caption>
      <thead>
        <tr className="text-ink-3">
          <th scope="col" className="w-28 py-1.5 pr-3 font-medium">
            Setting
          </th>
          {entries.map((entry, place) => (
            <th key={entry.requestId} scope="col" className="py-1.5 pr-3 font-medium">
              {letterOf(place)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {others.map((row) => (
          <Row key={row.name} row={row} entries={entries} />
        ))}
        {same.length > 0 && (
          <tr className="border-line border-t">
            <td colSpan={entries.length + 1} className="p-0">
              <FoldButton isOpen={isOpen} onOpenChange={setIsOpen} className="border-0 bg-transparent p-0 text-ink-3">
                {same.length === 1 ? "1 value is the same for all" : `${same.length} values are the same for all`}
              </FoldButton>
            </td>
          </tr>
        )}
        {isOpen && same.map((row) => <Row key={row.name} row={row} entries={entries} />)}
      </tbody>
    </table>
  );
}

function Row({ row, entries }: { row: CompareRow; entries: readonly JobRecord[] }) {
  return (
    <tr className={clsx("border-line border-t align-top", row.isSame && "text-ink-3")}>
      <th scope="row" className="wrap-anywhere py-1.5 pr-3 font-normal text-ink-3">
        {row.name}
        {row.isSame && <span className="sr-only">, same for all</span>}
      </th>
      {row.isSame ? (
        <td colSpan={entries.length} dir="auto" className="wrap-anywhere py-1.5 pr-3 text-left">
          <span className="line-clamp-4">{row.values[0] ?? "—"}</span>
        </td>
      ) : (
        row.values.map((value, place) => (
          <td key={entries[place]?.requestId} dir="auto" className="wrap-anywhere py-1.5 pr-3 text-left">
            <span className="line-clamp-4">{value ?? "—"}</span>
          </td>
        ))
      )}
    </tr>
  );
}
