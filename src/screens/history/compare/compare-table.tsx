import { clsx } from "clsx";
import type { HistoryEntry } from "../history-entry.ts";

/** The parameters of the compared jobs. Rows that are the same for all are paler. */
export function CompareTable({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <table className="w-full table-fixed border-collapse text-left text-[12.5px]">
      <caption className="sr-only">Settings</caption>
      <thead>
        <tr className="text-ink-3">
          <th scope="col" className="w-32 py-1.5 pr-3 font-medium">
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
        {compareRows(entries).map((row) => (
          <tr key={row.name} className={clsx("border-line border-t align-top", row.isSame && "text-ink-3")}>
            <th scope="row" className="wrap-anywhere py-1.5 pr-3 font-normal text-ink-3">
              {row.name}
              {row.isSame && <span className="sr-only">, same for all</span>}
            </th>
            {row.values.map((value, place) => (
              <td key={entries[place]?.requestId} className="wrap-anywhere py-1.5 pr-3">
                <span className="line-clamp-4">{value ?? "—"}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The names of the compared jobs: A, B, C, D. */
export function letterOf(place: number): string {
  return String.fromCharCode(65 + place);
}

interface CompareRow {
  name: string;
  /** One per job; undefined where it has no such parameter. */
  values: (string | undefined)[];
  isSame: boolean;
}

/** A table of what the jobs were asked for: rows that differ first, in the order in which they first appear. */
export function compareRows(entries: readonly HistoryEntry[]): CompareRow[] {
  const names = [...new Set(entries.flatMap((entry) => Object.keys(entry.payload ?? {})))];
  const rows = [
    row(
      "model",
      entries.map((entry) => entry.model),
    ),
    ...names.map((name) =>
      row(
        name,
        entries.map((entry) => shown(ownValue(entry, name))),
      ),
    ),
  ];
  return [...rows.filter((one) => !one.isSame), ...rows.filter((one) => one.isSame)];
}

function row(name: string, values: (string | undefined)[]): CompareRow {
  return { name, values, isSame: values.every((value) => value === values[0]) };
}

function ownValue(entry: HistoryEntry, name: string): unknown {
  return entry.payload && Object.hasOwn(entry.payload, name) ? entry.payload[name] : undefined;
}

// The service echoes what was left out as null.
function shown(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
