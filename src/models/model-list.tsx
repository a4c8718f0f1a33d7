import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { toggleFavourite, useFavourites } from "./favourites-store.ts";
import { ModelRow, ROW_HEIGHT } from "./model-row.tsx";
import type { ModelEntry } from "./search-models.ts";
import { useRowWindow } from "./use-row-window.ts";

export interface ModelListProps {
  entries: readonly ModelEntry[];
  selectedId: string | undefined;
  onSelect: (id: string) => void;
  /** Where typing goes, and where the arrow leads from the first row upwards. */
  searchInput: RefObject<HTMLInputElement | null>;
  /** Counts up when the search asks for the focus to enter the list. */
  enterCount: number;
}

/** The models that fit, one tab stop: arrows, Home and End move, Enter chooses, and typing goes on searching. */
export function ModelList({ entries, selectedId, onSelect, searchInput, enterCount }: ModelListProps) {
  const container = useRef<HTMLDivElement>(null);
  const favourites = useFavourites();
  const [active, setActive] = useState(0);
  const last = entries.length - 1;
  const { start, end } = useRowWindow(container, { count: entries.length, rowHeight: ROW_HEIGHT, enabled: last >= 0 });
  const activeIndex = Math.min(active, last);

  const focusRow = (index: number) => {
    // Rendered at once: the row may only exist now that it is the active one, and it takes the focus below.
    flushSync(() => setActive(index));
    const element = container.current;
    if (element === null) return;
    const top = index * ROW_HEIGHT;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + ROW_HEIGHT - element.clientHeight;
    }
    element.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus({ preventScroll: true });
  };

  useEffect(() => {
    if (enterCount > 0) container.current?.querySelector<HTMLElement>("[data-row]")?.focus();
  }, [enterCount]);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = targetIndex(event.key, activeIndex, last);
    if (target !== undefined) {
      event.preventDefault();
      if (target < 0) searchInput.current?.focus();
      else focusRow(target);
    } else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) {
      // The key press itself then lands in the search.
      searchInput.current?.focus();
    }
  };

  const rows = Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
  if (activeIndex >= 0 && !rows.includes(activeIndex)) rows.push(activeIndex);
  return (
    <div
      ref={container}
      className="h-[min(52dvh,420px)] max-sm:h-[calc(100dvh-236px)] overflow-y-auto overscroll-contain"
    >
      <ul
        aria-label="Models"
        onKeyDown={onKeyDown}
        style={{ height: entries.length * ROW_HEIGHT }}
        className="relative m-0 list-none p-0"
      >
        {rows.map((index) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return (
            <ModelRow
              key={entry.id}
              id={entry.id}
              index={index}
              count={entries.length}
              isSelected={entry.id === selectedId}
              isFavourite={favourites.includes(entry.id)}
              isActive={index === activeIndex}
              onSelect={onSelect}
              onToggleFavourite={toggleFavourite}
            />
          );
        })}
      </ul>
    </div>
  );
}

/** Where a key leads from row `index`: -1 is the search above the list, undefined no move at all. */
function targetIndex(key: string, index: number, last: number): number | undefined {
  if (key === "ArrowDown") return Math.min(last, index + 1);
  if (key === "ArrowUp") return index - 1;
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key === "PageDown") return Math.min(last, index + 6);
  if (key === "PageUp") return Math.max(0, index - 6);
  return undefined;
}
