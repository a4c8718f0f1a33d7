import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { getGridKey, movedTo } from "#ui/grid-cursor.ts";
import { rem } from "#ui/rem.ts";
import { GRID_LINE, GridTable, placeLine } from "#ui/table.tsx";
import { useListWindow } from "#ui/use-list-window.ts";
import { useBatchDocument } from "../batch-document.ts";
import { StatusLine, useRunList } from "./run-list.tsx";
import { cellId, GroupSum, RunRow } from "./run-row.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { columnName, runColumns } from "./table-columns.ts";
import { cursorAfterTableKey, GROUP_HEIGHT, ROW_HEIGHT, type RowFilter, type TableLine } from "./table-lines.ts";
import { useRowActs } from "./use-row-acts.tsx";

/** Pixels. `headLineClass` below has the same height. */
const HEAD_HEIGHT = rem(31);

const lineHeight = ({ kind }: TableLine) => (kind === "group" ? GROUP_HEIGHT : ROW_HEIGHT);
const lineKey = ({ key }: TableLine) => key;

/** The runs of the batch as a table that is edited in place. Only the lines in sight are rendered. */
export function RunTable({ show }: { show: RowFilter | undefined }) {
  const runs = useRunList(show);
  const { lines, positions, cursor, setCursor, toggleGroup, runProps } = runs;
  const { batch, schemas } = useBatchDocument();
  const columns = useStableValue(useMemo(() => runColumns(batch.items, schemas), [batch.items, schemas]));
  const heads = useMemo(
    () =>
      columns.map((column) => ({
        key: columnName(column),
        head: <span className="truncate">{column.label}</span>,
        width: column.width,
        headClass: clsx(
          "flex min-w-0 items-center px-2 py-0 font-medium text-xs text-ink-3",
          (column.kind === "price" || column.kind === "number") && "justify-end",
        ),
      })),
    [columns],
  );
  const grid = useRef<HTMLTableElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { acts, keys, editor, dialog } = useRowActs({ ...runs, columns, grid });

  const virtualizer = useListWindow(scroller, lines, {
    sizeOf: lineHeight,
    keyOf: lineKey,
    overscan: 3,
    scrollPaddingStart: HEAD_HEIGHT,
  });

  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget) return;
    const line = lines.find(({ key }) => key === cursor.active);
    if (line?.kind === "group" && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      return toggleGroup(line.group.id);
    }
    if (keys(event)) return event.preventDefault();
    if (event.altKey) return;
    const page = (scroller.current?.clientHeight ?? 0) - HEAD_HEIGHT - ROW_HEIGHT;
    const next = cursorAfterTableKey(getGridKey(event, page), cursor, positions, columns.length);
    if (!next) return;
    event.preventDefault();
    setCursor(next);
    const at = lines.findIndex(({ key }) => key === next.active);
    // `scrollToIndex` forces a layout, so it is not called while the line is in sight.
    const { range } = virtualizer;
    if (at >= 0 && (!range || at <= range.startIndex || at >= range.endIndex - 1)) virtualizer.scrollToIndex(at);
    requestAnimationFrame(() => {
      if (next.active === undefined) return;
      const cell = globalThis.document.getElementById(cellId(next.active, next.column));
      cell?.scrollIntoView({ inline: "nearest", block: "nearest" });
    });
  }

  const shown = virtualizer.getVirtualItems();
  // The heading of a group has one cell, so the column does not count there.
  const isOnRun = cursor.active !== undefined && positions.isSelectable(cursor.active);
  const isActiveRendered = shown.some(({ index }) => lines[index]?.key === cursor.active);
  return (
    <>
      <StatusLine counts={runs.counts} show={show} />
      <div
        ref={scroller}
        className="relative min-h-0 flex-1 overflow-auto overscroll-contain border-line border-t contain-content"
      >
        <GridTable
          ref={grid}
          label="Runs"
          columns={heads}
          headLineClass="h-7.75"
          lineCount={lines.length}
          height={virtualizer.getTotalSize()}
          aria-colcount={columns.length}
          activeCell={
            cursor.active !== undefined && isActiveRendered
              ? cellId(cursor.active, isOnRun ? cursor.column : 0)
              : undefined
          }
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            const first = lines.find(({ kind }) => kind === "run");
            if (event.target === event.currentTarget && cursor.active === undefined && first)
              setCursor({ ...movedTo(cursor, first.key), column: columns.findIndex(({ kind }) => kind === "prompt") });
          }}
          className="block min-w-max outline-none md:min-w-full"
        >
          {shown.map(({ index, start, key }) => {
            const line = lines[index];
            if (!line) return null;
            return line.kind === "group" ? (
              <GroupLine
                key={key}
                line={line}
                at={index}
                top={start}
                columns={columns.length}
                isActive={cursor.active === line.key}
                onToggle={() => toggleGroup(line.group.id)}
              />
            ) : (
              <RunRow
                key={key}
                {...runProps(line)}
                at={index}
                top={start}
                columns={columns}
                active={cursor.active === line.key ? cursor.column : -1}
                acts={acts}
                editor={editor?.id === line.key ? editor : undefined}
              />
            );
          })}
        </GridTable>
        {lines.length === 0 && <p className="m-0 p-6 text-center text-ink-3">No runs with this status</p>}
      </div>
      <SelectionBar cursor={cursor} setCursor={setCursor} />
      {dialog}
    </>
  );
}

function GroupLine({
  line: { group, views, isOpen, key },
  at,
  top,
  columns,
  isActive,
  onToggle,
}: {
  line: Extract<TableLine, { kind: "group" }>;
  at: number;
  top: number;
  columns: number;
  isActive: boolean;
  onToggle: () => void;
}) {
  return (
    <tr
      {...placeLine(at, top, GROUP_HEIGHT)}
      className={clsx(GRID_LINE, "block border-line border-b bg-panel contain-content")}
    >
      <td
        id={cellId(key, 0)}
        colSpan={columns}
        aria-colindex={1}
        className={clsx("block h-full p-0", isActive && "outline-2 outline-focus -outline-offset-2")}
      >
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isOpen}
          onClick={onToggle}
          className="sticky start-0 flex h-full max-w-full cursor-pointer items-center gap-1.5 border-0 bg-transparent px-4.5 text-sm text-ink-3"
        >
          <ChevronDown aria-hidden="true" className={clsx("size-3.5 transition-transform", !isOpen && "-rotate-90")} />
          <b dir="auto" className="max-w-[40vw] truncate font-medium text-ink">
            {visibleLine(group.name, 80)}
          </b>
          <span aria-hidden="true">·</span>
          <GroupSum views={views} />
        </button>
      </td>
    </tr>
  );
}

/** The same object while its JSON stays the same. All rows get the columns, and would render again for new ones. */
function useStableValue<T>(value: T): T {
  const stable = useRef(value);
  if (JSON.stringify(stable.current) !== JSON.stringify(value)) stable.current = value;
  return stable.current;
}
