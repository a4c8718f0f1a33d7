import { clsx } from "clsx";
import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { TextInput } from "./field.tsx";
import { useActiveOrNeighbor } from "./grid-cursor.ts";
import { indexAfterKey } from "./list-keys.ts";
import { rem } from "./rem.ts";
import { useListWindow } from "./use-list-window.ts";
import { useIsTouch } from "./use-media-query.ts";

/** What every item of a picker has. */
export interface PickerItem {
  /** Unique in the list. */
  id: string;
  /** The heading above the item. Items under one heading must follow each other. */
  group?: string | undefined;
}

interface PickerProps<T extends PickerItem> {
  /** What is listed: "Models". */
  label: string;
  /** The placeholder of the search, such as "Search by name". */
  placeholder: string;
  search: string;
  onSearch: (text: string) => void;
  /** The items that match the search, in the order in which they are listed. */
  items: readonly T[];
  /** What an item shows; the picker adds the button around it, and the tick of a chosen one. */
  row: (item: T) => ReactNode;
  /** The height of each row, in pixels. */
  rowHeight?: number;
  /** Buttons of a row beside the one that chooses it. */
  acts?: (item: T) => ReactNode;
  /** The ids of the chosen items. */
  selected?: readonly string[];
  /** Several items can be chosen: a press adds one or removes it. */
  takesSeveral?: boolean;
  onPick: (item: T) => void;
  /** Which items Enter in the search may choose; any without it. */
  canPickWithEnter?: (item: T) => boolean;
  /** Shown between the search and the list: filters, and errors. */
  filters?: ReactNode;
  /** Shown in place of the list where nothing fits. `toSearch` puts the focus into the search. */
  empty: (toSearch: () => void) => ReactNode;
  /** Shown in place of the list while it is read. */
  loading?: ReactNode;
  /** A line under the list, such as the number of items. */
  status?: ReactNode;
  /** The height of the list does not depend on the number of items, so that nothing below it moves. */
  hasFixedHeight?: boolean;
}

const MAX_HEIGHT = "max-h-[min(52dvh,420px)] max-sm:max-h-[calc(100dvh-236px)] short:max-h-[85dvh]";
const FIXED_HEIGHT = "h-[min(52dvh,420px)] max-sm:h-[calc(100dvh-236px)] short:h-[85dvh]";
const HEADING_HEIGHT_PX = rem(30);
const MIN_TOUCH_HEIGHT_PX = 44;

type Line<T> = { heading: string } | { item: T; at: number };

const lineKey = (line: Line<PickerItem>) => ("item" in line ? `item ${line.item.id}` : `heading ${line.heading}`);

function createLines<T extends PickerItem>(items: readonly T[]): Line<T>[] {
  return items.flatMap((item, at): Line<T>[] => {
    const isFirst = item.group !== undefined && item.group !== items[at - 1]?.group;
    return [...(isFirst ? [{ heading: item.group ?? "" }] : []), { item, at }];
  });
}

/**
 * A search, and the list of what fits, in which one or several are chosen. Its rows are one stop of the Tab key: arrows, Home
 * and End move, Enter chooses, and typing goes on searching. Enter in the search chooses the first match once something was
 * typed: before that, nobody has chosen the first. Only the rows in view are rendered, since each may ask for what it shows.
 */
export function Picker<T extends PickerItem>(props: PickerProps<T>) {
  const { label, search, items, onPick, selected = [], takesSeveral = false, hasFixedHeight = false } = props;
  const rowHeight = Math.max(rem(props.rowHeight ?? 48), useIsTouch() ? MIN_TOUCH_HEIGHT_PX : 0);
  const input = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string>();
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const activeAt = Math.max(0, ids.indexOf(useActiveOrNeighbor(activeId, ids) ?? ""));
  const lines = createLines(items);
  const findLine = (index: number) => lines.findIndex((line) => "item" in line && line.at === index);
  const activeLine = findLine(activeAt);
  const virtualizer = useListWindow(scroller, lines, {
    sizeOf: (line) => ("heading" in line ? HEADING_HEIGHT_PX : rowHeight),
    keyOf: lineKey,
    overscan: 4,
    tabStop: activeLine,
  });

  function focusRow(at: number) {
    const line = findLine(at);
    const above = lines[line - 1];
    const isUpwards = at <= activeAt;
    // The row is rendered at once, because it may exist only now that it is active, and it gets the focus below.
    flushSync(() => setActiveId(ids[at]));
    // On the way up a heading comes into view together with its first row.
    virtualizer.scrollToIndex(isUpwards && above && "heading" in above ? line - 1 : line);
    scroller.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus({ preventScroll: true });
  }
  function onSearchKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || items.length === 0) return;
    if (event.key === "ArrowDown") focusRow(0);
    else if (event.key === "Enter" && search.trim() !== "") {
      const first = items.find(props.canPickWithEnter ?? (() => true));
      // A key that stays pressed chooses only once.
      if (first && !event.repeat) onPick(first);
    } else return;
    event.preventDefault();
  }
  function onSearch(text: string) {
    props.onSearch(text);
    // The best match is at the top of the new list.
    setActiveId(undefined);
    virtualizer.scrollToOffset(0);
  }
  function onListKey(event: KeyboardEvent) {
    const isTyping = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    // The focus moves first, so that the typed character goes into the search.
    if (isTyping) return input.current?.focus();
    if (event.key === "ArrowUp" && activeAt === 0) input.current?.focus();
    else {
      const target = indexAfterKey(event.key, activeAt, items.length);
      if (target === undefined) return;
      focusRow(target);
    }
    event.preventDefault();
  }

  return (
    <div className="flex flex-col gap-3">
      <TextInput
        ref={input}
        type="search"
        aria-label={`Search ${label.toLowerCase()}`}
        placeholder={props.placeholder}
        autoComplete="off"
        spellCheck={false}
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={onSearchKey}
      />
      {props.filters}
      {props.loading ?? (items.length === 0 && props.empty(() => input.current?.focus()))}
      {items.length > 0 && !props.loading && (
        <div
          ref={scroller}
          className={clsx(
            "overflow-y-auto overscroll-contain short:overscroll-auto",
            hasFixedHeight ? FIXED_HEIGHT : MAX_HEIGHT,
          )}
        >
          <ul
            aria-label={label}
            onKeyDown={onListKey}
            onFocus={({ target }) => {
              const at = target.closest("li")?.querySelector<HTMLElement>("[data-row]")?.dataset.row;
              if (at !== undefined) setActiveId(ids[Number(at)]);
            }}
            style={{ height: virtualizer.getTotalSize() }}
            className="relative m-0 list-none p-0"
          >
            {virtualizer.getVirtualItems().map(({ key, index, start, size }) => {
              const line = lines[index];
              const place = { top: start, height: size };
              if (line === undefined) return null;
              if ("heading" in line) {
                return (
                  <li
                    key={key}
                    role="presentation"
                    style={place}
                    className="absolute inset-x-0 flex items-end px-2.5 pb-1"
                  >
                    <h3 className="m-0 font-medium text-xs text-ink-3">{line.heading}</h3>
                  </li>
                );
              }
              const { item, at } = line;
              const isSelected = selected.includes(item.id);
              return (
                <li
                  key={key}
                  aria-setsize={items.length}
                  aria-posinset={at + 1}
                  style={place}
                  className="group absolute inset-x-0 flex items-center"
                >
                  <button
                    type="button"
                    data-row={at}
                    tabIndex={at === activeAt ? 0 : -1}
                    aria-current={(isSelected && !takesSeveral) || undefined}
                    aria-pressed={takesSeveral ? isSelected : undefined}
                    onClick={() => onPick(item)}
                    className={clsx(
                      "flex h-full min-w-0 flex-1 cursor-pointer items-center gap-3 rounded-md py-1 ps-2.5 text-start hover:bg-hover",
                      props.acts ? "pe-11" : "pe-2.5",
                      isSelected && "bg-accent-soft",
                    )}
                  >
                    {props.row(item)}
                    {isSelected && <Check aria-hidden="true" className="ms-auto size-4 shrink-0 text-accent-text" />}
                  </button>
                  {props.acts?.(item)}
                </li>
              );
            })}
          </ul>
        </div>
      )}
      {props.status !== undefined && (
        <p role="status" className="m-0 text-xs text-ink-3 tabular-nums">
          {props.status}
        </p>
      )}
    </div>
  );
}

/** What most rows show: a name, a quieter line under it, and a few words at the end. */
export function PickerRow({ title, detail, aside }: { title: ReactNode; detail?: ReactNode; aside?: ReactNode }) {
  return (
    <>
      <span className="min-w-0 flex-1">
        <span dir="auto" title={typeof title === "string" ? title : undefined} className="block truncate font-medium">
          {title}
        </span>{" "}
        {detail !== undefined && (
          <span dir="auto" className="block truncate text-xs text-ink-3 tabular-nums">
            {detail}
          </span>
        )}
      </span>{" "}
      {aside !== undefined && <span className="max-w-[50%] shrink-0 truncate text-sm text-ink-3">{aside}</span>}
    </>
  );
}
