import { type MouseEvent, memo, type ReactNode } from "react";
import type { MarksById } from "#results/marks/marks-store.ts";
import { sumPrices, sumText } from "#runs/prices/job-price.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import type { GridCursor } from "#ui/grid-cursor.ts";
import { JobRow } from "./job-row.tsx";
import { JobTile } from "./job-tile.tsx";
import { EndedLine } from "./list/ended-line.tsx";
import type { TableColumns } from "./list/table-columns.ts";
import { ENDED_GAP, type ListLine } from "./list-layout.ts";

export interface ListLineProps {
  line: ListLine;
  /** Pixels from the top of the list. */
  top: number;
  rowIndex: number;
  entries: readonly JobRecord[];
  baseId: string;
  cursor: GridCursor;
  isScrollingFast: boolean;
  marks: MarksById;
  nowMs: number;
  columns: TableColumns;
  /** At the end of a day's heading. */
  note?: ReactNode;
  onPress: (event: MouseEvent, requestId: string) => void;
  onToggle: (requestId: string) => void;
}

/** One line of the list at its place: a day, tiles side by side, or a job of the table. */
export const ListLineView = memo(function ListLineView(props: ListLineProps) {
  const { line, top, rowIndex, entries, baseId, cursor } = props;
  // By a transform: an element that shows another line than before has not moved under the reader.
  const place = { transform: `translateY(${top}px)`, height: line.height };
  const cell = (entry: JobRecord, index: number) => ({
    entry,
    id: `${baseId}-${index}`,
    isActive: cursor.active === entry.requestId,
    isSelected: cursor.selected.has(entry.requestId),
    nowMs: props.nowMs,
    isScrollingFast: props.isScrollingFast,
    onPress: (event: MouseEvent) => props.onPress(event, entry.requestId),
    onToggle: () => props.onToggle(entry.requestId),
  });
  if (line.kind === "day") {
    return (
      <tr aria-rowindex={rowIndex} className="absolute inset-x-0 top-0 block" style={place}>
        <DayHeading line={line} entries={entries} note={props.note} />
      </tr>
    );
  }
  if (line.kind === "job") {
    const entry = entries[line.first];
    if (!entry) return null;
    return <JobRow {...cell(entry, line.first)} rowIndex={rowIndex} place={place} columns={props.columns} />;
  }
  if (line.kind === "ended") {
    const entry = entries[line.first];
    if (!entry) return null;
    const { nowMs: _, ...own } = cell(entry, line.first);
    return (
      <EndedLine
        {...own}
        isSelecting={cursor.selected.size > 0}
        isFirst={line.isFirst}
        isLast={line.isLast}
        rowIndex={rowIndex}
        place={place}
        height={line.height - (line.isLast ? ENDED_GAP : 0) - 1}
      />
    );
  }
  return (
    <tr aria-rowindex={rowIndex} className="absolute inset-x-0 top-0 block" style={place}>
      {line.tiles.map((tile, place) => {
        const entry = entries[line.first + place];
        if (!entry) return null;
        return (
          <JobTile
            key={tile.column}
            {...cell(entry, line.first + place)}
            box={tile}
            isStarred={props.marks.get(entry.requestId)?.isStarred ?? false}
            isSelecting={cursor.selected.size > 0}
          />
        );
      })}
    </tr>
  );
});

interface DayHeadingProps {
  line: Extract<ListLine, { kind: "day" }>;
  entries: readonly JobRecord[];
  note: ReactNode;
}

/** A day with the number of its jobs and what they cost, as far as prices are known. */
function DayHeading({ line, entries, note }: DayHeadingProps) {
  const jobs = entries.slice(line.first, line.end);
  const count = jobs.length === 1 ? "1 job" : `${jobs.length.toLocaleString("en-US")} jobs`;
  const sum = sumText(sumPrices(jobs));
  return (
    <th scope="row" className="flex h-full items-end gap-3 pb-2 font-normal text-[12.5px] text-ink-3 tabular-nums">
      <span className="min-w-0 truncate">
        <span className="font-medium text-[13px] text-ink">{line.label}</span>
        {` · ${count}${sum === undefined ? "" : ` · ${sum}`}`}
      </span>
      {note !== undefined && <span className="ml-auto shrink-0 text-[12px]">{note}</span>}
    </th>
  );
}
