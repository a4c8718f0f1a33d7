import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useMemo, useState } from "react";
import { useApi } from "#connection/client.ts";
import { modelQueries } from "#models/model-queries.ts";
import type { MarksById } from "#results/marks/marks-store.ts";
import { knownTags, tagTerm } from "#results/marks/tags.ts";
import { statusWords } from "#runs/status-words.ts";
import { Checkbox } from "#ui/checkbox.tsx";
import { TextInput } from "#ui/field.tsx";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import { type HistorySearch, JOB_STATUSES, JOB_TYPES, modelsOf, modelsText } from "../history-search.ts";
import { useFacetCounts } from "./facet-counts.ts";
import { FilterMenu } from "./filter-menu.tsx";
import { hasTerm, withoutTerm, withTerm } from "./search-terms.ts";

interface FilterProps {
  search: HistorySearch;
  marks: MarksById;
  nowMs: number;
  onChange: (value: string | undefined) => void;
}

const listed = (value: string | undefined) => value?.split(",") ?? [];
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Jobs of some kinds of files. */
export function TypeFilter(props: FilterProps) {
  const chosen = listed(props.search.type);
  return (
    <FilterMenu
      label="Type"
      chosen={chosen.map(capitalised)}
      onClear={() => props.onChange(undefined)}
      foot={`${chosen.length} of ${JOB_TYPES.length}`}
    >
      {() => (
        <FixedChoices {...props} facet="type" values={JOB_TYPES} wordOf={(type) => ({ label: capitalised(type) })} />
      )}
    </FilterMenu>
  );
}

/** Jobs in some states. */
export function StatusFilter(props: FilterProps) {
  const chosen = listed(props.search.status);
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
  facet: "type" | "status";
  values: readonly string[];
  wordOf: (value: string) => Pick<Choice, "label" | "tone">;
}

function FixedChoices({ facet, values, wordOf, search, marks, nowMs, onChange }: FixedChoicesProps) {
  const { counts, isAtLeast } = useFacetCounts(facet, search, marks, nowMs);
  return (
    <CheckList
      choices={values.map((value) => ({ value, ...wordOf(value), count: counts.get(value) ?? 0 }))}
      chosen={listed(search[facet])}
      isAtLeast={isAtLeast}
      // In the order of the choices, so that one question has one address.
      onChange={(next) => onChange(values.filter((value) => next.includes(value)).join(",") || undefined)}
    />
  );
}

/** Jobs of some models. A model that has left the catalogue can be typed. */
export function ModelFilter(props: FilterProps) {
  const chosen = modelsOf(props.search);
  return (
    <FilterMenu
      label="Model"
      chosen={chosen}
      onClear={() => props.onChange(undefined)}
      foot={chosen.length === 0 ? "Any model" : `${chosen.length} chosen`}
    >
      {() => <ModelChoices {...props} />}
    </FilterMenu>
  );
}

function ModelChoices({ search, marks, nowMs, onChange }: FilterProps) {
  const ids = useQuery(modelQueries(useApi()).ids()).data;
  const chosen = modelsOf(search);
  const { counts, isAtLeast } = useFacetCounts("model", search, marks, nowMs);
  const choices = useMemo(() => {
    const all = [
      ...new Set([...counts.keys(), ...(ids ?? []), ...modelsOf({ ...(search.model && { model: search.model }) })]),
    ];
    const countOf = (id: string) => counts.get(id) ?? 0;
    return all
      .sort((a, b) => countOf(b) - countOf(a) || a.localeCompare(b))
      .map((id): Choice => ({ value: id, label: id, count: countOf(id) }));
  }, [counts, ids, search.model]);
  return (
    <CheckList
      takesOwn
      choices={choices}
      chosen={chosen}
      isAtLeast={isAtLeast}
      onChange={(next) => onChange(modelsText(next))}
    />
  );
}

/** Jobs that a person starred, saved or put into a collection: words of the search, for the service knows of none. */
export function MarkedFilter({ search: { q }, marks, onChange }: Omit<FilterProps, "nowMs">) {
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
  /** How many jobs it finds; undefined where nobody knows. */
  count?: number | undefined;
}

interface CheckListProps {
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** More jobs may be found than were counted. */
  isAtLeast: boolean;
  /** What is typed in the search of the choices can be chosen as it is. */
  takesOwn?: boolean;
}

/** From so many choices on they can be searched. */
const SEARCHED_FROM = 9;
/** So many are shown at once; the search finds the others. */
const MAX_SHOWN = 100;

/** Choices with boxes, of which several can hold, and how many jobs each finds. */
function CheckList({ choices, chosen, onChange, isAtLeast, takesOwn = false }: CheckListProps) {
  const id = useId();
  const [text, setText] = useState("");
  // Not deferred: whoever types and presses the arrow chooses from what is typed.
  const wanted = text.trim().toLowerCase();
  const isSearched = choices.length >= SEARCHED_FROM || takesOwn;
  const found = choices.filter(({ label, value }) => `${label} ${value}`.toLowerCase().includes(wanted));
  const own = text.trim();
  const isOwn = takesOwn && own !== "" && !choices.some(({ value }) => value === own);
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    <>
      {isSearched && (
        <TextInput
          type="text"
          aria-label="Find a choice"
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
      {isOwn && (
        <CheckRow
          id={`${id}-own`}
          choice={{ value: own, label: own }}
          isChosen={chosen.includes(own)}
          isAtLeast={isAtLeast}
          onToggle={() => toggle(own)}
        />
      )}
      {found.length > MAX_SHOWN && (
        <p className="m-0 px-2 py-1 text-[12px] text-ink-3">{`${found.length - MAX_SHOWN} more. Type to find them.`}</p>
      )}
      {found.length === 0 && !isOwn && <p className="m-0 px-2 py-1 text-[12px] text-ink-3">No matches.</p>}
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
    <div className="relative flex min-h-[30px] items-center gap-2.5 rounded-sm px-2 text-[13px] hover:bg-hover has-focus-visible:bg-hover pointer-coarse:min-h-11">
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
          {count.toLocaleString("en-US")}
          {isAtLeast && "+"}
        </span>
      )}
    </div>
  );
}
