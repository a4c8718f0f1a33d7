import { useQuery } from "@tanstack/react-query";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { Check, Star } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { IconButton } from "#ui/button.tsx";
import { Pill } from "#ui/indicators.tsx";
import { toggleFavourite, useFavourites } from "./favourites-store.ts";
import { useInactiveModels } from "./inactive-models.ts";
import { ModelTile, modelSummary } from "./model-card.tsx";
import { modelQueries } from "./model-queries.ts";
import type { ModelEntry } from "./search-models.ts";

const ROW_HEIGHT = 60;

interface ModelListProps {
  entries: readonly ModelEntry[];
  selected: readonly string[];
  /** A press adds a model or takes it out: each is a button that is pressed or not. */
  takesSeveral: boolean;
  onSelect: (id: string) => void;
  /** Where typing goes, and where the arrow leads from the first row upwards. */
  searchInput: RefObject<HTMLInputElement | null>;
  /** Counts up when the search asks for the focus to enter the list. */
  enterCount: number;
}

/**
 * The models that fit, one tab stop: arrows, Home and End move, Enter chooses, and typing goes on searching. Only the
 * rows in view are rendered, because each asks for its own detail (spec 4.1) and a catalogue may have hundreds.
 */
export function ModelList(props: ModelListProps) {
  const { entries, selected, onSelect, searchInput, enterCount } = props;
  const container = useRef<HTMLDivElement>(null);
  const favourites = useFavourites();
  const inactive = useInactiveModels();
  const [active, setActive] = useState(0);
  const last = entries.length - 1;
  const activeIndex = Math.min(active, last);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => container.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    // The active row is the tab stop of the list, also while it is scrolled out of view.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), activeIndex])],
  });

  const focusRow = (index: number) => {
    // Rendered at once: the row may only exist now that it is the active one, and it takes the focus below.
    flushSync(() => setActive(index));
    virtualizer.scrollToIndex(index);
    container.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus({ preventScroll: true });
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

  return (
    <div
      ref={container}
      className="h-[min(52dvh,420px)] max-sm:h-[calc(100dvh-236px)] short:h-[85dvh] overflow-y-auto overscroll-contain short:overscroll-auto"
    >
      <ul
        aria-label="Models"
        onKeyDown={onKeyDown}
        style={{ height: virtualizer.getTotalSize() }}
        className="relative m-0 list-none p-0"
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return (
            <ModelRow
              key={entry.id}
              id={entry.id}
              index={index}
              top={start}
              count={entries.length}
              isSelected={selected.includes(entry.id)}
              takesSeveral={props.takesSeveral}
              isFavourite={favourites.includes(entry.id)}
              isActive={index === activeIndex}
              isInactive={Object.hasOwn(inactive, entry.id)}
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

interface ModelRowProps {
  id: string;
  /** Place in the list, from 0, and the list's length: not every row is rendered. */
  index: number;
  count: number;
  /** Distance from the top of the list, px. */
  top: number;
  isSelected: boolean;
  takesSeveral: boolean;
  isFavourite: boolean;
  isActive: boolean;
  /** The service called it so when it was last asked. */
  isInactive: boolean;
  onSelect: (id: string) => void;
  onToggleFavourite: (id: string) => void;
}

/** One model of the picker, with the detail that it asks for itself. */
function ModelRow(props: ModelRowProps) {
  const { id, index, isSelected, isFavourite } = props;
  const detail = useQuery(modelQueries(useApi()).detail(id));
  return (
    <li
      aria-setsize={props.count}
      aria-posinset={index + 1}
      style={{ top: props.top, height: ROW_HEIGHT }}
      className="group absolute inset-x-0 flex items-center"
    >
      <button
        type="button"
        data-row={index}
        tabIndex={props.isActive ? 0 : -1}
        aria-current={(isSelected && !props.takesSeveral) || undefined}
        aria-pressed={props.takesSeveral ? isSelected : undefined}
        onClick={() => props.onSelect(id)}
        className={clsx(
          "flex h-full min-w-0 flex-1 items-center gap-3 rounded-md py-1 pr-11 pl-2.5 text-left hover:bg-hover",
          isSelected && "bg-accent-soft",
        )}
      >
        <ModelTile id={id} type={detail.data?.type} />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-1.5">
            <span className="truncate font-medium text-[13.5px] leading-5">{visibleLine(id)}</span>
            {isSelected && <Check size={14} aria-hidden="true" className="shrink-0 text-accent-text" />}
            {props.isInactive && <Pill className="ml-1">Inactive</Pill>}
          </span>{" "}
          <span className="flex gap-2 text-[12px] text-ink-3 leading-[18px]">
            {detail.isPending && <span className="mt-1 h-3 w-40 animate-pulse rounded-sm bg-hover" />}
            {detail.isError && <span>Details not loaded</span>}
            {detail.data && (
              <>
                <span className="max-w-full shrink-0 truncate text-ink-2 tabular-nums">
                  {modelSummary(detail.data)}
                </span>{" "}
                <span className="truncate">{detail.data.description}</span>
              </>
            )}
          </span>
        </span>
      </button>
      <IconButton
        label={isFavourite ? `Remove ${visibleLine(id)} from favourites` : `Add ${visibleLine(id)} to favourites`}
        size="md"
        aria-pressed={isFavourite}
        onClick={() => props.onToggleFavourite(id)}
        className={clsx(
          "absolute right-1.5",
          !isFavourite && "opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100",
          "pointer-coarse:opacity-100",
        )}
      >
        <Star size={16} aria-hidden="true" className={clsx(isFavourite && "fill-current text-ink")} />
      </IconButton>
    </li>
  );
}
