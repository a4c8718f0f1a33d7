import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleHelp, Search, TriangleAlert, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { modelQueries } from "#models/model-queries.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { TextInput } from "#ui/field.tsx";
import { indexAfterKey } from "#ui/list-keys.ts";
import { popupClass, useAnchoredPopover, useLeave } from "#ui/popover.ts";
import { historyCommands } from "./commands.ts";
import { useJobIndex } from "./job-index/job-index.ts";
import { hasTerm, localDay, queryParts, withTerm } from "./job-index/search-index.ts";
import { SearchHelp } from "./search-help.tsx";

interface SearchBoxProps {
  /** The query of the URL. */
  value: string | undefined;
  nowMs: number;
  onChange: (value: string | undefined) => void;
}

/** The pause in typing after which the text goes into the URL. */
const TYPING_PAUSE_MS = 150;

/** The text field that searches jobs, with its terms marked, suggestions and help. */
export function SearchBox({ value, nowMs, onChange }: SearchBoxProps) {
  const shown = value === "*" ? "" : (value ?? "");
  const [text, setText] = useState(shown);
  const [isOpen, setIsOpen] = useState(false);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  /** The text that the URL has. */
  const sentText = useRef(shown);
  const latestOnChange = useRef(onChange);
  const root = useRef<HTMLElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const marks = useRef<HTMLDivElement>(null);
  const listId = useId();
  const problemsId = useId();
  const { "aria-keyshortcuts": keys } = useCommandProps(historyCommands.search);
  useCommands([
    { ...historyCommands.search, icon: Search, run: () => box.current?.focus() },
    { ...historyCommands.searchHelp, icon: CircleHelp, run: () => setIsHelpOpen(true) },
  ]);
  const parts = queryParts(text);
  const problems = parts.flatMap(({ wrong }) => wrong ?? []);
  useEffect(() => {
    latestOnChange.current = onChange;
  });
  // A URL that changed elsewhere, such as by the back button, replaces the text.
  useEffect(() => {
    if (shown !== sentText.current) setText(shown);
    sentText.current = shown;
  }, [shown]);
  useEffect(() => {
    if (text === sentText.current) return;
    const timer = setTimeout(() => {
      sentText.current = text.trim();
      latestOnChange.current(text.trim() || undefined);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useLeave(isOpen, root, () => setIsOpen(false));

  function add(term: string) {
    setText(`${withTerm(text, term)} `);
    box.current?.focus();
    setIsOpen(false);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      box.current?.focus();
      setIsOpen(false);
    }
    if (event.key === "ArrowDown" && event.target === box.current) {
      event.preventDefault();
      if (isOpen) document.getElementById(listId)?.querySelector("button")?.focus();
      else setIsOpen(true);
    }
  }
  return (
    <search
      ref={root}
      onKeyDown={onKeyDown}
      className="relative min-w-47.5 max-w-83 grow-[1000] basis-47.5 max-sm:max-w-none"
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 z-20 size-4 -translate-y-1/2 text-ink-3"
      />
      <div
        ref={marks}
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-9 left-8.25 z-10 flex items-center overflow-hidden whitespace-pre text-transparent pointer-coarse:right-12"
      >
        <span className="pointer-coarse:text-lg">
          {parts.map(({ text: part, isTerm, wrong }, place) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name.
              key={place}
              className={clsx(isTerm && "rounded-xs bg-ink/10", wrong && "underline decoration-failed decoration-wavy")}
            >
              {part}
            </span>
          ))}
        </span>
      </div>
      <TextInput
        ref={box}
        aria-keyshortcuts={keys}
        type="text"
        role="searchbox"
        aria-label="Search jobs"
        aria-describedby={problemsId}
        placeholder="Search prompts, IDs"
        value={text}
        onFocus={() => setIsOpen(true)}
        onPointerDown={() => setIsOpen(true)}
        onScroll={(event) => {
          if (marks.current) marks.current.scrollLeft = event.currentTarget.scrollLeft;
        }}
        onChange={(event) => {
          setText(event.target.value);
          setIsOpen(queryParts(event.target.value).some(({ wrong }) => wrong !== undefined));
        }}
        className="pr-9! pl-8! pointer-coarse:pr-12!"
      />
      <span id={problemsId} role="status" className="sr-only">
        {problems.join(" ")}
      </span>
      {problems.length > 0 && (
        <TriangleAlert
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-9 z-20 size-4 -translate-y-1/2 bg-well text-unconfirmed pointer-coarse:right-12"
        />
      )}
      {text === "" ? (
        <IconButton
          size="sm"
          label={historyCommands.searchHelp.label}
          data-command={historyCommands.searchHelp.id}
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          className={IN_BOX}
          onClick={() => {
            box.current?.focus();
            setIsOpen(true);
          }}
        >
          <CircleHelp aria-hidden="true" className="size-4" />
        </IconButton>
      ) : (
        <IconButton
          label="Clear search"
          size="sm"
          className={IN_BOX}
          onClick={() => {
            setText("");
            box.current?.focus();
          }}
        >
          <X aria-hidden className="size-3.5" />
        </IconButton>
      )}
      {isOpen && (
        <SearchSuggestions
          id={listId}
          anchor={root}
          query={text}
          nowMs={nowMs}
          problems={problems}
          onAdd={add}
          onAll={() => {
            setIsOpen(false);
            setIsHelpOpen(true);
          }}
          onLeave={() => box.current?.focus()}
        />
      )}
      <SearchHelp isOpen={isHelpOpen} onOpenChange={setIsHelpOpen} />
    </search>
  );
}

/** Places a button at the end of the text field. */
const IN_BOX = "absolute! top-1/2 right-1 z-20 -translate-y-1/2 pointer-coarse:right-0";

interface SearchSuggestionsProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  query: string;
  nowMs: number;
  /** What is wrong with typed terms, in sentences. */
  problems: readonly string[];
  onAdd: (term: string) => void;
  /** Opens the list of all terms. */
  onAll: () => void;
  /** Called to move the focus back to the text field. */
  onLeave: () => void;
}

/** Terms that can be added with a press. Arrow keys move through them. */
function SearchSuggestions({ id, anchor, query, nowMs, problems, onAdd, onAll, onLeave }: SearchSuggestionsProps) {
  const popup = useRef<HTMLFieldSetElement>(null);
  const model = useUsualModel();
  const terms = suggestions(model, nowMs).filter(([term]) => !hasTerm(query, term));
  useAnchoredPopover({ open: true, anchor, popup, align: "start" });

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const buttons = [...(popup.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = event.key.startsWith("Arrow") ? indexAfterKey(event.key, at, buttons.length) : undefined;
    if (to === undefined) return;
    event.preventDefault();
    if (event.key === "ArrowUp" && at <= 0) onLeave();
    else buttons[to]?.focus();
  }
  return (
    <fieldset
      ref={popup}
      id={id}
      aria-label="Add to search"
      onKeyDown={onKeyDown}
      className={popupClass("flex w-[22rem] flex-col p-0! overflow-hidden!")}
    >
      <div className="min-h-0 flex-auto overflow-y-auto p-1.5">
        {problems.map((wrong) => (
          <p key={wrong} className="wrap-anywhere m-0 mb-1 rounded-sm bg-hover px-2 py-1.5 text-sm text-ink">
            {wrong}
          </p>
        ))}
        <p aria-hidden className="m-0 px-2 pt-1 pb-1.5 text-xs text-ink-3">
          Add to search
        </p>
        {terms.map(([term, meaning]) => (
          <button
            key={term}
            type="button"
            onClick={() => onAdd(term)}
            className="grid min-h-7.5 w-full cursor-pointer grid-cols-[minmax(0,10rem)_minmax(0,1fr)] items-center gap-3 rounded-sm px-2 text-left text-sm text-ink-2 outline-none hover:bg-hover hover:text-ink focus-visible:bg-hover focus-visible:text-ink focus-visible:outline-2 focus-visible:outline-focus focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
          >
            <bdi className="w-fit max-w-full truncate rounded-sm bg-canvas px-1.5 font-medium font-mono text-xs text-ink leading-relaxed">
              {term}
            </bdi>
            <span className="truncate">{meaning}</span>
          </button>
        ))}
      </div>
      <div className="flex min-h-9 shrink-0 items-center justify-between gap-2 border-line border-t py-0.5 pr-1.5 pl-3.5 text-xs text-ink-3">
        <span>Click to add</span>
        <Button variant="ghost" size="sm" onClick={onAll}>
          {historyCommands.searchHelp.label}
        </Button>
      </div>
    </fieldset>
  );
}

function suggestions(model: string | undefined, nowMs: number): (readonly [term: string, meaning: string])[] {
  return [
    ["type:video", "Videos only"],
    ...(model === undefined ? [] : [[`model:${/\s/.test(model) ? `"${model}"` : model}`, "One model"] as const]),
    ["cost>0.5", `More than ${formatMicroUsd(500_000)}`],
    [`after:${localDay(nowMs, 7)}`, "From this day on"],
    ["status:failed", "Failed jobs"],
    ["expires<7", "Files expire within 7 days"],
    ["is:starred", "Starred jobs"],
  ];
}

/** So many of the newest jobs decide which model is the usual one. */
const MAX_COUNTED_JOBS = 200;

/** The model that most of the newest jobs used, else the first of the catalog. */
function useUsualModel(): string | undefined {
  const { entries } = useJobIndex().state;
  const [first] = useQuery({ ...modelQueries(useApi()).ids(), enabled: false }).data ?? [];
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const { model } of entries.slice(0, MAX_COUNTED_JOBS))
      if (model) counts.set(model, (counts.get(model) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? first;
  }, [entries, first]);
}
