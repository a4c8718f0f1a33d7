import { clsx } from "clsx";
import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from "react";
import { flushSync } from "react-dom";
import {
  cursorAfterKey,
  cursorAfterPress,
  type GridCursor,
  getGridKey,
  getGridPlace,
  toggled,
} from "#ui/grid-cursor.ts";
import { rem } from "#ui/rem.ts";
import { useListWindow } from "#ui/use-list-window.ts";
import type { AxisValue } from "./sheet-axes.ts";
import { type SheetLine, sheetPositions } from "./sheet-layout.ts";

/** Sizes in pixels. */
interface GridSizes {
  /** The width of a cell. */
  cell: number;
  /** The height of a line of cells with its captions and gap. */
  lineHeight: (line: SheetLine) => number;
  /** The width of the headings of rows; 0 without them. */
  headings: number;
}

interface SheetGridProps {
  lines: readonly SheetLine[];
  /** The headings of columns; empty without them. */
  columns: readonly AxisValue[];
  /** The name of the axis of the rows. */
  rowsLabel: string | undefined;
  /** A note beside the heading of a column or row, such as "$0.022 each". */
  noteOf: (value: AxisValue, side: "columns" | "rows") => string | undefined;
  sizes: GridSizes;
  cursor: GridCursor;
  onCursor: (cursor: GridCursor) => void;
  /** The item that Tab leads to. */
  tabStop: string | undefined;
  onOpen: (id: string) => void;
  renderCell: (id: string, columnIndex: number) => ReactNode;
  scroller: (node: HTMLDivElement | null) => void;
}

export const GAP = 14;
export const EDGE = 16;
/** The height of a heading above its group. */
const GROUP_HEIGHT = rem(44);
const HEADER_HEIGHT = rem(40);
/** Room for the selection bar, which floats over the last line. */
const SCROLL_PADDING_END = 96;
/** Room for the ring of a selected cell. */
const RING = 6;

const lineKey = ({ cells, heading }: SheetLine) => cells.find((id) => id !== undefined) ?? `heading ${heading?.id}`;

/**
 * Results in columns and rows with headings. Only cells near the visible part are rendered. It does not use `GridTable`, because
 * its columns are virtual as well, and its cells have buttons and take the focus.
 */
export function SheetGrid(props: SheetGridProps) {
  const { lines, columns, rowsLabel, sizes, cursor, onCursor, tabStop, onOpen, renderCell, noteOf } = props;
  const box = useRef<HTMLDivElement>(null);
  const hasColumns = columns.length > 0;
  // Without columns, all lines have the same number of cells.
  const places = hasColumns ? columns : (lines.find(({ isGroup }) => !isGroup)?.cells ?? []);
  const start = EDGE + sizes.headings;
  const heightOf = useCallback((line: SheetLine) => (line.isGroup ? GROUP_HEIGHT : sizes.lineHeight(line)), [sizes]);
  const positions = useMemo(
    () => sheetPositions(lines, { hasColumns, heightOf: sizes.lineHeight }),
    [lines, hasColumns, sizes.lineHeight],
  );
  const tabPlace = getGridPlace(tabStop, positions);
  const rows = useListWindow(box, lines, {
    sizeOf: heightOf,
    keyOf: lineKey,
    paddingStart: hasColumns ? HEADER_HEIGHT + RING : EDGE,
    paddingEnd: SCROLL_PADDING_END,
    scrollPaddingStart: (hasColumns ? HEADER_HEIGHT : 0) + RING,
    scrollPaddingEnd: SCROLL_PADDING_END,
    overscan: 2,
    tabStop: tabPlace?.line ?? -1,
  });
  const across = useListWindow<unknown>(box, places, {
    horizontal: true,
    sizeOf: useCallback(() => sizes.cell + GAP, [sizes]),
    paddingStart: start,
    paddingEnd: EDGE - GAP,
    scrollPaddingStart: start,
    overscan: 1,
    tabStop: tabPlace?.column ?? -1,
  });

  // When a filter removes the focused cell, the cell in its place gets the focus.
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!hadFocus.current || tabStop === undefined || document.activeElement !== document.body) return;
    box.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(tabStop)}"]`)?.focus({ preventScroll: true });
  }, [tabStop]);

  const focusItem = (next: GridCursor, isScrolled = true) => {
    const place = getGridPlace(next.active, positions);
    if (!place || next.active === undefined) return;
    // Rendered synchronously, because the cell may not exist before it is active, and is focused below.
    flushSync(() => onCursor(next));
    if (isScrolled) {
      rows.scrollToIndex(place.line);
      across.scrollToIndex(place.column);
    }
    box.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(next.active)}"]`)?.focus({ preventScroll: true });
  };

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-item]") : null;
    const id = cell?.dataset.item;
    const isOnButton = event.target !== cell;
    if (id === undefined || event.altKey) return;
    const isMod = event.ctrlKey || event.metaKey;
    // On a button within a cell, these keys press the button.
    if (isOnButton && (event.key === " " || event.key === "Enter")) return;
    if (event.key === "Enter" && !isMod) {
      event.preventDefault();
      return onOpen(id);
    }
    // In a low window the sheet itself does not scroll and is higher than the window.
    const page = Math.min(box.current?.clientHeight ?? 0, window.innerHeight) - SCROLL_PADDING_END;
    const next = cursorAfterKey(getGridKey(event, page), { ...cursor, active: id }, positions);
    if (!next) return;
    event.preventDefault();
    if (next.active === id) onCursor(next);
    else focusItem(next);
  }

  function onClick(event: MouseEvent<HTMLElement>) {
    if (!(event.target instanceof Element) || event.target.closest("button, a")) return;
    const id = event.target.closest<HTMLElement>("[data-item]")?.dataset.item;
    if (id === undefined) return;
    const isRange = event.shiftKey && cursorAfterPress({ shift: true, mod: false }, id, cursor, positions);
    focusItem(isRange || toggled(cursor, id), false);
  }

  function onDoubleClick(event: MouseEvent<HTMLElement>) {
    if (!(event.target instanceof Element) || event.target.closest("button, a")) return;
    const id = event.target.closest<HTMLElement>("[data-item]")?.dataset.item;
    if (id !== undefined) onOpen(id);
  }

  const width = across.getTotalSize();
  const columnItems = across.getVirtualItems();
  const headingColumns = sizes.headings > 0 ? 1 : 0;
  return (
    <div
      ref={(node) => {
        box.current = node;
        props.scroller(node);
      }}
      className="min-h-0 flex-1 overflow-auto overscroll-contain short:overflow-visible short:overscroll-auto"
    >
      <Part
        role="grid"
        aria-label="Results"
        aria-multiselectable
        aria-rowcount={lines.length + (hasColumns ? 1 : 0)}
        aria-colcount={places.length + headingColumns}
        tabIndex={-1}
        onFocus={({ target }) => {
          const id = target.closest<HTMLElement>("[data-item]")?.dataset.item;
          hadFocus.current = id !== undefined;
          if (id !== undefined && id !== cursor.active) onCursor({ ...cursor, active: id });
        }}
        onBlur={() => {
          hadFocus.current = false;
        }}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        className="relative select-none outline-none"
        style={{ height: rows.getTotalSize(), width: `max(100%, ${width}px)` }}
      >
        {hasColumns && (
          <Part role="row" aria-rowindex={1} className="sticky top-0 z-20 bg-canvas" style={{ height: HEADER_HEIGHT }}>
            {headingColumns === 1 && (
              <Part
                role="columnheader"
                aria-colindex={1}
                className="sticky left-0 z-10 h-full bg-canvas"
                style={{ width: start - RING }}
              >
                <span className="sr-only">{rowsLabel}</span>
              </Part>
            )}
            {columnItems.map(({ index, start: left }) => {
              const value = columns[index];
              return (
                value && (
                  <Part
                    key={value.id}
                    role="columnheader"
                    aria-colindex={index + 1 + headingColumns}
                    className="absolute top-0 flex h-full items-center gap-2 px-0.5"
                    style={{ left, width: sizes.cell }}
                  >
                    <HeadingWords value={value} note={noteOf(value, "columns")} isLine />
                  </Part>
                )
              );
            })}
          </Part>
        )}
        {rows.getVirtualItems().map(({ index, start: top, key }) => {
          const line = lines[index];
          if (!line) return null;
          return (
            <Part
              key={key}
              role="row"
              aria-rowindex={index + 1 + (hasColumns ? 1 : 0)}
              className="absolute left-0 w-full"
              style={{ top, height: heightOf(line) }}
            >
              {line.isGroup && line.heading ? (
                <Part
                  role="rowheader"
                  className="sticky left-0 flex h-full w-fit max-w-[100vw] items-center gap-2 px-4"
                >
                  <HeadingWords value={line.heading} note={noteOf(line.heading, "rows")} isLine />
                </Part>
              ) : (
                sizes.headings > 0 && (
                  <Part
                    role={line.heading ? "rowheader" : "presentation"}
                    aria-colindex={line.heading ? 1 : undefined}
                    className={clsx("sticky left-0 z-10 h-full bg-canvas pt-1", !line.heading && "pointer-events-none")}
                    style={{ width: start - RING, paddingInlineStart: EDGE, paddingInlineEnd: 8 }}
                  >
                    {line.heading && <HeadingWords value={line.heading} note={noteOf(line.heading, "rows")} />}
                  </Part>
                )
              )}
              {!line.isGroup &&
                columnItems.map(({ index: column, start: left }) => {
                  const id = line.cells[column];
                  return id === undefined ? (
                    hasColumns && (
                      <Part
                        key={`empty ${column}`}
                        role="gridcell"
                        aria-colindex={column + 1 + headingColumns}
                        className="sr-only"
                      >
                        No run
                      </Part>
                    )
                  ) : (
                    <Part key={id} role="presentation" className="absolute top-0" style={{ left, width: sizes.cell }}>
                      {renderCell(id, column + 1 + headingColumns)}
                    </Part>
                  );
                })}
            </Part>
          );
        })}
      </Part>
    </div>
  );
}

/** A part of the grid, with an ARIA role. No table elements, because most rows and columns are not rendered. */
export function Part(props: ComponentProps<"div">) {
  return <div {...props} />;
}

interface HeadingWordsProps {
  value: AxisValue;
  note: string | undefined;
  /** Title, detail and note in one line. */
  isLine?: boolean;
}

/** The words of a heading: its title, and beside or below it the shared words and the note. */
function HeadingWords({ value: { title, detail }, note, isLine = false }: HeadingWordsProps) {
  const quietClass = isLine
    ? "min-w-0 truncate text-sm text-ink-3"
    : "wrap-anywhere m-0 mt-0.5 line-clamp-3 text-sm text-ink-3";
  return (
    <>
      <bdi
        title={detail ? `${title} ${detail}` : title}
        className={clsx(
          "font-medium",
          isLine ? "min-w-0 shrink-0 max-w-full truncate" : "wrap-anywhere line-clamp-3 block",
        )}
      >
        {title}
      </bdi>
      {detail && <bdi className={clsx(quietClass, !isLine && "block")}>{detail}</bdi>}
      {note && <span className={clsx(quietClass, "tabular-nums", !isLine && "block")}>{note}</span>}
    </>
  );
}
