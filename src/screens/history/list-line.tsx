import { type MouseEvent, memo } from "react";
import type { MarksById } from "#jobs/marks/marks-store.ts";
import { formatMicroUsd } from "#lib/money.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { JobRow } from "./job-row.tsx";
import { JobTile } from "./job-tile.tsx";
import type { Cursor } from "./list-cursor.ts";
import type { ListLine } from "./list-layout.ts";

export interface ListLineProps {
  line: ListLine;
  /** Pixels from the top of the list. */
  top: number;
  rowIndex: number;
  entries: readonly HistoryEntry[];
  baseId: string;
  cursor: Cursor;
  isPassing: boolean;
  marks: MarksById;
  nowMs: number;
  onPress: (event: MouseEvent, index: number) => void;
  onToggle: (index: number) => void;
}

/** One line of the list at its place: a day, tiles side by side, or a job of the table. */
export const ListLineView = memo(function ListLineView(props: ListLineProps) {
  const { line, top, rowIndex, entries, baseId, cursor } = props;
  // By a transform: an element that shows another line than before has not moved under the reader.
  const place = { transform: `translateY(${top}px)`, height: line.height };
  const cell = (index: number) => ({
    id: `${baseId}-${index}`,
    isActive: cursor.active === index,
    nowMs: props.nowMs,
    isPassing: props.isPassing,
    onPress: (event: MouseEvent) => props.onPress(event, index),
    onToggle: () => props.onToggle(index),
  });
  if (line.kind === "day") {
    return (
      <tr aria-rowindex={rowIndex} className="absolute inset-x-0 top-0 block" style={place}>
        <DayHeading line={line} entries={entries} />
      </tr>
    );
  }
  if (line.kind === "job") {
    const entry = entries[line.first];
    if (!entry) return null;
    const isSelected = cursor.selected.has(entry.requestId);
    return <JobRow {...cell(line.first)} entry={entry} isSelected={isSelected} rowIndex={rowIndex} place={place} />;
  }
  return (
    <tr aria-rowindex={rowIndex} className="absolute inset-x-0 top-0 block" style={place}>
      {line.tiles.map((tile, place) => {
        const index = line.first + place;
        const entry = entries[index];
        if (!entry) return null;
        const isSelected = cursor.selected.has(entry.requestId);
        return (
          <JobTile
            key={tile.column}
            {...cell(index)}
            entry={entry}
            box={tile}
            isStarred={props.marks.get(entry.requestId)?.isStarred ?? false}
            isSelected={isSelected}
            isSelecting={cursor.selected.size > 0}
          />
        );
      })}
    </tr>
  );
});

interface DayHeadingProps {
  line: Extract<ListLine, { kind: "day" }>;
  entries: readonly HistoryEntry[];
}

/** A day with the number of its jobs and what they cost, as far as prices are known in this browser. */
function DayHeading({ line, entries }: DayHeadingProps) {
  return (
    <th scope="row" className="flex h-full items-end pb-2 font-medium text-[12.5px] text-ink-3 tabular-nums">
      {dayText(line, entries)}
    </th>
  );
}

/** "Today · 14 jobs · $1.92", and of how many the price is unknown. */
function dayText(line: DayHeadingProps["line"], entries: readonly HistoryEntry[]): string {
  const jobs = entries.slice(line.first, line.end);
  const prices = jobs.flatMap((job) =>
    job.priceMicroUsd === undefined || job.status === "failed" ? [] : [job.priceMicroUsd],
  );
  const refunded = jobs.filter((job) => job.status === "failed").length;
  const count = jobs.length === 1 ? "1 job" : `${jobs.length.toLocaleString("en-US")} jobs`;
  if (prices.length === 0) return `${line.label} · ${count}`;
  const sum = formatMicroUsd(prices.reduce((total, price) => total + price, 0));
  const unknown = jobs.length - prices.length - refunded;
  const rest =
    unknown === 0 ? "" : ` (${unknown === 1 ? "1 price" : `${unknown.toLocaleString("en-US")} prices`} unknown)`;
  return `${line.label} · ${count} · ${sum}${rest}`;
}
