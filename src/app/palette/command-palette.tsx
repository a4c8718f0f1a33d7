import { clsx } from "clsx";
import { ChevronRight, Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { counted } from "#lib/numbers.ts";
import { studioCommands } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { StatusDot } from "#ui/indicators.tsx";
import { shortcutLabel } from "#ui/keys.ts";
import { indexAfterKey } from "#ui/list-keys.ts";
import { Kbd } from "#ui/shortcuts.tsx";
import { GROUPS, getSearchWords, markedParts, type PaletteEntry } from "./find-entries.ts";
import { usePaletteEntries } from "./palette-entries.tsx";
import type { CommandPlace } from "./press-keys.ts";

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Whose commands it lists: where the person was when it was opened. */
  place: CommandPlace;
}

/** Every act of the place, the jobs, models and settings in one list: type to narrow, arrows to move, Enter to act. */
export function CommandPalette({ open, onOpenChange, place }: CommandPaletteProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Commands" hideTitle atTop>
      <PaletteBody place={place} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PaletteBody({ place, onDone }: { place: CommandPlace; onDone: () => void }) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [activeId, setActiveId] = useState<string>();
  const typed = query.trim();
  const words = useMemo(() => getSearchWords(typed), [typed]);
  const { entries, failed } = usePaletteEntries({ query: typed, place, onAskId: () => setQuery("") });
  const ordered = GROUPS.flatMap((group) => entries.filter((entry) => entry.group === group));
  // Before anything is typed no entry is active, because the first act of a screen may cost money.
  const active = ordered.find(({ id }) => id === activeId) ?? (typed === "" ? undefined : ordered[0]);
  const activeIndex = active ? ordered.indexOf(active) : -1;

  function run(entry: PaletteEntry) {
    if (entry.unavailable !== undefined) return;
    if (entry.staysOpen) {
      entry.run();
      input.current?.focus();
      return;
    }
    onDone();
    // Runs after the dialog has given the focus back, so that the act may move it.
    requestAnimationFrame(entry.run);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const to = indexAfterKey(event.key, activeIndex, ordered.length, { wraps: true });
    if (to !== undefined) setActiveId(ordered[to]?.id);
    else if (event.key === "Enter") {
      // Repeats of a pressed key run nothing: the act may cost money.
      if (active && !event.repeat) run(active);
    }
    // The dialog leaves Escape to an open list, and this one never closes by itself.
    else if (event.key === "Escape") onDone();
    else return;
    event.preventDefault();
  }

  return (
    <div className="-mx-5 -mb-5">
      <div className="sticky top-0 z-10 flex items-center gap-2.5 border-line border-b bg-panel px-4">
        <Search aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label="Search commands"
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={active ? `${listId}-${active.id}` : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="auto"
          placeholder="Search commands, jobs and models"
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-lg text-ellipsis outline-none placeholder:text-ink-3 short:h-10"
        />
        <span role="status" className="shrink-0 text-xs text-ink-3 tabular-nums">
          {typed !== "" && counted(ordered.length, "match", "matches")}
        </span>
        <Kbd keys="esc" className="max-sm:hidden" />
        <button
          type="button"
          onClick={onDone}
          className="min-h-10 cursor-pointer rounded-sm px-2 pointer-coarse:min-h-11 text-sm text-ink-2 sm:hidden"
        >
          Close
        </button>
      </div>
      <EntryList
        id={listId}
        entries={ordered}
        words={words}
        activeId={active?.id}
        isSearch={typed !== ""}
        onRun={run}
      />
      {ordered.length === 0 && (
        <p className="m-0 px-4 py-6 text-center text-ink-2">
          {failed
            ? "No matching commands. Models couldn’t be loaded."
            : "No matching commands, jobs, models or settings."}{" "}
          See search terms in Keyboard shortcuts.
        </p>
      )}
      <div
        aria-hidden="true"
        className="sticky -bottom-5 flex h-10 items-center gap-4 border-line border-t bg-panel px-4 text-xs text-ink-3 max-sm:hidden short:hidden pointer-coarse:hidden"
      >
        <span className="flex items-center gap-1.5">
          <Kbd keys="arrowup" />
          <Kbd keys="arrowdown" /> Move
        </span>
        <span className="flex items-center gap-1.5">
          <Kbd keys="enter" /> Choose
        </span>
        <span className="ms-auto flex items-center gap-1.5">
          <Kbd command={studioCommands.help} /> Keyboard shortcuts
        </span>
      </div>
    </div>
  );
}

interface EntryListProps {
  id: string;
  entries: readonly PaletteEntry[];
  words: readonly string[];
  activeId: string | undefined;
  isSearch: boolean;
  onRun: (entry: PaletteEntry) => void;
}

/** The list of the palette. The focus stays in the text; `aria-activedescendant` names the active line. */
function EntryList({ id, entries, words, activeId, isSearch, onRun }: EntryListProps) {
  const activeItem = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (activeId !== undefined) activeItem.current?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  return (
    <div id={id} role="listbox" aria-label="Commands" className="p-1.5">
      {GROUPS.map((group) => {
        const own = entries.filter((entry) => entry.group === group);
        if (own.length === 0) return null;
        return (
          <fieldset key={group} aria-label={group} className="m-0 min-w-0 border-0 p-0 pb-1">
            <div aria-hidden="true" className="flex justify-between px-2.5 pt-2 pb-1 font-medium text-xs text-ink-3">
              {group}
              {group === "Jobs" && <span className="font-normal">{isSearch ? "Latest first" : "Recent"}</span>}
            </div>
            {own.map((entry) => (
              <div
                key={entry.id}
                ref={entry.id === activeId ? activeItem : undefined}
                id={`${id}-${entry.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={entry.id === activeId}
                aria-disabled={entry.unavailable !== undefined || undefined}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onRun(entry)}
                onKeyDown={(event) => event.key === "Enter" && onRun(entry)}
                className={clsx(
                  "flex cursor-pointer scroll-mt-14 scroll-mb-14 items-center gap-2.5 rounded-sm px-2.5 py-1 pointer-coarse:min-h-11 short:scroll-mb-2",
                  entry.picture ? "min-h-11" : "min-h-8",
                  entry.id === activeId
                    ? "bg-hover shadow-[inset_2px_0_var(--color-accent)] outline-offset-[-2px] forced-colors:outline-2 forced-colors:outline-[Highlight]"
                    : "hover:bg-raised",
                  entry.unavailable !== undefined && "cursor-not-allowed opacity-60",
                )}
              >
                <EntryWords entry={entry} words={words} />
              </div>
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}

function EntryWords({ entry, words }: { entry: PaletteEntry; words: readonly string[] }) {
  const { label, detail, icon: Icon = ChevronRight, picture, value, status, keys } = entry;
  return (
    <>
      {picture ?? <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-3" />}
      <span className={clsx("min-w-0 flex-1", picture ? "grid" : "flex flex-wrap items-baseline gap-x-2.5")}>
        <span dir="auto" className={picture ? "truncate text-left" : "wrap-anywhere"}>
          <Marked text={label} words={words} />
        </span>{" "}
        {detail && (
          <span dir="auto" className="truncate text-sm text-ink-3 tabular-nums">
            <Marked text={detail} words={words} />
          </span>
        )}
      </span>{" "}
      {status && (
        <span className="flex shrink-0 items-center gap-1.5 text-sm text-ink-2">
          <StatusDot tone={status.tone} />
          {status.word}
        </span>
      )}
      {value !== undefined && <span className="shrink-0 font-medium tabular-nums">{value}</span>}
      {keys !== undefined && (
        <span className="flex shrink-0 gap-1">
          <Kbd keys={keys} />
          <span className="sr-only">{shortcutLabel(keys)}</span>
        </span>
      )}
    </>
  );
}

const MARK = "rounded-xs bg-ink/15 text-ink forced-colors:bg-[Mark] forced-colors:text-[MarkText]";

/** A text with what was typed on a neutral mark. */
function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return markedParts(text, words).map((part, place) =>
    part.isMarked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
      <mark key={place} className={MARK}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
