import { LayoutGrid, Search, Table, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { statusWords } from "#jobs/job-status.tsx";
import type { MarksById } from "#jobs/marks/marks-store.ts";
import { IconButton } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { CommandButton, useCommandProps } from "#ui/command-button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { TextInput } from "#ui/field.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { ChoiceFilter, DateFilter, FilterMenu, ModelFilter } from "./filter-menu.tsx";
import { filterCount, type HistorySearch, JOB_STATUSES, JOB_TYPES } from "./history-search.ts";
import { SearchHelp } from "./search-help.tsx";
import { knownTags, tagTerm } from "./tags.ts";

export type SearchChange = Partial<Record<keyof HistorySearch, string | number | undefined>>;

interface FilterBarProps {
  search: HistorySearch;
  nowMs: number;
  marks: MarksById;
  onChange: (change: SearchChange) => void;
}

export const NO_FILTERS: SearchChange = {
  model: undefined,
  type: undefined,
  status: undefined,
  after: undefined,
  before: undefined,
};

/** The service's own filters, and how the list is shown. All of it is in the address. */
export function FilterBar({ search, nowMs, marks, onChange }: FilterBarProps) {
  const view = search.view ?? "grid";
  useCommands([
    {
      id: "history.grid",
      label: "View as grid",
      ...VIEW,
      icon: LayoutGrid,
      value: onIf(view === "grid"),
      run: () => onChange({ view: "grid" }),
    },
    {
      id: "history.table",
      label: "View as table",
      ...VIEW,
      icon: Table,
      value: onIf(view === "table"),
      run: () => onChange({ view: "table" }),
    },
  ]);
  return (
    <div className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-2 border-line border-b px-[18px] py-2 max-sm:px-3">
      <SearchBox value={search.q} onChange={(q) => onChange({ q })} />
      <div
        role="toolbar"
        aria-label="Filters"
        className="flex flex-wrap items-center gap-2 max-sm:order-last max-sm:w-full"
      >
        <ModelFilter value={search.model} onChange={(model) => onChange({ model })} />
        <ChoiceFilter label="Type" choices={JOB_TYPES} value={search.type} onChange={(type) => onChange({ type })} />
        <ChoiceFilter
          label="Status"
          choices={JOB_STATUSES}
          value={search.status}
          wordOf={(status) => statusWords(status).word}
          onChange={(status) => onChange({ status })}
        />
        <DateFilter after={search.after} before={search.before} nowMs={nowMs} onChange={onChange} />
        <MarkedFilter query={search.q} marks={marks} onChange={(q) => onChange({ q })} />
        {filterCount(search) > 0 && (
          <CommandButton
            variant="ghost"
            size="sm"
            command={{
              id: "history.clear-filters",
              label: "Clear filters",
              group: "Find",
              run: () => onChange(NO_FILTERS),
            }}
          >
            Clear
          </CommandButton>
        )}
      </div>
      <span className="flex-1 max-sm:hidden" />
      <Segmented
        label="View"
        options={[
          { value: "grid", label: "Grid" },
          { value: "table", label: "Table" },
        ]}
        value={search.view ?? "grid"}
        onChange={(view) => onChange({ view })}
        className="w-[124px]"
      />
    </div>
  );
}

const VIEW = { group: "View" };
const onIf = (isOn: boolean) => (isOn ? "On" : undefined);
const SEARCH = { id: "history.search", label: "Search jobs", group: "Find", keys: "/", icon: Search };

/** At the end of the text, in the middle of its height. */
const IN_BOX = "absolute! top-1/2 right-1 -translate-y-1/2 pointer-coarse:right-0";

interface SearchBoxProps {
  /** From the address. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const REST_MS = 150;

/** A search of what this browser has indexed. Typed text goes into the address after a short pause. */
function SearchBox({ value, onChange }: SearchBoxProps) {
  const shown = value === "*" ? "" : (value ?? "");
  const [text, setText] = useState(shown);
  const pushed = useRef(shown);
  const push = useRef(onChange);
  const box = useRef<HTMLInputElement>(null);
  const { "aria-keyshortcuts": keys } = useCommandProps(SEARCH);
  useCommands([{ ...SEARCH, run: () => box.current?.focus() }]);
  useEffect(() => {
    push.current = onChange;
  });
  // An address that changed elsewhere, such as by the back button, replaces the text.
  useEffect(() => {
    if (shown !== pushed.current) setText(shown);
    pushed.current = shown;
  }, [shown]);
  useEffect(() => {
    if (text === pushed.current) return;
    const wait = setTimeout(() => {
      pushed.current = text.trim();
      push.current(text.trim() || undefined);
    }, REST_MS);
    return () => clearTimeout(wait);
  }, [text]);
  return (
    <search className="relative w-[248px] max-sm:w-auto max-sm:min-w-0 max-sm:flex-1">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-3"
      />
      <TextInput
        ref={box}
        aria-keyshortcuts={keys}
        type="text"
        role="searchbox"
        aria-label="Search jobs"
        placeholder="Search prompts, IDs"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="pr-9! pl-8! text-ellipsis pointer-coarse:pr-12!"
      />
      {text !== "" && (
        <IconButton label="Clear the search" size="sm" className={IN_BOX} onClick={() => setText("")}>
          <X aria-hidden className="size-3.5" />
        </IconButton>
      )}
      <SearchHelp hasButton={text === ""} className={IN_BOX} />
    </search>
  );
}

interface MarkedFilterProps {
  /** The search of the index, of which these are words. */
  query: string | undefined;
  marks: MarksById;
  onChange: (query: string | undefined) => void;
}

/** Jobs that a person starred, saved or put into a collection. The service knows of none, so the index is searched. */
function MarkedFilter({ query, marks, onChange }: MarkedFilterProps) {
  const id = useId();
  const choices = [
    { term: "is:starred", word: "Starred" },
    { term: "is:saved", word: "Saved to folder" },
    ...knownTags(marks).map((tag) => ({ term: tagTerm(tag), word: tag })),
  ];
  const chosen = choices.filter(({ term }) => hasTerm(query, term));
  return (
    <FilterMenu
      label="Starred & tags"
      chosen={chosen.length > 0 ? chosen.map(({ word }) => word).join(", ") : undefined}
      onClear={() => onChange(chosen.reduce<string | undefined>((left, { term }) => withoutTerm(left, term), query))}
    >
      {choices.map(({ term, word }) => (
        <label
          key={term}
          htmlFor={`${id}-${term}`}
          className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2 hover:bg-hover pointer-coarse:min-h-11"
        >
          <Checkbox
            id={`${id}-${term}`}
            checked={hasTerm(query, term)}
            onChange={() => onChange(hasTerm(query, term) ? withoutTerm(query, term) : withTerm(query, term))}
          />
          <span className="min-w-0 truncate">{word}</span>
        </label>
      ))}
    </FilterMenu>
  );
}

function hasTerm(query: string | undefined, term: string): boolean {
  return ` ${query ?? ""} `.includes(` ${term} `);
}

function withTerm(query: string | undefined, term: string): string {
  return query === undefined || query === "*" ? term : `${query} ${term}`;
}

function withoutTerm(query: string | undefined, term: string): string | undefined {
  return ` ${query ?? ""} `.replace(` ${term} `, " ").trim() || undefined;
}
