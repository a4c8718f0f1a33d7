import type { HistoryEntry } from "../history-entry.ts";

export interface CompareRow {
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
