import { useQuery } from "@tanstack/react-query";
import { CalendarRange, LayoutGrid, Table } from "lucide-react";
import { type ReactNode, useId, useMemo, useState } from "react";
import { useApi } from "#connection/client.ts";
import { formatNumber } from "#lib/numbers.ts";
import { formatDate, formatDayOfYear, formatRelativeDay } from "#lib/time.ts";
import { RETENTION_DAYS, SOON_DAYS } from "#media/retention.ts";
import { modelQueries } from "#models/model-queries.ts";
import type { MarksById } from "#results/marks/marks.ts";
import { knownTags, tagTerm } from "#results/marks/tags.ts";
import { statusWords } from "#runs/status-words.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { useCommands } from "#ui/commands.ts";
import { TextInput } from "#ui/field.tsx";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { historyCommands } from "./commands.ts";
import { FilterMenu } from "./filter-menu.tsx";
import {
  daySeconds,
  filterCount,
  getSearchedModels,
  type HistorySearch,
  JOB_STATUSES,
  JOB_TYPES,
  modelsText,
} from "./history-search.ts";
import { useJobIndex } from "./job-index/job-index.ts";
import { type Facet, getFacetCounts, hasTerm, localDay, withoutTerm, withTerm } from "./job-index/search-index.ts";
import { SearchBox } from "./search-box.tsx";

export type SearchChange = Partial<Record<keyof HistorySearch, string | number | undefined>>;

interface FilterBarProps {
  search: HistorySearch;
  nowMs: number;
  marks: MarksById;
  onChange: (change: SearchChange) => void;
  /** What can be done with the whole list. */
  menu?: ReactNode;
}

export const NO_FILTERS: SearchChange = {
  model: undefined,
  type: undefined,
  status: undefined,
  after: undefined,
  before: undefined,
};

/** The search, the filters and the view above the list. All of them are in the URL. */
export function FilterBar({ search, nowMs, marks, onChange, menu }: FilterBarProps) {
  const view = search.view ?? "grid";
  useCommands([
    {
      ...historyCommands.grid,
      icon: LayoutGrid,
      value: onIf(view === "grid"),
      run: () => onChange({ view: "grid" }),
    },
    {
      ...historyCommands.table,
      icon: Table,
      value: onIf(view === "table"),
      run: () => onChange({ view: "table" }),
    },
  ]);
  const filter = { search, marks, nowMs };
  return (
    <div className="flex min-h-13 shrink-0 flex-wrap items-center xl:flex-nowrap gap-2 border-line border-b px-4.5 py-2 max-sm:px-3">
      <SearchBox value={search.q} nowMs={nowMs} onChange={(q) => onChange({ q })} />
      <div
        role="toolbar"
        aria-label="Filters"
        className="flex items-center gap-2 flex-wrap max-xl:order-last max-xl:w-full sm:min-w-0 sm:grow"
      >
        <ModelFilter {...filter} onChange={(model) => onChange({ model })} />
        <TypeFilter {...filter} onChange={(type) => onChange({ type })} />
        <MarkedFilter search={search} marks={marks} onChange={(q) => onChange({ q })} />
        <StatusFilter {...filter} onChange={(status) => onChange({ status })} />
        {filterCount(search) > 0 && (
          <CommandButton
            variant="ghost"
            size="sm"
            command={{ ...historyCommands.clearFilters, run: () => onChange(NO_FILTERS) }}
          >
            Clear
          </CommandButton>
        )}
        <span className="flex-1 max-sm:hidden" />
        <DateFilter search={search} nowMs={nowMs} onChange={onChange} />
      </div>
      <span className="flex-1 max-sm:hidden xl:hidden" />
      <Segmented
        label="View"
        options={[
          { value: "grid", label: "Grid" },
          { value: "table", label: "Table" },
        ]}
        value={search.view ?? "grid"}
        onChange={(next) => onChange({ view: next })}
        className="w-28 shrink-0"
      />
      {menu}
    </div>
  );
}

const onIf = (isOn: boolean) => (isOn ? "On" : undefined);

interface FilterProps {
  search: HistorySearch;
  marks: MarksById;
  nowMs: number;
  onChange: (value: string | undefined) => void;
}

const splitWords = (value: string | undefined) => value?.split(",") ?? [];
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Jobs of some kinds of files. */
function TypeFilter(props: FilterProps) {
  const chosen = splitWords(props.search.type);
  return (
    <FilterMenu
      label="Type"
      chosen={chosen.map(capitalized)}
      onClear={() => props.onChange(undefined)}
      foot={`${chosen.length} of ${JOB_TYPES.length}`}
    >
      {() => (
        <FixedChoices {...props} facet="type" values={JOB_TYPES} wordOf={(type) => ({ label: capitalized(type) })} />
      )}
    </FilterMenu>
  );
}

/** Jobs in some states. */
function StatusFilter(props: FilterProps) {
  const chosen = splitWords(props.search.status);
  const wordOf = (status: string) => ({ label: statusWords(status).word, tone: statusWords(status).tone });
  return (
    <FilterMenu
      label="Status"
      chosen={chosen.map((status) => wordOf(status).label)}
      onClear={() => props.onChange(undefined)}
      foot={`${chosen.length} of ${JOB_STATUSES.length}`}
    >
      {() => <FixedChoices {...props} facet="status" values={JOB_STATUSES} wordOf={wordOf} />}
    </FilterMenu>
  );
}

interface FixedChoicesProps extends FilterProps {
  facet: Exclude<Facet, "model">;
  values: readonly string[];
  wordOf: (value: string) => Pick<Choice, "label" | "tone">;
}

function FixedChoices({ facet, values, wordOf, search, marks, nowMs, onChange }: FixedChoicesProps) {
  const { counts, isAtLeast } = useFacetCounts(facet, search, marks, nowMs);
  return (
    <CheckList
      choices={values.map((value) => ({ value, ...wordOf(value), count: counts.get(value) ?? 0 }))}
      chosen={splitWords(search[facet])}
      isAtLeast={isAtLeast}
      // In the order of the choices, so that one question has one URL.
      onChange={(next) => onChange(values.filter((value) => next.includes(value)).join(",") || undefined)}
    />
  );
}

/** How many indexed jobs each choice of a filter finds. `isAtLeast`: the index lacks some jobs, so there may be more. */
function useFacetCounts(facet: Facet, search: HistorySearch, marks: MarksById, nowMs: number) {
  const { entries, texts, isWhole } = useJobIndex().state;
  const { q, model, type, status, after, before } = search;
  const counts = useMemo(
    () => getFacetCounts(facet, { entries, texts, marks, nowMs, search: { q, model, type, status, after, before } }),
    [facet, entries, texts, q, model, type, status, after, before, marks, nowMs],
  );
  return { counts, isAtLeast: !isWhole };
}

/** Jobs of some models. A model that has left the catalog can be typed. */
function ModelFilter(props: FilterProps) {
  const chosen = getSearchedModels(props.search);
  return (
    <FilterMenu
      label="Model"
      chosen={chosen}
      onClear={() => props.onChange(undefined)}
      foot={chosen.length === 0 ? "Any model" : `${formatNumber(chosen.length)} selected`}
    >
      {() => <ModelChoices {...props} />}
    </FilterMenu>
  );
}

function ModelChoices({ search, marks, nowMs, onChange }: FilterProps) {
  const ids = useQuery(modelQueries(useApi()).ids()).data;
  const chosen = getSearchedModels(search);
  const { counts, isAtLeast } = useFacetCounts("model", search, marks, nowMs);
  const choices = useMemo(() => {
    const all = [
      ...new Set([
        ...counts.keys(),
        ...(ids ?? []),
        ...getSearchedModels({ ...(search.model && { model: search.model }) }),
      ]),
    ];
    const countOf = (id: string) => counts.get(id) ?? 0;
    return all
      .sort((a, b) => countOf(b) - countOf(a) || a.localeCompare(b))
      .map((id): Choice => ({ value: id, label: id, count: countOf(id) }));
  }, [counts, ids, search.model]);
  return (
    <CheckList
      takesTyped
      choices={choices}
      chosen={chosen}
      isAtLeast={isAtLeast}
      onChange={(next) => onChange(modelsText(next))}
    />
  );
}

/** Jobs that a person starred, saved or tagged. The service knows none of this, so the choices are terms of the query. */
function MarkedFilter({ search: { q }, marks, onChange }: Omit<FilterProps, "nowMs">) {
  const choices = useMemo(() => markedChoices(marks), [marks]);
  const chosen = choices.filter(({ value }) => hasTerm(q, value));
  return (
    <FilterMenu
      label="Starred & tags"
      chosen={chosen.map(({ label }) => label)}
      onClear={() => onChange(chosen.reduce<string | undefined>((left, { value }) => withoutTerm(left, value), q))}
      foot={`${chosen.length} of ${choices.length}`}
    >
      {() => (
        <CheckList
          choices={choices}
          chosen={chosen.map(({ value }) => value)}
          isAtLeast={false}
          onChange={(next) => {
            const left = chosen.reduce<string | undefined>((text, { value }) => withoutTerm(text, value), q);
            onChange(next.reduce<string | undefined>((text, value) => withTerm(text, value), left));
          }}
        />
      )}
    </FilterMenu>
  );
}

function markedChoices(marks: MarksById): Choice[] {
  const all = [...marks.values()];
  const count = (test: (mark: (typeof all)[number]) => boolean) => all.filter(test).length;
  return [
    { value: "is:starred", label: "Starred", count: count((mark) => mark.isStarred) },
    { value: "is:saved", label: "Saved to folder", count: count((mark) => mark.savedAtMs !== undefined) },
    ...knownTags(marks).map((tag) => ({
      value: tagTerm(tag),
      label: tag,
      count: count((mark) => mark.tags.includes(tag)),
    })),
  ];
}

interface Choice {
  value: string;
  label: string;
  tone?: StatusTone;
  /** How many indexed jobs it finds; undefined for a value that was typed. */
  count?: number | undefined;
}

interface CheckListProps {
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** More jobs may be found than were counted. */
  isAtLeast: boolean;
  /** The text that was typed to find a choice can be chosen itself. */
  takesTyped?: boolean;
}

/** From this many choices on, a text field finds them. */
const MIN_SEARCHED = 9;
/** The most choices that are shown at once; the search finds the others. */
const MAX_SHOWN = 100;

/** Choices with checkboxes, and how many jobs each finds. */
function CheckList({ choices, chosen, onChange, isAtLeast, takesTyped = false }: CheckListProps) {
  const id = useId();
  const [text, setText] = useState("");
  // Not deferred, because the arrow key must move into the choices that match the typed text.
  const wanted = text.trim().toLowerCase();
  const isSearched = choices.length >= MIN_SEARCHED || takesTyped;
  const found = choices.filter(({ label, value }) => `${label} ${value}`.toLowerCase().includes(wanted));
  const typed = text.trim();
  const isTypedOffered = takesTyped && typed !== "" && !choices.some(({ value }) => value === typed);
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    <>
      {isSearched && (
        <TextInput
          type="text"
          aria-label="Find options"
          placeholder="Find"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="mb-1.5"
        />
      )}
      {found.slice(0, MAX_SHOWN).map((choice) => (
        <CheckRow
          key={choice.value}
          id={`${id}-${choice.value}`}
          choice={choice}
          isChosen={chosen.includes(choice.value)}
          isAtLeast={isAtLeast}
          onToggle={() => toggle(choice.value)}
        />
      ))}
      {isTypedOffered && (
        <CheckRow
          id={`${id}-own`}
          choice={{ value: typed, label: typed }}
          isChosen={chosen.includes(typed)}
          isAtLeast={isAtLeast}
          onToggle={() => toggle(typed)}
        />
      )}
      {found.length > MAX_SHOWN && (
        <p className="m-0 px-2 py-1 text-xs text-ink-3">{`${formatNumber(found.length - MAX_SHOWN)} more. Type to search.`}</p>
      )}
      {found.length === 0 && !isTypedOffered && <p className="m-0 px-2 py-1 text-xs text-ink-3">No matches</p>}
    </>
  );
}

interface CheckRowProps {
  id: string;
  choice: Choice;
  isChosen: boolean;
  isAtLeast: boolean;
  onToggle: () => void;
}

function CheckRow({ id, choice: { label, tone, count }, isChosen, isAtLeast, onToggle }: CheckRowProps): ReactNode {
  return (
    <div className="relative flex min-h-7.5 items-center gap-2.5 rounded-sm px-2 text-sm hover:bg-hover has-focus-visible:bg-hover pointer-coarse:min-h-11">
      <Checkbox
        id={id}
        aria-describedby={count === undefined ? undefined : `${id}-count`}
        checked={isChosen}
        onChange={onToggle}
        className="z-10"
      />
      {tone && <StatusDot tone={tone} />}
      <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer truncate after:absolute after:inset-0">
        <bdi>{label}</bdi>
      </label>
      {count !== undefined && (
        <span id={`${id}-count`} className="shrink-0 text-ink-3 tabular-nums">
          {formatNumber(count)}
          {isAtLeast && "+"}
        </span>
      )}
    </div>
  );
}

interface DateFilterProps {
  search: Pick<HistorySearch, "after" | "before">;
  nowMs: number;
  onChange: (change: { after?: string | undefined; before?: string | undefined }) => void;
}

const SPANS = [
  { value: "1", label: "Today" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "all", label: "All" },
] as const;

/** Today, the last days with today, or a range of days. */
function DateFilter({ search, nowMs, onChange }: DateFilterProps) {
  const { after, before } = search;
  const span = SPANS.find(({ value }) => before === undefined && after === firstDay(value, nowMs))?.value;
  return (
    <span className="flex shrink-0 items-center gap-1.5">
      <Segmented
        label="Date"
        options={SPANS}
        value={span}
        onChange={(value) => onChange({ after: firstDay(value, nowMs), before: undefined })}
        className="narrow:flex-wrap! flex-nowrap! whitespace-nowrap"
      />
      <DateRange search={search} nowMs={nowMs} onChange={onChange} isOwn={span === undefined} />
    </span>
  );
}

const firstDay = (span: (typeof SPANS)[number]["value"], nowMs: number) =>
  span === "all" ? undefined : localDay(nowMs, Number(span) - 1);

/** From one day to another, both included. */
function DateRange({ search: { after, before }, nowMs, onChange, isOwn }: DateFilterProps & { isOwn: boolean }) {
  const id = useId();
  // The days of files that expire soon follow the service's clock, because this device's may be days off.
  const serviceSeconds = useApi().clock.nowSeconds();
  const words = isOwn ? dateText(after, before, nowMs) : undefined;
  return (
    <FilterMenu
      label="Date range"
      icon={CalendarRange}
      align="end"
      chosen={words === undefined ? [] : [words]}
      onClear={() => onChange({ after: undefined, before: undefined })}
      foot={words ?? ""}
    >
      {() => (
        <div className="grid gap-2 p-2 pt-0 text-sm">
          <label htmlFor={`${id}-after`} className="font-medium">
            From
          </label>
          <TextInput
            id={`${id}-after`}
            type="date"
            value={after ?? ""}
            max={before}
            onChange={(event) => onChange({ after: event.target.value || undefined })}
          />
          <label htmlFor={`${id}-before`} className="font-medium">
            To
          </label>
          <TextInput
            id={`${id}-before`}
            type="date"
            value={before ?? ""}
            min={after}
            onChange={(event) => onChange({ before: event.target.value || undefined })}
          />
          <p className="m-0 text-ink-3">Both days are included.</p>
          <Button
            size="sm"
            disabled={serviceSeconds === undefined}
            onClick={() => onChange(expiringDays((serviceSeconds ?? 0) * 1000))}
            className="mt-1"
          >
            Expiring within {SOON_DAYS} days
          </Button>
        </div>
      )}
    </FilterMenu>
  );
}

/** The days of jobs whose files expire soon (spec 8). */
function expiringDays(nowMs: number): { after: string; before: string } {
  return { after: localDay(nowMs, RETENTION_DAYS - 1), before: localDay(nowMs, RETENTION_DAYS - SOON_DAYS) };
}

/** "Nov 1 to Today"; a year only where it is not this one. */
function dateText(after: string | undefined, before: string | undefined, nowMs: number): string | undefined {
  const word = (day: string) => {
    const seconds = daySeconds(day);
    const near = formatRelativeDay(seconds, nowMs);
    const isThisYear = new Date(seconds * 1000).getFullYear() === new Date(nowMs).getFullYear();
    return isThisYear && near === formatDate(seconds) ? formatDayOfYear(seconds) : near;
  };
  if (after && before) return after === before ? word(after) : `${word(after)} to ${word(before)}`;
  if (after) return `from ${word(after)}`;
  return before ? `until ${word(before)}` : undefined;
}
