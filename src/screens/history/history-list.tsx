import { clsx } from "clsx";
import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { MarksById } from "#jobs/marks/marks-store.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { TableHead } from "./job-row.tsx";
import { type Cursor, cursorAfterKey, cursorAfterPress, lineOf, toggled } from "./list-cursor.ts";
import { type ListLine, layoutList, TABLE_HEAD_HEIGHT } from "./list-layout.ts";
import { type ListLineProps, ListLineView } from "./list-line.tsx";
import { useLineWindow } from "./use-line-window.ts";

interface HistoryListProps {
  entries: readonly HistoryEntry[];
  density: "grid" | "table";
  cursor: Cursor;
  onCursorChange: (cursor: Cursor) => void;
  onOpen: (index: number) => void;
  marks: MarksById;
  nowMs: number;
  /** Under which the scroll position is remembered for coming back. */
  placeKey: string;
  /** An older page is shown while the next one loads. */
  isStale?: boolean;
  /** Hears which jobs are in view, once the list stands still. */
  onInView?: ((entries: readonly HistoryEntry[]) => void) | undefined;
  /** Below the last job, inside the scrolling area. */
  children?: React.ReactNode;
}

/**
 * All jobs in one virtual list with two densities. The keyboard works it like a file manager: the list has the focus
 * and names the active job.
 */
export function HistoryList(props: HistoryListProps) {
  const { entries, density, cursor, nowMs, placeKey, onCursorChange, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const width = useWidth(content);
  const baseId = useId();
  const lines = useMemo(() => layoutList(entries, { density, width, nowMs }), [entries, density, width, nowMs]);
  const ids = useMemo(() => entries.map((entry) => entry.requestId), [entries]);

  const shownLines = width > 0 ? lines : NO_LINES;
  const { held, tops, isPassing, reveal } = useLineWindow(
    scroller,
    shownLines,
    density === "table" ? TABLE_HEAD_HEIGHT : 0,
  );
  const height = tops[shownLines.length] ?? 0;
  useInView(props.onInView, { entries, lines: shownLines, held, isPassing });
  // Only now do the lines have heights, without which nothing can be scrolled.
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    if (width === 0 || isPlaced.current || !scroller.current) return;
    isPlaced.current = true;
    scroller.current.scrollTop = rememberedScroll(placeKey);
  }, [width, placeKey]);

  function show(next: Cursor) {
    onCursorChange(next);
    if (next.active !== cursor.active && next.active >= 0) reveal(lineOf(next.active, lines));
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.target !== event.currentTarget) return;
    if (event.key === "Enter" && cursor.active >= 0) return onOpen(cursor.active);
    const page = scroller.current?.clientHeight ?? 0;
    const press = { key: event.key, shift: event.shiftKey, mod: event.ctrlKey || event.metaKey, page };
    const next = cursorAfterKey(press, cursor, ids, lines);
    if (!next) return;
    event.preventDefault();
    show(next);
  }
  function onPress(event: MouseEvent, index: number) {
    // The press focused the link; the keys are handled by the list.
    grid.current?.focus({ preventScroll: true });
    const next = cursorAfterPress({ shift: event.shiftKey, mod: event.ctrlKey || event.metaKey }, index, cursor, ids);
    if (next) return onCursorChange(next);
    onCursorChange({ ...cursor, active: index, anchor: index });
    onOpen(index);
  }

  useFocusBack(grid, cursor.selected.size > 0);
  const steady = useSteady({ onPress, onToggle: (index) => onCursorChange(toggled(cursor, index, ids)) });

  return (
    <div
      ref={scroller}
      onScroll={(event) => rememberScroll(placeKey, event.currentTarget.scrollTop)}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain [scrollbar-gutter:stable] short:h-dvh short:flex-none short:overscroll-auto"
      data-history-scroller
    >
      <div ref={content} className="px-[18px] max-sm:px-3">
        <ListTable
          ref={grid}
          role="grid"
          aria-label="Jobs"
          aria-multiselectable="true"
          aria-rowcount={lines.length + (density === "table" ? 1 : 0)}
          aria-activedescendant={cursor.active < 0 ? undefined : `${baseId}-${cursor.active}`}
          aria-busy={props.isStale || undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            if (event.target === event.currentTarget && cursor.active < 0 && ids.length > 0) {
              onCursorChange({ ...cursor, active: 0, anchor: 0 });
            }
          }}
          className={clsx(
            "group/list block w-full outline-none transition-opacity duration-150",
            props.isStale && "opacity-60",
          )}
        >
          {density === "table" && <TableHead />}
          <tbody className="relative block transition-none" style={{ height }}>
            {held.map(({ slot, line: place }) => {
              const line = shownLines[place];
              return line ? (
                <ListLineView
                  key={slot}
                  line={line}
                  top={tops[place] ?? 0}
                  rowIndex={place + (density === "table" ? 2 : 1)}
                  entries={entries}
                  baseId={baseId}
                  cursor={cursor}
                  isPassing={isPassing}
                  marks={props.marks}
                  nowMs={nowMs}
                  {...steady}
                />
              ) : null;
            })}
          </tbody>
        </ListTable>
        {/* Only once the jobs are laid out: before that it would move down. */}
        {shownLines.length > 0 && props.children}
      </div>
    </div>
  );
}

// A table by its element, which brings rows and cells along, and a grid by the role that it is given: the linter takes
// the two for a mistake where it sees them on one element.
function ListTable(props: ComponentProps<"table">) {
  return <table {...props} />;
}

interface InView {
  entries: readonly HistoryEntry[];
  lines: readonly ListLine[];
  held: readonly { line: number }[];
  isPassing: boolean;
}

/** Tells which jobs are in view, from the top down, but not those that are only scrolled past. */
function useInView(onInView: HistoryListProps["onInView"], { entries, lines, held, isPassing }: InView): void {
  useEffect(() => {
    if (!onInView || isPassing) return;
    const seen = held.flatMap(({ line: place }) => {
      const line = lines[place];
      if (!line || line.kind === "day") return [];
      return entries.slice(line.first, line.first + (line.kind === "tiles" ? line.tiles.length : 1));
    });
    onInView(seen);
  }, [onInView, entries, lines, held, isPassing]);
}

const NO_LINES: readonly ListLine[] = [];

type LineActs = Pick<ListLineProps, "onPress" | "onToggle">;

/**
 * Functions that stay the same and call the newest ones, so that scrolling does not render lines that stay in sight.
 */
function useSteady(acts: LineActs): LineActs {
  const newest = useRef(acts);
  useLayoutEffect(() => {
    newest.current = acts;
  });
  const [steady] = useState<LineActs>(() => ({
    onPress: (event, index) => newest.current.onPress(event, index),
    onToggle: (index) => newest.current.onToggle(index),
  }));
  return steady;
}

const MOST_REMEMBERED = 20;

const places = new Map<string, number>();

/** Where a list stood when it was last left, in pixels; 0 where it was not seen in this session. */
function rememberedScroll(placeKey: string): number {
  return places.get(placeKey) ?? 0;
}

function rememberScroll(placeKey: string, top: number): void {
  places.delete(placeKey);
  places.set(placeKey, top);
  const oldest = places.keys().next();
  if (places.size > MOST_REMEMBERED && !oldest.done) places.delete(oldest.value);
}

/** Gives the list the focus back when the action bar had it and went away with the selection. */
function useFocusBack(list: RefObject<HTMLElement | null>, isChosen: boolean): void {
  const wasChosen = useRef(isChosen);
  useEffect(() => {
    if (wasChosen.current && !isChosen && document.activeElement === document.body) {
      list.current?.focus({ preventScroll: true });
    }
    wasChosen.current = isChosen;
  }, [list, isChosen]);
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
