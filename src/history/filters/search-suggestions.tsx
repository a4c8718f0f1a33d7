import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useMemo, useRef } from "react";
import { useApi } from "#connection/client.ts";
import { modelQueries } from "#models/model-queries.ts";
import { Button } from "#ui/button.tsx";
import { popupClass, useAnchoredPopover } from "#ui/popover.ts";
import { useJobIndex } from "../job-index/use-job-index.ts";
import { localDay } from "./date-filter.tsx";
import { hasTerm } from "./search-terms.ts";

interface SearchSuggestionsProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  query: string;
  nowMs: number;
  /** What is wrong with terms that are written, in words. */
  wrongs: readonly string[];
  onAdd: (term: string) => void;
  onAll: () => void;
  /** Back to the box. */
  onLeave: () => void;
}

/** Terms that can be added with a press. Arrow keys move through them. */
export function SearchSuggestions({ id, anchor, query, nowMs, wrongs, onAdd, onAll, onLeave }: SearchSuggestionsProps) {
  const popup = useRef<HTMLFieldSetElement>(null);
  const model = useUsualModel();
  const terms = suggestions(model, nowMs).filter(([term]) => !hasTerm(query, term));
  useAnchoredPopover({ open: true, anchor, popup, align: "start" });

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons: Element[] = [...(popup.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement ?? event.currentTarget) + step;
    if (at < 0) onLeave();
    const next = buttons[Math.min(at, buttons.length - 1)];
    if (at >= 0 && next instanceof HTMLElement) next.focus();
  }
  return (
    <fieldset
      ref={popup}
      id={id}
      aria-label="Add to your search"
      onKeyDown={onKeyDown}
      className={popupClass("flex w-[22rem] flex-col p-0! overflow-hidden!")}
    >
      <div className="min-h-0 flex-auto overflow-y-auto p-1.5">
        {wrongs.map((wrong) => (
          <p key={wrong} className="wrap-anywhere m-0 mb-1 rounded-sm bg-hover px-2 py-1.5 text-[12.5px] text-ink">
            {wrong}
          </p>
        ))}
        <p aria-hidden className="m-0 px-2 pt-1 pb-1.5 text-[12px] text-ink-3">
          Add to your search
        </p>
        {terms.map(([term, what]) => (
          <button
            key={term}
            type="button"
            onClick={() => onAdd(term)}
            className="grid min-h-[30px] w-full cursor-pointer grid-cols-[minmax(0,10rem)_minmax(0,1fr)] items-center gap-3 rounded-sm px-2 text-left text-[12.5px] text-ink-2 outline-none hover:bg-hover hover:text-ink focus-visible:bg-hover focus-visible:text-ink focus-visible:outline-2 focus-visible:outline-focus focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
          >
            <bdi className="w-fit max-w-full truncate rounded-[5px] bg-canvas px-1.5 font-medium font-mono text-[12px] text-ink leading-[22px]">
              {term}
            </bdi>
            <span className="truncate">{what}</span>
          </button>
        ))}
      </div>
      <div className="flex min-h-9 shrink-0 items-center justify-between gap-2 border-line border-t py-0.5 pr-1.5 pl-3.5 text-[12px] text-ink-3">
        <span>Click to add</span>
        <Button variant="ghost" size="sm" onClick={onAll}>
          All search terms
        </Button>
      </div>
    </fieldset>
  );
}

function suggestions(model: string | undefined, nowMs: number): (readonly [term: string, what: string])[] {
  return [
    ["type:video", "Only videos"],
    ...(model === undefined ? [] : [[`model:${/\s/.test(model) ? `"${model}"` : model}`, "One model"] as const]),
    ["cost>0.5", "More than $0.50"],
    [`after:${localDay(nowMs, 7)}`, "From this day on"],
    ["status:failed", "Failed jobs"],
    ["expires<7", "Files expire within 7 days"],
    ["is:starred", "Starred jobs"],
  ];
}

/** The most used values are counted in so many of the newest jobs. */
const NEWEST = 200;

/** The model that most of the newest jobs used, else the first of the catalogue. */
function useUsualModel(): string | undefined {
  const { entries } = useJobIndex().state;
  const [first] = useQuery({ ...modelQueries(useApi()).ids(), enabled: false }).data ?? [];
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const { model } of entries.slice(0, NEWEST)) if (model) counts.set(model, (counts.get(model) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? first;
  }, [entries, first]);
}
