import { type MouseEvent, memo } from "react";
import type { MarksById } from "#jobs/marks/marks-store.ts";
import { DayHeading } from "./day-heading.tsx";
import type { HistoryEntry } from "./history-entry.ts";
import { JobRow } from "./job-row.tsx";
import type { Cursor } from "./list-keys.ts";
import type { ListLine } from "./list-layout.ts";
import { TileCell } from "./tile-cell.tsx";

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
  const place = { top, height: line.height };
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
      <tr aria-rowindex={rowIndex} className="absolute block inset-x-0" style={place}>
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
    <tr aria-rowindex={rowIndex} className="absolute block inset-x-0" style={place}>
      {line.tiles.map((tile, place) => {
        const index = line.first + place;
        const entry = entries[index];
        if (!entry) return null;
        const isSelected = cursor.selected.has(entry.requestId);
        return (
          <TileCell
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
