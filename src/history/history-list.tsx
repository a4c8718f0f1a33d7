import { useQuery } from "@tanstack/react-query";
import { observeElementOffset } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useConnection } from "#connection/connection-store.ts";
import { counted } from "#lib/numbers.ts";
import { storedFactsQuery } from "#media/file-facts.ts";
import type { MarksById } from "#results/marks/marks.ts";
import { sumPrices, sumText } from "#runs/prices/job-price.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { cursorAfterKey, cursorAfterPress, type GridCursor, getGridKey, movedTo, toggled } from "#ui/grid-cursor.ts";
import { GRID_LINE, GridTable, placeLine } from "#ui/table.tsx";
import { useListWindow } from "#ui/use-list-window.ts";
import { useIsTouch } from "#ui/use-media-query.ts";
import { type JobColumns, JobRow, jobColumns, TABLE_LINE } from "./job-row.tsx";
import { EndedLine, JobTile } from "./job-tile.tsx";
import {
  arrangeJobs,
  createSlots,
  createTileAspects,
  ENDED_GAP,
  getLineIndex,
  type ListLine,
  layoutList,
  lineAt,
  lineTops,
  listPositions,
  type RenderedLine,
  TABLE_HEAD_HEIGHT,
  TABLE_ROW_HEIGHT,
} from "./list-layout.ts";

interface HistoryListProps {
  entries: readonly JobRecord[];
  density: "grid" | "table";
  cursor: GridCursor;
  onCursorChange: (cursor: GridCursor) => void;
  onOpen: (requestId: string) => void;
  /** While the list has the focus, single keys act on the active job. */
  onFocusChange: (hasFocus: boolean) => void;
  marks: MarksById;
  nowMs: number;
  /** The name under which the scroll position is remembered until the list is shown again. */
  placeKey: string;
  /** An older page is shown while the next one loads. */
  isStale?: boolean;
  /** Called with the jobs in view, from the top down, whenever they change and the list is not scrolled fast. */
  onInView?: ((entries: readonly JobRecord[]) => void) | undefined;
  /** At the end of the first day's heading, where nothing moves when it comes or goes. */
  note?: React.ReactNode;
  /** Above the first job, inside the scrolling area. */
  top?: React.ReactNode;
  /** Below the last job, inside the scrolling area. */
  children?: React.ReactNode;
}

/**
 * All jobs in one virtual list, as a grid or a table. The keyboard works as in a file manager: the list itself has the focus,
 * and `aria-activedescendant` names the active job.
 */
export function HistoryList(props: HistoryListProps) {
  const { density, nowMs, placeKey } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const width = useWidth(content);
  const baseId = useId();
  const columns = useMemo(() => jobColumns(width), [width]);
  const accountId = useConnection()?.accountId ?? "";
  const isReady = useQuery(storedFactsQuery(accountId)).data === true;
  const [aspectOf] = useState(createTileAspects);
  const isCoarse = useIsTouch();
  const [tiles] = useState(() => new Set<string>());
  const arranged = useMemo(
    () => arrangeJobs(props.entries, { density, nowMs, tiles }),
    [props.entries, density, nowMs, tiles],
  );
  const { entries, groups } = arranged;
  const lines = useMemo(
    // Waits for the stored shapes of files: tiles must not change their shapes later.
    () => (isReady ? layoutList(entries, { density, width, nowMs, groups, aspectOf, isCoarse }) : NO_LINES),
    [entries, density, width, nowMs, groups, isReady, aspectOf, isCoarse],
  );
  const ids = useMemo(() => entries.map((entry) => entry.requestId), [entries]);
  const indices = useMemo(() => new Map(ids.map((id, index) => [id, index])), [ids]);
  const positions = useMemo(() => listPositions(ids, indices, lines), [ids, indices, lines]);
  const { cursor, onCursorChange, onOpen } = props;

  const shownLines = width > 0 ? lines : NO_LINES;
  const headHeight = density === "table" ? TABLE_HEAD_HEIGHT : 0;
  const { rendered, tops, isScrollingFast, reveal } = useLineWindow(scroller, shownLines, {
    // A line of tiles is as high as several rows and costs as much to render.
    overscan: density === "table" ? 3 : 1,
    headHeight,
    aboveHeight: () => (grid.current && content.current ? heightAbove(grid.current, content.current) : 0),
    onLayout: useStayingPut(entries, shownLines),
  });
  const height = tops[shownLines.length] ?? 0;
  useReportInView(props.onInView, { entries, lines: shownLines, rendered, isScrollingFast });
  // Only once the lines have heights can the list be scrolled.
  const isScrollRestored = useRef(false);
  useLayoutEffect(() => {
    if (shownLines.length === 0 || isScrollRestored.current || !scroller.current) return;
    isScrollRestored.current = true;
    scroller.current.scrollTop = rememberedScroll(placeKey);
  }, [shownLines, placeKey]);

  // `aria-activedescendant` can only name a job that is rendered: one out of sight has no element.
  const activeLine = cursor.active === undefined ? -1 : positions.lineOf(cursor.active);
  const isActiveRendered = rendered.some(({ line }) => line === activeLine);

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.target !== event.currentTarget) return;
    if (event.key === "Enter" && activeLine >= 0 && cursor.active !== undefined) return onOpen(cursor.active);
    // In the table the head hides rows, and the last row of a page is the first of the next one.
    const page = (scroller.current?.clientHeight ?? 0) - (density === "table" ? headHeight + TABLE_ROW_HEIGHT : 0);
    const next = cursorAfterKey(getGridKey(event, page), cursor, positions);
    if (!next) return;
    event.preventDefault();
    onCursorChange(next);
    if (next.active !== cursor.active && next.active !== undefined) reveal(positions.lineOf(next.active));
  }
  function onPress(event: MouseEvent, id: string) {
    // The press focused the link; the keys are handled by the list.
    grid.current?.focus({ preventScroll: true });
    const next = cursorAfterPress(
      { shift: event.shiftKey, mod: event.ctrlKey || event.metaKey },
      id,
      cursor,
      positions,
    );
    if (next) return onCursorChange(next);
    onCursorChange(movedTo(cursor, id));
    onOpen(id);
  }

  useFocusAfterBar(grid, cursor.selected.size > 0);
  const stableActs = useStableActs({ onPress, onToggle: (id) => onCursorChange(toggled(cursor, id)) });

  return (
    <div
      ref={scroller}
      onScroll={(event) => rememberScroll(placeKey, event.currentTarget.scrollTop)}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain [scrollbar-gutter:stable] short:h-dvh short:flex-none short:overscroll-auto"
      data-history-scroller
    >
      <div ref={content} className="flow-root px-4.5 max-sm:px-3">
        {shownLines.length > 0 && props.top}
        <GridTable
          ref={grid}
          label="Jobs"
          columns={density === "table" ? columns.all : undefined}
          headClass="short:static"
          headLineClass={clsx(TABLE_LINE, "h-9 font-medium")}
          lineCount={lines.length}
          height={height}
          activeCell={isActiveRendered ? `${baseId}-${indices.get(cursor.active ?? "")}` : undefined}
          aria-busy={props.isStale || undefined}
          onKeyDown={onKeyDown}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) props.onFocusChange(false);
          }}
          onFocus={(event) => {
            props.onFocusChange(true);
            const [first] = ids;
            if (event.target === event.currentTarget && activeLine < 0 && first !== undefined) {
              onCursorChange(movedTo(cursor, first));
            }
          }}
          className={clsx(
            "group/list w-full outline-none transition-opacity duration-150",
            // Shown before its first lines, the table's head would be pushed down by the banner that comes with them.
            shownLines.length > 0 ? "block" : "hidden",
            props.isStale && "opacity-60",
          )}
        >
          {rendered.map(({ slot, line: at }) => {
            const line = shownLines[at];
            return line ? (
              <ListLineView
                key={slot}
                line={line}
                at={at}
                top={tops[at] ?? 0}
                entries={entries}
                baseId={baseId}
                cursor={cursor}
                isScrollingFast={isScrollingFast}
                marks={props.marks}
                nowMs={nowMs}
                columns={density === "table" ? columns : undefined}
                note={line === shownLines[0] ? props.note : undefined}
                {...stableActs}
              />
            ) : null;
          })}
        </GridTable>
        {/* Not before the jobs are laid out, because they would push it down. */}
        {shownLines.length > 0 && props.children}
      </div>
    </div>
  );
}

interface InView {
  entries: readonly JobRecord[];
  lines: readonly ListLine[];
  rendered: readonly { line: number }[];
  isScrollingFast: boolean;
}

/** Reports the jobs in view, from the top down, but not those that are only scrolled past. */
function useReportInView(
  onInView: HistoryListProps["onInView"],
  { entries, lines, rendered, isScrollingFast }: InView,
): void {
  useEffect(() => {
    if (!onInView || isScrollingFast) return;
    const jobsInView = rendered.flatMap(({ line: index }) => {
      const line = lines[index];
      if (!line || line.kind === "day") return [];
      return entries.slice(line.first, line.first + (line.kind === "tiles" ? line.tiles.length : 1));
    });
    onInView(jobsInView);
  }, [onInView, entries, lines, rendered, isScrollingFast]);
}

const NO_LINES: readonly ListLine[] = [];
const lineHeight = ({ height }: ListLine) => height;
const lineKey = ({ key }: ListLine) => key;

type LineActs = Pick<ListLineProps, "onPress" | "onToggle">;

/**
 * Functions that never change and call the newest acts, so that memoized lines do not render again while the list scrolls.
 */
function useStableActs(acts: LineActs): LineActs {
  const newest = useRef(acts);
  useLayoutEffect(() => {
    newest.current = acts;
  });
  const [stableActs] = useState<LineActs>(() => ({
    onPress: (event, id) => newest.current.onPress(event, id),
    onToggle: (id) => newest.current.onToggle(id),
  }));
  return stableActs;
}

/** Gives the list the focus back when the action bar had it and disappeared with the selection. */
function useFocusAfterBar(list: RefObject<HTMLElement | null>, hasSelection: boolean): void {
  const hadSelection = useRef(hasSelection);
  useEffect(() => {
    if (hadSelection.current && !hasSelection && document.activeElement === document.body) {
      list.current?.focus({ preventScroll: true });
    }
    hadSelection.current = hasSelection;
  }, [list, hasSelection]);
}

interface ListLineProps {
  line: ListLine;
  /** The index of the line. */
  at: number;
  /** Pixels from the top of the list. */
  top: number;
  entries: readonly JobRecord[];
  baseId: string;
  cursor: GridCursor;
  isScrollingFast: boolean;
  marks: MarksById;
  nowMs: number;
  /** The columns of the table; undefined in the grid. */
  columns: JobColumns | undefined;
  /** At the end of a day's heading. */
  note?: ReactNode;
  onPress: (event: MouseEvent, requestId: string) => void;
  onToggle: (requestId: string) => void;
}

/** One line of the list at its place: a day, tiles side by side, or a job of the table. */
const ListLineView = memo(function ListLineView(props: ListLineProps) {
  const { line, entries, baseId, cursor, columns } = props;
  const place = placeLine(props.at, props.top, line.height, columns !== undefined);
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
      <tr {...place} className={clsx(GRID_LINE, "block")}>
        <DayHeading line={line} entries={entries} note={props.note} />
      </tr>
    );
  }
  if (line.kind === "job") {
    const entry = entries[line.first];
    if (!entry || !columns) return null;
    return <JobRow {...cell(entry, line.first)} place={place} columns={columns} />;
  }
  if (line.kind === "ended") {
    const entry = entries[line.first];
    if (!entry) return null;
    const { nowMs: _, ...cellProps } = cell(entry, line.first);
    return (
      <EndedLine
        {...cellProps}
        isSelecting={cursor.selected.size > 0}
        isFirst={line.isFirst}
        isLast={line.isLast}
        place={place}
        height={line.height - (line.isLast ? ENDED_GAP : 0) - 1}
      />
    );
  }
  return (
    <tr {...place} className={clsx(GRID_LINE, "block")}>
      {line.tiles.map((tile, column) => {
        const entry = entries[line.first + column];
        if (!entry) return null;
        return (
          <JobTile
            key={tile.column}
            {...cell(entry, line.first + column)}
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
  const count = counted(jobs.length, "job");
  const sum = sumText(sumPrices(jobs));
  return (
    <th scope="row" className="flex h-full items-end gap-3 pb-2 font-normal text-sm text-ink-3 tabular-nums">
      <span className="min-w-0 truncate">
        <span className="font-medium text-sm text-ink">{line.label}</span>
        {` · ${count}${sum === undefined ? "" : ` · ${sum}`}`}
      </span>
      {note !== undefined && <span className="ml-auto shrink-0 text-xs">{note}</span>}
    </th>
  );
}

/** Pixels above the first line. */
const PADDING = 4;
/** So long after the last scroll event the list counts as at rest. */
const SCROLL_END_DELAY_MS = 120;

interface LineWindow {
  /** What to render, in the order of the document. */
  rendered: readonly RenderedLine[];
  /** Pixels from the top of the list, by line; the last value is the height of all. */
  tops: Float64Array;
  /** The list is scrolled so quickly that no line can be read: what is costly to render waits. */
  isScrollingFast: boolean;
  /** Brings a line into view with as little movement as possible. */
  reveal: (line: number) => void;
}

/**
 * Which lines of a list with known heights are in view. Renders only when another line comes into view, and then within the
 * frame of the scroll, so that no empty stretch is painted. The elements of lines that left are used again for lines that come
 * in: without that a frame took 1.3 times as long at reading speed, and 1.6 times when scrolled fast (20,000 rows, measured
 * 2026-11-30 with `npm run bench -- history`).
 */
function useLineWindow(
  scroller: RefObject<HTMLElement | null>,
  lines: readonly ListLine[],
  {
    overscan,
    headHeight,
    aboveHeight,
    onLayout,
  }: {
    /** The lines above and below those in view that are drawn as well. */
    overscan: number;
    /** Height of what stays in sight above the lines, in pixels. */
    headHeight: number;
    /** Height of what scrolls away above the lines, in pixels. */
    aboveHeight: () => number;
    /** Restores the scroll position before a new layout is painted. */
    onLayout: (scroller: HTMLElement, tops: Float64Array) => void;
  },
): LineWindow {
  // Computed here, because the virtualizer has the places of new lines one render later, and as an object for each line.
  const tops = useMemo(() => lineTops(lines, PADDING), [lines]);
  const [isScrollingFast, setIsScrollingFast] = useState(false);
  /** Read by the scroll listener, which must not wait for a render. */
  const wasFast = useRef(false);
  const [slots] = useState(createSlots);
  const latestCallbacks = useRef({ aboveHeight, onLayout });
  useLayoutEffect(() => {
    latestCallbacks.current = { aboveHeight, onLayout };
  });
  /** The offset after the last scroll event or layout, in pixels: a scroll that a new layout causes is not fast scrolling. */
  const lastOffset = useRef(0);
  useLayoutEffect(() => {
    const node = scroller.current;
    if (!node) return;
    latestCallbacks.current.onLayout(node, tops);
    lastOffset.current = node.scrollTop;
  }, [scroller, tops]);
  const virtualizer = useListWindow(scroller, lines, {
    sizeOf: lineHeight,
    keyOf: lineKey,
    paddingStart: PADDING,
    overscan,
    isScrollingResetDelay: SCROLL_END_DELAY_MS,
    observeElementOffset: (list, report) =>
      observeElementOffset(list, (offset, isScrolling) => {
        // Decided before the lines of the new place are rendered: while the list scrolls fast they render without images.
        const isFast = Math.abs(offset - lastOffset.current) > (list.scrollRect?.height ?? 0) / 2;
        lastOffset.current = offset;
        const isFastNow = isScrolling && (wasFast.current || isFast);
        if (isFastNow !== wasFast.current) setIsScrollingFast(isFastNow);
        wasFast.current = isFastNow;
        report(offset, isScrolling);
      }),
  });

  const reveal = useCallback(
    (line: number) => {
      const node = scroller.current;
      const [from, to] = [tops[line], tops[line + 1]];
      if (!node || from === undefined || to === undefined) return;
      const space = node.clientHeight - headHeight;
      const above = latestCallbacks.current.aboveHeight();
      // The first line is shown with what stands above it.
      if (line <= 1) node.scrollTop = 0;
      else if (from + above < node.scrollTop) node.scrollTop = from + above - PADDING;
      else if (to + above > node.scrollTop + space) node.scrollTop = to + above - space;
    },
    [scroller, tops, headHeight],
  );

  const inView = virtualizer.getVirtualIndexes();
  const range = { start: inView[0] ?? 0, end: (inView.at(-1) ?? -1) + 1 };
  const rendered = slots(range, virtualizer.isScrolling).filter(({ line }) => line < lines.length);
  return { rendered, tops, isScrollingFast, reveal };
}

/** Pixels between the tops of two elements. */
const heightAbove = (element: HTMLElement, within: HTMLElement) =>
  element.getBoundingClientRect().top - within.getBoundingClientRect().top;

/** Pixels. Nearer to the top a person looks at the newest jobs, and new ones may push them down. */
const TOP_ZONE = 60;

/**
 * Scrolls a new layout so that the first job in view stays where it is: when jobs came in above it, or when the width of
 * the list changed.
 */
function useStayingPut(entries: readonly JobRecord[], lines: readonly ListLine[]) {
  const previous = useRef<{ entries: readonly JobRecord[]; lines: readonly ListLine[]; tops: Float64Array }>(undefined);
  return (scroller: HTMLElement, tops: Float64Array) => {
    const old = previous.current;
    previous.current = { entries, lines, tops };
    const top = scroller.scrollTop;
    if (!old || old.lines.length === 0 || lines.length === 0 || top < TOP_ZONE) return;
    const first = old.lines[lineAt(old.tops, top)]?.first ?? -1;
    const line = getLineIndex(first, old.lines);
    const id = old.entries[first]?.requestId;
    const index = entries.findIndex(({ requestId }) => requestId === id);
    if (index < 0) return;
    const moved = (tops[getLineIndex(index, lines)] ?? 0) - (old.tops[line] ?? 0);
    if (moved !== 0) scroller.scrollTop = top + moved;
  };
}

/** The lists whose scroll positions are remembered: more than a person goes back to. */
const MAX_REMEMBERED = 20;

const scrollTops = new Map<string, number>();

/** How far a list was scrolled when it was last left, in pixels; 0 where it was not seen in this session. */
function rememberedScroll(placeKey: string): number {
  return scrollTops.get(placeKey) ?? 0;
}

/** Remembers how far a list is scrolled, in pixels, and forgets the list that was left longest ago. */
function rememberScroll(placeKey: string, top: number): void {
  scrollTops.delete(placeKey);
  scrollTops.set(placeKey, top);
  const oldest = scrollTops.keys().next();
  if (scrollTops.size > MAX_REMEMBERED && !oldest.done) scrollTops.delete(oldest.value);
}

/** The inner width of an element in pixels, followed as it changes; 0 until it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const node = element.current;
    if (!node) return;
    const measure = () => {
      const style = getComputedStyle(node);
      setWidth(
        Math.floor(node.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)),
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
